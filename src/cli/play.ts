import { createInterface, emitKeypressEvents, type Interface, type Key } from 'node:readline'
import type { Command } from 'commander'
import { type Answer, type GameKit, type Player, type Question, UserError, didYouMean, visible } from '../core/index.js'
import { judge } from '../match/index.js'
import { gameNamed } from './games.js'
import { type MatchOptions, addMatchOptions } from './match.js'
import { MoveTable, boardText, outcomeText, viewText } from './moves.js'
import { secretSeed } from './plan.js'
import { botsNamed, endBotsOnSignals, playAtTable, seatBots } from './table.js'
import { print } from './terminal.js'
import { gameOptions, limitsOf } from './words.js'

export function playCommand(program: Command): void {
  const command = program
    .command('play')
    .description('play a match yourself, at the keyboard')
    .argument('<game>', 'a game, or the file of one')
    .requiredOption(
      '--against <bot>',
      "a house bot's name, a file or a quoted command; once for each opponent",
      (value: string, before: readonly string[]) => [...before, value],
      [],
    )
  addMatchOptions(command).action(async (game: string, given: MatchOptions & { against: readonly string[] }) => {
    endBotsOnSignals()
    const kit = await gameNamed(game)
    if (given.against.length === 0)
      throw new UserError(
        "whom do you play against? give --against BOT, a house bot's name, a file or a quoted command",
      )
    const options = gameOptions(kit, given.option, given.against.length + 1)
    const limits = limitsOf(kit, given.limit)
    const bots = await botsNamed(kit, given.against, given.wire)
    const you = new Person(kit, bots.length)
    const table = seatBots(kit, bots, { seed: given.seed ?? secretSeed(), options, limits }, [
      { name: 'you', player: you },
    ])
    const names = table.fixture.seats.map(({ entrant }) => entrant)
    const moves = new MoveTable(kit, names)
    let last: unknown
    print(
      `${kit.title}: you against ${bots.map(({ name }) => visible(name)).join(', ')}; ${you.keys ? 'a key for each action' : 'type an action and Enter'}, Ctrl-C ends`,
    )
    try {
      const record = await playAtTable(kit, table, limits, (step) => {
        last = step.after
        print(`${moves.head()}\n${moves.step(step.number, step.moves)}\n`)
      })
      print(`${boardText(kit, last)}\n\n${outcomeText(names, judge(kit, record).outcome)}`)
    } finally {
      you.leave()
    }
  })
}

/** Somebody at the keyboard: a key an action where every action is one character, else a line. There is no hurry. */
class Person implements Player {
  /** Whether single keys are enough. */
  readonly keys: boolean
  private readonly lines: Interface | undefined
  private readonly typed: string[] = []
  private waiting: ((text: string) => void) | undefined
  private closed = false

  constructor(
    private readonly kit: GameKit,
    private readonly seat: number,
  ) {
    const actions = Object.keys(kit.actions ?? {})
    this.keys = process.stdin.isTTY && actions.length > 0 && actions.every((action) => action.length === 1)
    if (this.keys) {
      emitKeypressEvents(process.stdin)
      process.stdin.setRawMode(true).on('keypress', this.pressed)
    } else {
      this.lines = createInterface({ input: process.stdin, terminal: process.stdin.isTTY })
      this.lines
        .on('line', (line) => this.heard(line))
        .on('close', () => {
          this.closed = true
          this.heard('')
        })
    }
  }

  async begin(): Promise<void> {
    // Nothing to start.
  }
  async ready(): Promise<Answer> {
    return { heard: {}, wallUs: 0 }
  }
  tell(): void {
    // The next question shows all.
  }
  dismiss(): void {
    this.leave()
  }
  async end(): Promise<void> {
    this.leave()
  }

  async ask(question: Question): Promise<Answer> {
    const began = performance.now()
    const { kit } = this
    const legal = kit.game.legal(question.view)
    print(viewText(kit, question.view, this.seat))
    for (;;) {
      print(`your move: ${choices(kit, legal)}`)
      const text = await this.next()
      if (text === undefined) throw new UserError('the input has ended before the match; the match is given up')
      const action = legal.find((one) => one === text) ?? legal.find((one) => one.trim() === text.trim())
      if (action !== undefined) return { heard: { out: action }, wallUs: (performance.now() - began) * 1000 }
      print(`"${visible(text)}" is not among them${didYouMean(text, legal)}`)
    }
  }

  leave(): void {
    this.lines?.close()
    if (this.keys) process.stdin.setRawMode(false).off('keypress', this.pressed)
    process.stdin.pause()
  }

  private readonly pressed = (text: string | undefined, key: Key): void => {
    if (key.ctrl && (key.name === 'c' || key.name === 'd')) process.exit(130)
    if (text !== undefined) this.heard(text)
  }

  private heard(text: string): void {
    const { waiting } = this
    this.waiting = undefined
    if (waiting) waiting(text)
    else if (!this.closed) this.typed.push(text)
  }

  /** What is typed next; undefined: the input has ended. */
  private async next(): Promise<string | undefined> {
    const before = this.typed.shift()
    if (before !== undefined) return before
    if (this.closed) return undefined
    const text = await new Promise<string>((done) => {
      this.waiting = done
    })
    return this.closed && text === '' ? undefined : text
  }
}

/** Actions with their meanings; of very many the first ones. */
function choices(kit: GameKit, legal: readonly string[]): string {
  const shown = legal.slice(0, MOST).map((action) => {
    const meaning = kit.actions?.[action]
    return visible(action) + (meaning === undefined ? '' : ` ${meaning}`)
  })
  return shown.join(' | ') + (legal.length > MOST ? ` | … (${legal.length} in all)` : '')
}
const MOST = 24
