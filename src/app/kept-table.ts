import { createHash, createHmac } from 'node:crypto'
import { readFileSync, renameSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Standings } from '../core/index.js'
import type { FaultCount } from '../archive/faults.js'
import { makeOwnFolder, readPlain } from '../files/index.js'
import { userSecret } from '../sandbox/index.js'
import type { Exclusion, ExclusionStore, MatchStore, RatingStore, RunSummary } from '../store/index.js'
import { WHOLE } from '../rating/index.js'
import type { Crosstable } from '../tournament/index.js'
import { RATED_AGAIN, keptStrengths, strengthsOfRun } from './ranking/run-ratings.js'
import type { Strengths } from './ranking/strengths.js'
import { countedStandingsOf, standingsOfRun } from './stored.js'

/*
 * Theory of operation.
 *
 * The store counts wins as matches land, and where no more is needed, a table is made of its counts. To count any other costs some ten
 * seconds for a million matches, and most tables are looked at more often than they change. So the table of a large run is kept in the
 * workspace, with what it was counted from: the store's stamp of the run and this very code. Where either is another one, or the file is
 * not whole, it is counted anew. What is kept is never the only copy of anything.
 */

/** How a run stands, rulings and exclusions applied, with the strengths beside its points. */
export interface Table extends Strengths {
  readonly standings: Standings
  readonly crosstable: Crosstable
  readonly faults: FaultCount
  readonly exclusions: readonly Exclusion[]
  /** Nothing is left to play. */
  readonly finished: boolean
}

/** Matches of a run whose table is kept: one of fewer is counted at once, unless its field is large. */
const MANY = 20_000

/** What a table is counted from. */
type TableStore = ExclusionStore & RatingStore & MatchStore

/** The table of a run: as it was kept, where nothing has changed since, or counted now. */
export async function tableOf(store: TableStore, run: RunSummary, workspace: string, many = MANY): Promise<Table> {
  if (isQuick(run, many)) return countTable(store, run)
  const stamp = `${code()} ${await store.stamp(run.id)}`
  const file = join(workspace, 'tables', createHash('sha256').update(run.id).digest('hex').slice(0, 32))
  const known = readKept(file, stamp)
  if (known !== undefined) return known
  const table = await countTable(store, run)
  // A match that landed meanwhile may be in the table or not.
  if (`${code()} ${await store.stamp(run.id)}` === stamp) keep(file, stamp, table)
  return table
}

/** The same without strengths, which a run that is not large would have counted for nothing. */
export async function standingsOf(
  store: TableStore,
  run: RunSummary,
  workspace: string,
): Promise<Pick<Table, 'standings' | 'crosstable' | 'exclusions'>> {
  return isQuick(run, MANY) ? standingsOfRun(store, run) : tableOf(store, run, workspace)
}

/** Strengths of a large field take seconds, however few its matches are. */
const isQuick = ({ matches, plan }: RunSummary, many: number): boolean => matches < many && plan.names.length <= WHOLE

async function countTable(store: TableStore, run: RunSummary): Promise<Table> {
  const counts = run.matches > RATED_AGAIN ? await countedStandingsOf(store, run) : undefined
  if (counts !== undefined) return { ...counts, ...(await keptStrengths(store, run, counts)) }
  const current = await standingsOfRun(store, run)
  const { standings, crosstable, faults, exclusions, finished } = current
  const strengths = await strengthsOfRun(store, run, current)
  return { standings, crosstable, faults, exclusions, finished, ...strengths }
}

/** Identifies this code: the bundler names the parts that a file loads by their contents, so the hash of one file stands for all. */
let known: string | undefined
const code = (): string =>
  (known ??= createHash('sha256')
    .update(readFileSync(fileURLToPath(import.meta.url)))
    .digest('hex'))

/** Bytes of a kept table that are read: more are of no run that this machine could count. */
const MOST_BYTES = 256 * 1024 ** 2

function readKept(file: string, stamp: string): Table | undefined {
  try {
    const [head = '', sum, text = ''] = String(readPlain(file, MOST_BYTES)).split('\n')
    return head === stamp && sum === sealOf(stamp, text) ? (JSON.parse(text, revived) as Table) : undefined
  } catch {
    return undefined
  }
}

/**
 * Written aside, where nothing is yet (a link that lies there is not followed), and put in place at once. A workspace that
 * cannot be written to keeps nothing.
 */
function keep(file: string, stamp: string, table: Table): void {
  const text = JSON.stringify(table, plain)
  try {
    makeOwnFolder(dirname(file))
    const aside = `${file}.${process.pid}`
    writeFileSync(aside, `${stamp}\n${sealOf(stamp, text)}\n${text}`, { mode: 0o600, flag: 'wx' })
    renameSync(aside, file)
  } catch {
    // It is counted anew the next time.
  }
}

/** A workspace may come from a stranger: a table that this user's agon has not counted is not shown. */
const sealOf = (stamp: string, text: string): string =>
  createHmac('sha256', userSecret()).update(`${stamp}\n${text}`).digest('hex')

/** What JSON does not have, under names that nothing in a table has. */
function plain(_key: string, value: unknown): unknown {
  if (value === undefined) return { $undefined: true }
  if (typeof value === 'number' && !Number.isFinite(value)) return { $number: String(value) }
  return value instanceof Map ? { $map: [...value] } : value
}

function revived(_key: string, value: unknown): unknown {
  // What was undefined has left a gap in its list.
  if (Array.isArray(value)) return Array.from(value as unknown[])
  if (typeof value !== 'object' || value === null) return value
  if ('$undefined' in value) return undefined
  if ('$number' in value) return Number(value.$number)
  return '$map' in value ? new Map(value.$map as [unknown, unknown][]) : value
}
