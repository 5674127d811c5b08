import type { Command } from 'commander'
import {
  type Answer,
  type AnyWire,
  type GameKit,
  type Heard,
  type Player,
  type Question,
  type Say,
  UserError,
  botSeed,
  wiresOf,
  shorten,
  visible,
} from '../core/index.js'
import type { Prepared } from '../contest/index.js'
import { admit } from '../engine/index.js'
import { DEFAULT_TURN_MS, type FaultAt, judge } from '../match/index.js'
import { OUTPUT_BYTES, chanceOf } from '../wires/index.js'
import { gameNamed } from './games.js'
import { type MatchOptions, addMatchOptions } from './match.js'
import { faultText, outcomeText } from './moves.js'
import { entrantOf } from './prepared.js'
import { botsNamed, endBotsOnSignals, playAtTable, seatBots } from './table.js'
import { print, visibleLines } from './terminal.js'
import { gameOptions, limitsOf } from './words.js'
import { roomsFolder, workspaceFolder } from './workspace.js'

/** Questions of the trial match that are shown in full. */
const SHOWN = 3
/** Turns of the trial match, where the game has such an option. */
const TRIAL_TURNS = 30
/** After this many faults the trial match is not worth going on with. */
const ENOUGH_FAULTS = 3

interface StepReport {
  readonly name: string
  readonly ok: boolean
  readonly lines: readonly string[]
}

export function checkCommand(program: Command): void {
  const command = program
    .command('check')
    .description(
      'tell in numbered steps whether a bot speaks the wire: what it was sent, what it said, how long it took',
    )
    .argument('<game>', 'a game, or the file of one')
    .argument('<bot>', "a house bot's name, a file, or a quoted command")
  addMatchOptions(command)
    .option('--json', 'one JSON document')
    .addHelpText('after', '\nExit code 1: it does not speak the wire.')
    .action(async (game: string, word: string, given: MatchOptions & { json?: boolean }) => {
      endBotsOnSignals()
      const kit = await gameNamed(game)
      const steps: StepReport[] = []
      const report = (step: StepReport) => {
        steps.push(step)
        if (!given.json)
          print(
            `${steps.length}. ${step.ok ? 'ok    ' : 'FAILED'} ${step.name}\n${step.lines.map((line) => `     ${line}\n`).join('')}`.trimEnd(),
          )
      }
      await check(kit, word, given, report)
      const ok = steps.every((step) => step.ok)
      if (given.json) print(JSON.stringify({ ok, steps }, undefined, 2))
      else print(ok ? '\nIt speaks the wire.' : '\nIt does not speak the wire as it should.')
      process.exitCode = ok ? 0 : 1
    })
}

async function check(
  kit: GameKit,
  word: string,
  given: MatchOptions,
  report: (step: StepReport) => void,
): Promise<void> {
  const seats = Math.max(2, kit.game.seats.min)
  const trial =
    'turns' in kit.game.options && !given.option.some((text) => text.startsWith('turns='))
      ? [`turns=${TRIAL_TURNS}`]
      : []
  const options = gameOptions(
    kit,
    kit.game.refuse?.({ ...kit.game.options, turns: TRIAL_TURNS }, seats) === undefined
      ? [...given.option, ...trial]
      : given.option,
    seats,
  )
  const limits = limitsOf(kit, given.limit)
  let bot: Prepared
  try {
    bot = (await botsNamed(kit, [word], given.wire))[0] as Prepared
  } catch (error) {
    if (!(error instanceof UserError)) throw error
    return report({ name: 'it is found and built', ok: false, lines: visibleLines(error.message).split('\n') })
  }
  const wire = wiresOf(kit, options)[bot.wire] as AnyWire
  const limit = limits['turn'] ?? wire.limits?.['turn'] ?? DEFAULT_TURN_MS
  report({
    name: `it is found and built: ${visible(bot.name)}`,
    ok: true,
    lines: [
      bot.run.kind === 'process' ? `runs: ${visible(bot.run.argv.join(' '))}` : `module: ${visible(bot.run.file)}`,
      `wire: ${bot.wire} (${wire.summary})`,
      `limits: ${limit} ms a turn, ${limits['output'] ?? OUTPUT_BYTES} bytes an answer${wire.state ? `, ${wire.state.bytes} bytes in ${wire.state.folder}/` : ''}`,
      `memory: ${bot.memory}`,
    ],
  })
  const seed = given.seed ?? 'check'
  const rooms = roomsFolder(workspaceFolder())
  const admission = await admit(entrantOf(bot), { kit, options, seats, seed, limits, rooms: rooms.folder }).finally(
    () => rooms.remove(),
  )
  const expected = wire.ready
    ? ` and gets ready (expected to ${wire.ready.expects} within ${limits[wire.ready.within] ?? wire.limits?.[wire.ready.within]} ms)`
    : ''
  report({
    name: `it starts${expected}`,
    ok: admission.refused === undefined,
    lines: admission.refused === undefined ? [] : [visible(admission.refused)],
  })
  if (admission.refused !== undefined) return
  await trialMatch(kit, bot, seats, { seed, options, limits }, limit, report)
}

