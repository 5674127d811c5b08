import { dirname } from 'node:path'
import { type Command, InvalidArgumentError } from 'commander'
import { type MatchRecord, UserError } from '../core/index.js'
import { RecordError, parseRecord } from '../match/index.js'
import { linesOf, recordsFile } from './lines.js'
import { stepThrough } from './pager.js'
import { recordGame } from './record-game.js'
import { Replay } from './replay-pages.js'
import { outputColumns, print } from './terminal.js'

const HELP = `
Keys: → or space next, ← back, ↑ ten back, ↓ ten on, home, end, q quit. Where the
output is no terminal, every turn is printed.

Examples:
  agon replay agon-results/gunduel-7
  agon replay results/records.jsonl --match 12 --turn 5
  agon replay results --match 1/Ant-Bee/3`

export function replayCommand(command: Command): void {
  command
    .argument('<records>', 'a file of match records, or the archive folder that holds one')
    .option('--match <n>', 'which match: its number in the file, from 1, or its key', '1')
    .option('--turn <n>', 'the turn to begin with (without a terminal: the only one)', turn)
    .option('--game <file>', 'the file of a game that does not come with agon')
    .addHelpText('after', HELP)
    .action(async (path: string, given: { match: string; turn?: number; game?: string }) => {
      const file = recordsFile(path)
      const record = await find(file, given.match)
      const kit = await recordGame(record.game, dirname(file), given.game)
      const replay = new Replay(kit, record, outputColumns())
      if (given.turn !== undefined && given.turn > replay.last)
        throw new UserError(`--turn ${given.turn}: this match has ${replay.last} turns`)
      if (process.stdin.isTTY && process.stdout.isTTY) await stepThrough(replay, given.turn ?? 0)
      else print(given.turn === undefined ? replay.whole() : replay.page(given.turn))
    })
}

function turn(value: string): number {
  const n = Number(value)
  if (value === '' || !Number.isInteger(n) || n < 0)
    throw new InvalidArgumentError('It must be a whole number; 0 is the start.')
  return n
}

/** The record with that number or key. */
async function find(file: string, wanted: string): Promise<MatchRecord> {
  const inJson = JSON.stringify(wanted)
  let number = 0
  for await (const line of linesOf(file)) {
    if (line.trim() === '') continue
    number++
    if (String(number) !== wanted && !line.includes(inJson)) continue
    const record = parsed(line, `${file}: match ${number}`)
    if (String(number) === wanted || record.key === wanted) return record
  }
  if (number === 0) throw new UserError(`${file}: no record in it`)
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
