import { type Key, emitKeypressEvents } from 'node:readline'
import { UserError, visible, lookUp } from '../core/index.js'
import { replayMatch, type Replay, leftOf } from '../app/look/replay.js'
import { outcomeText, seatsText } from '../text/index.js'
import { type MoveTable, boardText, moveTable } from '../app/look/move-table.js'
import { GAMED, contextOf, runOf } from './options.js'
import { outputColumns, print } from './terminal.js'
import { numberIf, value, verb } from './verb.js'

const position = numberIf((n) => Number.isInteger(n) && n >= 0, 'a whole number; 0 is the start')

export const replayCommand = verb({
  takes: [['<records>', 'a file of match records, the results folder that holds one, or a contest that was run']],
  options: {
    ...GAMED,
    match: value('<n>', 'which match: its number in the file, from 1, or its key', String, '1'),
    turn: value('<n>', 'the turn to begin with (without a terminal: the only one)', position),
  },
  help: `
Keys: → or space next, ← back, ↑ ten back, ↓ ten on, home, end, q quit. If the
output is not a terminal, every turn is printed.

Examples:
  agon replay agon-results/gunduel-7
  agon replay results/records.jsonl --match 12 --turn 5
  agon replay results --match 1/Ant-Bee/3
  agon replay friday.toml --match 1/Ant-Bee/3
  agon replay friday/ --match 3                the third match of a league`,
  async run(given, source: string) {
    const { match, turn } = given
    const pages = new ReplayPages(
      await replayMatch({ ...runOf(source, given), match }, contextOf(given)),
      outputColumns(),
    )
    if (turn !== undefined && turn > pages.last)
      throw new UserError(`--turn ${turn}: this match has ${pages.last} turns`)
    if (process.stdin.isTTY && process.stdout.isTTY) await stepThrough(pages, turn ?? 0)
    else print(turn === undefined ? pages.whole() : pages.page(turn))
  },
})

/** A match as pages: page 0 is the start, page n the position after turn n. */
export class ReplayPages {
  private readonly names: readonly string[]
  private readonly table: MoveTable
  /** By position and seat, the milliseconds that were left, if there is a bank. */
  private readonly left: ReturnType<typeof leftOf>

  constructor(
    private readonly replay: Replay,
    columns: number,
  ) {
    const { definition, record, start } = replay
    this.names = record.seats.map(({ entrant }) => entrant)
    this.left = leftOf(record)
    this.table = moveTable(definition, this.names, start, columns)
  }

  get last(): number {
    return this.replay.steps.length
  }

  page(n: number): string {
    const shown = this.replay.steps[n - 1]
    const state = shown?.after ?? this.replay.start
    const moves = shown
      ? `${this.table.head()}\n${this.table.turn(n - 1, shown.moves, shown.after, this.left?.[n])}`
      : 'before the first turn'
    const end = n === this.last ? `\n\n${this.end()}` : ''
    return `${this.title()}\nturn ${n} of ${this.last}\n\n${boardText(this.replay.definition, state, this.names)}\n\n${moves}${end}`
  }

  whole(): string {
    const rows = this.replay.steps.map((shown, i) => this.table.turn(i, shown.moves, shown.after, this.left?.[i + 1]))
    const board = boardText(this.replay.definition, this.replay.steps.at(-1)?.after ?? this.replay.start, this.names)
    return [this.title(), '', this.table.head(), ...rows, '', board, '', this.end()].join('\n')
  }

  private end(): string {
    return outcomeText(this.names, this.replay.outcome)
  }

  private title(): string {
    const { key } = this.replay.record
    return `${visible(this.replay.definition.title)}: ${seatsText(this.names)}${key === undefined ? '' : ` (${visible(key)})`}`
  }
}

const ALTERNATE = { on: '\u001b[?1049h\u001b[?25l', off: '\u001b[?25h\u001b[?1049l' }
const CLEAR = '\u001b[H\u001b[2J'

/** Shows pages on a screen of their own, moved by keys, until q. The terminal's contents are restored afterwards. */
export function stepThrough(pages: Pick<ReplayPages, 'last' | 'page'>, first: number): Promise<void> {
  const { stdin, stdout } = process
  let at = first
  const show = () => {
    const lines = pages.page(at).split('\n')
    const room = Math.max(1, stdout.rows - 2)
    const shown = lines.length > room ? [...lines.slice(0, room - 1), '…'] : lines
    stdout.write(`${CLEAR}${shown.join('\r\n')}\r\n\r\n← → step   ↑ ↓ ten   home end   q quit`)
  }
  const moves: Readonly<Record<string, (() => number) | undefined>> = {
    right: () => at + 1,
    space: () => at + 1,
    return: () => at + 1,
    left: () => at - 1,
    backspace: () => at - 1,
    down: () => at + 10,
    pagedown: () => at + 10,
    up: () => at - 10,
    pageup: () => at - 10,
    home: () => 0,
    end: () => pages.last,
  }
  const restore = () => void stdout.write(ALTERNATE.off)
  return new Promise((done) => {
    const leave = () => {
      stdin.setRawMode(false).off('keypress', pressed).pause()
      stdout.off('resize', show)
      process.off('exit', restore)
      restore()
      done()
    }
    const pressed = (_text: string | undefined, { name = '', ctrl }: Key) => {
      if (name === 'q' || name === 'escape' || (ctrl && (name === 'c' || name === 'd'))) return leave()
      const to = lookUp(moves, name)?.()
      if (to === undefined) return
      at = Math.max(0, Math.min(pages.last, to))
      show()
    }
    process.on('exit', restore)
    emitKeypressEvents(stdin)
    stdin.setRawMode(true).on('keypress', pressed).once('end', leave).resume()
    stdout.on('resize', show).write(ALTERNATE.on)
    show()
  })
}
