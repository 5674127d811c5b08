import { emitKeypressEvents, type Key } from 'node:readline'
import { existsSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { type Command, InvalidArgumentError } from 'commander'
import { type GameKit, type MatchRecord, UserError, visible } from '../core/index.js'
import { type JudgedStep, RecordError, parseRecord, walk } from '../match/index.js'
import { recordGame } from './record-game.js'
import { linesOf } from './lines.js'
import { MoveTable, boardText, outcomeText } from './moves.js'
import { print } from './terminal.js'

export function replayCommand(program: Command): void {
  program
    .command('replay')
    .description('show a recorded match move by move: arrow keys step through it')
    .argument('<records>', 'a file of match records, or the archive folder that holds one')
    .option('--match <n>', 'which match: its number in the file, from 1, or its key', '1')
    .option('--turn <n>', 'the turn to begin with', turn, 0)
    .option('--game <file>', 'the file of a game that does not come with agon')
    .addHelpText(
      'after',
      '\nKeys: → or space next, ← back, ↑ ten back, ↓ ten on, home, end, q quit. Where the output is no terminal, every turn is printed.',
    )
    .action(async (path: string, given: { match: string; turn: number; game?: string }) => {
      const file = existsSync(join(path, 'records.jsonl')) ? join(path, 'records.jsonl') : path
      const record = await find(file, given.match)
      const kit = await recordGame(record.game, dirname(file), given.game)
      const replay = new Replay(kit, record)
      if (process.stdin.isTTY && process.stdout.isTTY) await step(replay, given.turn)
      else print(replay.whole())
    })
}

function turn(value: string): number {
  const n = Number(value)
  if (!Number.isInteger(n) || n < 0) throw new InvalidArgumentError('It must be a whole number.')
  return n
}

/** The record with that number or key. */
async function find(file: string, wanted: string): Promise<MatchRecord> {
  let number = 0
  for await (const line of linesOf(file)) {
    if (line.trim() === '') continue
    number++
    if (String(number) !== wanted && !line.includes(JSON.stringify(wanted))) continue
    const record = parsed(line, `${file}:${number}`)
    if (String(number) === wanted || record.key === wanted) return record
  }
  throw new UserError(
    `${file} has ${number} matches, and none is "${wanted}"; give --match a number from 1 to ${number}, or a match's key`,
  )
}

function parsed(line: string, where: string): MatchRecord {
  try {
    return parseRecord(line)
  } catch (error) {
    throw error instanceof RecordError ? new UserError(`${where}: ${error.message}`) : error
  }
}

/** A match as pages: page 0 is the start, page n what stands after turn n. */
class Replay {
  private readonly steps: readonly JudgedStep[]
  private readonly names: readonly string[]
  private readonly table: MoveTable
  private readonly end: string

  constructor(
    private readonly kit: GameKit,
    private readonly record: MatchRecord,
  ) {
    this.names = record.seats.map(({ entrant }) => entrant)
    this.table = new MoveTable(kit, this.names)
    try {
      this.steps = [...walk(kit, record)]
    } catch (error) {
      throw error instanceof RecordError ? new UserError(`this record cannot be replayed: ${error.message}`) : error
    }
    this.end = outcomeText(this.names, record.outcome)
  }

  get last(): number {
    return this.steps.length
  }

  /** The position after `n` turns, with the moves that led there. */
  page(n: number): string {
    const shown = this.steps[n - 1]
    const state = shown?.after ?? this.steps[0]?.before
    const moves = shown ? `${this.table.head()}\n${this.table.step(n - 1, shown.moves)}` : 'before the first turn'
    return `${this.title()}\nturn ${n} of ${this.last}\n\n${boardText(this.kit, state)}\n\n${moves}${n === this.last ? `\n\n${this.end}` : ''}`
  }

  /** Every turn, for an output that is no terminal. */
  whole(): string {
    const rows = this.steps.map((shown, i) => this.table.step(i, shown.moves))
    return [
      this.title(),
      '',
      this.table.head(),
      ...rows,
      '',
      boardText(this.kit, this.steps.at(-1)?.after),
      '',
      this.end,
    ].join('\n')
  }

  private title(): string {
    return `${this.kit.title}: ${this.names.map(visible).join(' against ')}${this.record.key === undefined ? '' : ` (${visible(this.record.key)})`}`
  }
}

/** Steps through the pages by keys until q. */
function step(replay: Replay, first: number): Promise<void> {
  let at = Math.min(first, replay.last)
  const show = () =>
    process.stdout.write(
      `\u001b[H\u001b[2J${replay.page(at).replaceAll('\n', '\r\n')}\r\n\r\n← → step, ↑ ↓ ten, home, end, q quit\r\n`,
    )
  const moves: Record<string, () => number> = {
    right: () => at + 1,
    space: () => at + 1,
    left: () => at - 1,
    down: () => at + 10,
    pagedown: () => at + 10,
    up: () => at - 10,
    pageup: () => at - 10,
    home: () => 0,
    end: () => replay.last,
  }
  return new Promise((done) => {
    emitKeypressEvents(process.stdin)
    process.stdin.setRawMode(true).resume()
    process.stdin.on('keypress', (_text: string | undefined, key: Key) => {
      const name = key.name ?? ''
      if (name === 'q' || name === 'escape' || (key.ctrl && name === 'c')) {
        process.stdin.setRawMode(false).pause()
        return done()
      }
      const to = moves[name]?.()
      if (to === undefined) return
      at = Math.max(0, Math.min(replay.last, to))
      show()
    })
    show()
  })
}
