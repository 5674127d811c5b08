import { existsSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { type MatchRecord, UserError, message, option, messageOf } from '../../core/index.js'
import { linesOf, recordsFile } from '../../results/record-lines.js'
import { folderContest, recordGame } from '../../contest/index.js'
import { type JudgedStep, RecordError, parseRecord, walk } from '../../match/index.js'
import type { Context } from '../context.js'
import { playedWith } from '../../results/folder-files.js'
import { type PlayedRunRef, gameOf, withRun } from '../stored.js'

export { leftOf } from '../../match/index.js'

export type Replay = Awaited<ReturnType<typeof replayMatch>>

/** `match`: its number from 1, in the order of the file or of arrival, or its key. */
type ReplayRequest = PlayedRunRef & { readonly match: string }

/** Finds a match of a contest that was run, a file of records or a results folder, and judges it again. Throws UserError if it cannot. */
export async function replayMatch(request: ReplayRequest, context: Context) {
  const { definition, record } = await (isArchive(request.contest) ? fromFile(request) : fromStore(request, context))
  try {
    // The position before the first turn.
    const start: unknown = definition.game.setup(record.seats.length, record.options, record.luck)
    const steps: JudgedStep[] = []
    const turns = walk(definition, record)
    let next = turns.next()
    for (; !next.done; next = turns.next()) steps.push(next.value)
    return { definition, record, start, steps, outcome: next.value }
  } catch (error) {
    throw new UserError(`this record cannot be replayed: ${messageOf(error)}`)
  }
}

const isArchive = (path: string): boolean =>
  !path.endsWith('.toml') && !isLeague(path) && (existsSync(path) || /[\\/.]/.test(path))

/** The folder of a league may also be that of its results. */
const isLeague = (path: string): boolean =>
  folderContest(path) !== undefined && !existsSync(join(path, 'records.jsonl'))

async function fromFile({ contest, match, gameFile }: ReplayRequest) {
  const file = recordsFile(contest)
  const record = await find(file, match)
  return { record, definition: await recordGame(record.game, gameFile, playedWith(dirname(file))) }
}

function fromStore({ contest, run: id, match, gameFile }: ReplayRequest, context: Context) {
  return withRun(contest, id, context, async (store, run) => {
    const matches = await store.matches(run.id)
    const row = matches.find(({ key }, i) => key === match || String(matches.length - i) === match)
    if (row === undefined)
      throw new UserError(
        message`run ${run.id} has ${matches.length} matches, and none is "${match}"; give ${option('match')} a number from 1, or a match's key`,
      )
    return { record: await store.recordOf(row.id), definition: await gameOf(run, gameFile) }
  })
}

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
    message`${file} has ${number} matches, and none is "${wanted}"; give ${option('match')} a number from 1 to ${number}, or a match's key`,
  )
}

function parsed(line: string, where: string): MatchRecord {
  try {
    return parseRecord(line)
  } catch (error) {
    throw error instanceof RecordError ? new UserError(`${where}: ${error.message}`) : error
  }
}
