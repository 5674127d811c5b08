import { existsSync } from 'node:fs'
import { dirname } from 'node:path'
import { type Command, InvalidArgumentError } from 'commander'
import { type MatchRecord, UserError } from '../core/index.js'
import { RecordError, parseRecord } from '../match/index.js'
import { linesOf, recordsFile } from './lines.js'
import { stepThrough } from './pager.js'
import { playedWith } from '../app/played-with.js'
import { recordGame } from '../contest/index.js'
import { Replay } from './replay-pages.js'
import { gameOf, withRun } from '../app/stored.js'
import { outputColumns, print } from './terminal.js'
import { type GamedFlags, addGameOption, contextOf } from './options.js'

const HELP = `
Keys: → or space next, ← back, ↑ ten back, ↓ ten on, home, end, q quit. Where the
output is no terminal, every turn is printed.

Examples:
  agon replay agon-results/gunduel-7
  agon replay results/records.jsonl --match 12 --turn 5
  agon replay results --match 1/Ant-Bee/3
  agon replay friday.toml --match 1/Ant-Bee/3`

export function replayCommand(command: Command): void {
  addGameOption(command)
    .argument('<records>', 'a file of match records, the archive folder that holds one, or a contest that was run')
    .option('--match <n>', 'which match: its number in the file, from 1, or its key', '1')
    .option('--turn <n>', 'the turn to begin with (without a terminal: the only one)', turn)
    .option('--run <id>', 'of a contest: this run, as agon runs lists it (default: the latest)')
    .option('--workspace <folder>', 'of a contest: where its matches are kept')
    .addHelpText('after', HELP)
    .action(async (path: string, given: Given) => {
      const { record, kit } = await (isArchive(path) ? fromFile(path, given) : fromStore(path, given))
      const replay = new Replay(kit, record, outputColumns())
      if (given.turn !== undefined && given.turn > replay.last)
        throw new UserError(`--turn ${given.turn}: this match has ${replay.last} turns`)
      if (process.stdin.isTTY && process.stdout.isTTY) await stepThrough(replay, given.turn ?? 0)
      else print(given.turn === undefined ? replay.whole() : replay.page(given.turn))
    })
}

interface Given extends GamedFlags {
  readonly match: string
  readonly turn?: number
}

/** A contest is named by its file or its game; anything else names records. */
const isArchive = (path: string): boolean => !path.endsWith('.toml') && (existsSync(path) || /[\\/.]/.test(path))

async function fromFile(path: string, { match, game }: Given) {
  const file = recordsFile(path)
  const record = await find(file, match)
  return { record, kit: await recordGame(record.game, game, playedWith(dirname(file))) }
}

/** The match with that number, in the order in which they were played, or with that key. */
function fromStore(ref: string, given: Given) {
  return withRun(ref, given.run, contextOf(given), async (store, run) => {
    const matches = await store.matches(run.id)
    const row = matches.find(({ place }, i) => place === given.match || String(matches.length - i) === given.match)
    if (row === undefined)
      throw new UserError(
        `run ${run.id} has ${matches.length} matches, and none is "${given.match}"; give --match a number from 1, or a match's key`,
      )
    return { record: await store.recordOf(row.id), kit: await gameOf(run, given.game) }
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
