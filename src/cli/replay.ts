import { type Key, emitKeypressEvents } from 'node:readline'
import { UserError, visible, lookUp } from '../core/index.js'
import { replayMatch, type Replay, leftOf } from '../app/look/replay.js'
import { outcomeText, seatsText } from '../text/index.js'
import { boardText, moveTable } from '../app/look/move-table.js'
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
    const replay = await replayMatch({ ...runOf(source, given), match }, contextOf(given))
    const pages = pagesOf(replay, outputColumns())
    if (turn !== undefined && turn > pages.last)
      throw new UserError(`--turn ${turn}: this match has ${pages.last} turns`)
    if (process.stdin.isTTY && process.stdout.isTTY) await stepThrough(pages, turn ?? 0)
    else print(turn === undefined ? pages.whole() : pages.page(turn))
  },
})

/** A match as pages: page 0 is the start, page n the position after turn n. */
function pagesOf({ definition, record, start, steps, outcome }: Replay, columns: number) {
  const names = record.seats.map(({ entrant }) => entrant)
  /** By position and seat, milliseconds left, if there is a bank. */
  const left = leftOf(record)
  const table = moveTable(definition, names, start, columns)
  const key = record.key === undefined ? '' : ` (${visible(record.key)})`
  const title = `${visible(definition.title)}: ${seatsText(names)}${key}`
  const end = outcomeText(names, outcome)
  const last = steps.length
  const boardAt = (n: number): string => boardText(definition, steps[n - 1]?.after ?? start, names)
  return {
    last,
    page(n: number): string {
      const shown = steps[n - 1]
      const moves = shown
        ? `${table.head()}\n${table.turn(n - 1, shown.moves, shown.after, left?.[n])}`
        : 'before the first turn'
      return `${title}\nturn ${n} of ${last}\n\n${boardAt(n)}\n\n${moves}${n === last ? `\n\n${end}` : ''}`
    },
    whole(): string {
      const rows = steps.map((shown, i) => table.turn(i, shown.moves, shown.after, left?.[i + 1]))
      return [title, '', table.head(), ...rows, '', boardAt(last), '', end].join('\n')
    },
  }
}

const ALTERNATE = { on: '\u001b[?1049h\u001b[?25l', off: '\u001b[?25h\u001b[?1049l' }
const CLEAR = '\u001b[H\u001b[2J'
/** By key, so many pages on. */
const STEPS: Readonly<Record<string, number>> = {
  right: 1,
  space: 1,
  return: 1,
  left: -1,
  backspace: -1,
  down: 10,
  pagedown: 10,
  up: -10,
  pageup: -10,
  home: -Infinity,
  end: Infinity,
}

/** Shows pages on a screen of their own, moved by keys, until q. Then the terminal is restored. */
function stepThrough(pages: ReturnType<typeof pagesOf>, first: number): Promise<void> {
  const { stdin, stdout } = process
  let at = first
  const show = () => {
    const lines = pages.page(at).split('\n')
    const room = Math.max(1, stdout.rows - 2)
    const shown = lines.length > room ? [...lines.slice(0, room - 1), '…'] : lines
    stdout.write(`${CLEAR}${shown.join('\r\n')}\r\n\r\n← → step   ↑ ↓ ten   home end   q quit`)
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
      const by = lookUp(STEPS, name)
      if (by === undefined) return
      at = Math.max(0, Math.min(pages.last, at + by))
      show()
    }
    process.on('exit', restore)
    emitKeypressEvents(stdin)
    stdin.setRawMode(true).on('keypress', pressed).once('end', leave).resume()
    stdout.on('resize', show).write(ALTERNATE.on)
    show()
  })
}