async function trialMatch(
  kit: GameKit,
  bot: Prepared,
  seats: number,
  setting: { seed: string; options: GameKit['game']['options']; limits: Readonly<Record<string, number>> },
  limit: number,
  report: (step: StepReport) => void,
): Promise<void> {
  const sparring = Array.from({ length: seats - 1 }, (_, i) => ({
    name: `Sparring ${i + 1}`,
    player: new Sparring(kit, botSeed(setting.seed, `sparring ${i}`, 'check')),
  }))
  const table = seatBots(kit, [bot], setting, sparring)
  const watched = new Watched(table.players[0] as Player)
  const faults: FaultAt[] = []
  const { players } = table
  const record = await playAtTable(
    kit,
    { ...table, players: [watched, ...players.slice(1)] },
    setting.limits,
    ({ number, moves }) => {
      const own = moves[0]
      if (typeof own === 'object') faults.push({ seat: 0, turn: number, ...own })
      // A bot that runs out of time on every turn would take minutes.
      if (faults.length >= ENOUGH_FAULTS) watched.giveUp()
    },
  )
  const judged = judge(kit, record)
  const shown = watched.exchanges.slice(0, SHOWN)
  for (const [i, exchange] of shown.entries()) {
    const fault = judged.faults.find(({ seat, turn }) => seat === 0 && turn === stepOf(record, i))
    report({
      name: `question ${i + 1}`,
      ok: fault === undefined,
      lines: [...exchangeLines(exchange), ...(fault ? [faultText(bot.name, fault)] : [])],
    })
  }
  const slowest = Math.max(0, ...watched.exchanges.map(({ answer }) => answer.wallUs / 1000))
  const stderr = table.stderr(0).trim()
  report({
    name: `a match against random opponents: ${watched.exchanges.length} questions, ${faults.length} faults`,
    ok: faults.length === 0,
    lines: [
      `slowest answer: ${slowest.toFixed(1)} ms of ${limit} ms`,
      ...faults.slice(0, 5).map((fault) => `turn ${fault.turn + 1}: ${faultText(bot.name, fault)}`),
      ...(watched.gaveUp
        ? ['(no more questions were asked after these faults)']
        : [
            outcomeText(
              table.fixture.seats.map(({ entrant }) => entrant),
              judged.outcome,
            ),
          ]),
      ...(stderr === ''
        ? []
        : [
            'the end of its standard error:',
            ...stderr
              .split('\n')
              .slice(-10)
              .map((line) => `  ${visible(line)}`),
          ]),
    ],
  })
}

/** The step in which a seat's n-th question was asked. */
function stepOf(record: { steps: readonly (readonly (readonly [number, unknown])[])[] }, n: number): number {
  let left = n
  return record.steps.findIndex((step) => step.some(([seat]) => seat === 0) && left-- === 0)
}

function exchangeLines({ said, answer }: Exchange): string[] {
  const { heard } = answer
  return [
    ...said.flatMap((say) => [
      ...(say.argv === undefined
        ? []
        : [`sent arguments: ${say.argv.map((word) => JSON.stringify(shorten(word, 120))).join(' ') || '(none)'}`]),
      ...(say.file === undefined ? [] : [`sent file:      ${JSON.stringify(shorten(say.file, 300))}`]),
      ...(say.lines ?? []).map((line) => `sent line:      ${visible(shorten(line, 300))}`),
    ]),
    `said:           ${heardText(heard)}`,
    `took:           ${(answer.wallUs / 1000).toFixed(1)} ms`,
  ]
}

function heardText({ out, exit, file, trouble, why }: Heard): string {
  const parts = [
    trouble && `nothing in time that counts: ${trouble}${why ? `, ${why}` : ''}`,
    out !== undefined && JSON.stringify(shorten(out, 200)),
    exit !== undefined && `exit code ${exit}`,
    file !== undefined && `file ${JSON.stringify(shorten(file, 300))}`,
  ]
  return parts.filter(Boolean).join(', ') || 'nothing'
}

interface Exchange {
  /** All that was said since the answer before. */
  readonly said: readonly Say[]
  readonly answer: Answer
}

/** A player whose questions and answers are kept. */
class Watched implements Player {
  readonly exchanges: Exchange[] = []
  gaveUp = false
  private said: Say[] = []

  constructor(private readonly player: Player) {}

  begin(key: string): Promise<void> {
    return this.player.begin(key)
  }
  ready(say: Say | undefined, limit: number): Promise<Answer> {
    return this.player.ready(say, limit)
  }
  tell(say: Say): Promise<void> | void {
    this.said.push(say)
    return this.player.tell(say)
  }
  async ask(question: Question): Promise<Answer> {
    const answer = await this.player.ask(question)
    if (!this.gaveUp) this.exchanges.push({ said: [...this.said, question.say], answer })
    this.said = []
    return answer
  }
  dismiss(): void {
    this.player.dismiss()
  }
  end(): Promise<void> {
    return this.player.end()
  }
  giveUp(): void {
    this.gaveUp = true
    this.player.dismiss()
  }
}

/** A random opponent in this process. */
class Sparring implements Player {
  private readonly chance

  constructor(
    private readonly kit: GameKit,
    seed: number,
  ) {
    this.chance = chanceOf(seed)
  }
  async ask({ view }: Question): Promise<Answer> {
    const legal = this.kit.game.legal(view)
    return { heard: { out: legal[this.chance.below(legal.length)] ?? '' }, wallUs: 0 }
  }
  async ready(): Promise<Answer> {
    return { heard: {}, wallUs: 0 }
  }
  async begin(): Promise<void> {
    // It has no life of its own.
  }
  async end(): Promise<void> {
    // Nothing was started.
  }
  tell(): void {
    // It plays at random.
  }
  dismiss(): void {
    // It is never late.
  }
}
