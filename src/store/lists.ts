import type { MatchRecord, Outcome } from '../core/index.js'
import { Spread } from '../core/spread.js'
import { damaged } from './damage.js'
import type {
  BrowsedMatch,
  BrowseFilter,
  BrowsePage,
  MatchFilter,
  MatchSummary,
  StoredFault,
  StoredMatch,
} from './data.js'
import { openJobs, openTogether } from './jobs.js'
import {
  type LinkRow,
  type MatchRow,
  LINK,
  RowReader,
  eachJob,
  faultsOf,
  jobSum,
  keyOf,
  recordIn,
  rowsOfJobs,
} from './match-rows.js'
import { rulingsOf, ruledOutcomes } from './notes.js'
import { type RunEntry, readWriters } from './run-rows.js'
import { type StoreSql, first } from './sql.js'

/** Goes through a run's matches in the order in which they came to it, rulings applied. */
export async function eachMatch(
  sql: StoreSql,
  run: RunEntry,
  take: (match: StoredMatch, row: MatchRow) => void,
): Promise<void> {
  const reader = new RowReader(sql.where, run.index, await ruledOutcomes(sql, run))
  const matches = await countMatches(sql, run)
  let read = 0
  await eachJob(sql, run.number, {}, (_, rows) => {
    read += rows.length
    for (const row of rows) take(reader.match(row), row)
  })
  if (read !== matches) throw damaged(sql.where)
}

/** The rulings of matches that a run holds, by the pairing's key. */
export async function readRuled(sql: StoreSql, run: RunEntry): Promise<Map<string, Outcome>> {
  const ruled = new Map<string, Outcome>()
  for (const [match, { outcome }] of await rulingsOf(sql, run)) {
    const row = await first<{ key: string; job: number }>(sql, 'SELECT key, job FROM match WHERE id = $1', [match])
    if (row !== undefined && (await holds(sql, run, row.job))) ruled.set(row.key, outcome)
  }
  return ruled
}

/** Whether a run has a job. If the index says no, every row is looked at: damage may hide one. */
async function holds(sql: StoreSql, { number }: RunEntry, job: number): Promise<boolean> {
  const link = (column: string): Promise<unknown> =>
    first(sql, `SELECT 1 FROM run_job WHERE run = $1 AND ${column} = $2`, [number, job])
  if ((await link('job')) !== undefined) return true
  if ((await link('job + 0')) !== undefined) throw damaged(sql.where)
  return false
}

export async function countMatches(sql: StoreSql, run: RunEntry): Promise<number> {
  return (await readWriters(sql, run.number)).reduce((sum, { matches }) => sum + matches, 0)
}

/** By entrant how long its answers took, in microseconds: from all records of a run. */
export async function readSpreads(sql: StoreSql, run: RunEntry): Promise<Map<number, Spread>> {
  const reader = new RowReader(sql.where, run.index, new Map())
  const spreads = new Map<number, Spread>()
  const jobs: { job: number; matches: number }[] = []
  await eachJob(sql, run.number, {}, ({ job }, rows) => void jobs.push({ job, matches: rows.length }))
  for (const numbers of openTogether(jobs)) {
    const open = await openJobs(sql, { numbers })
    if (open.length !== numbers.length) throw damaged(sql.where)
    for (const { rows, lines } of open)
      for (const [i, row] of rows.entries()) addTimes(spreads, recordIn(sql.where, lines[i] ?? ''), reader.seats(row))
  }
  return spreads
}

/** Adds the times of a match's answers. `seats`: by seat the entrant. */
function addTimes(times: Map<number, Spread>, record: MatchRecord, seats: readonly number[]): void {
  for (const [number, step] of (record.times ?? []).entries()) {
    for (const [i, [wallUs]] of step.entries()) {
      const entrant = seats[record.steps[number]?.[i]?.[0] ?? -1]
      if (entrant === undefined) continue
      const spread = times.get(entrant) ?? new Spread()
      times.set(entrant, spread)
      spread.add(wallUs)
    }
  }
}

/** Which jobs a walk from the newest back looks at. */
interface Walk {
  readonly entrant?: number
  readonly opponent?: number
  /** The entrant's own; without an entrant, anybody's. */
  readonly faulted: boolean
  /** Those before this number in the run. */
  readonly before: number
}

/** A job that counts in a run with its matches' rows, in order. */
interface WalkedJob {
  readonly link: LinkRow
  readonly rows: readonly MatchRow[]
}

/** Jobs that are looked at together: few at first, as a page may be full by then. */
const [FEW, MANY] = [32, 256]

/** A run's jobs from the newest back. Throws UserError for one whose rows are not those that were written. */
async function* jobsBack(sql: StoreSql, run: RunEntry, walk: Walk): AsyncGenerator<WalkedJob> {
  let { before } = walk
  for (let many = FEW; ; many = MANY) {
    const links = await linksBack(sql, run.number, { ...walk, before }, many)
    const rows = await rowsOfJobs(
      sql,
      links.map(({ job }) => job),
    )
    for (const link of links) {
      const own = rows.get(link.job) ?? []
      if (jobSum(own) !== link.sum) throw damaged(sql.where)
      yield { link, rows: own }
    }
    if (links.length < many) return
    before = links.at(-1)?.number ?? 0
  }
}

function linksBack(
  sql: StoreSql,
  run: number,
  { entrant, opponent, faulted, before }: Walk,
  many: number,
): Promise<LinkRow[]> {
  const values = [run, before, many]
  if (entrant === undefined)
    return sql.all<LinkRow>(
      `SELECT ${LINK} FROM run_job r WHERE r.run = $1 AND r.number < $2${faulted ? ' AND r.faulted = 1' : ''}
       ORDER BY r.number DESC LIMIT $3`,
      values,
    )
  const met =
    opponent === undefined
      ? ''
      : ' AND (SELECT count(*) FROM seat o WHERE o.run = s.run AND o.entrant = $5 AND o.number = s.number) = 1'
  return sql.all<LinkRow>(
    `SELECT ${LINK} FROM seat s JOIN run_job r ON r.run = s.run AND r.number = s.number
     WHERE s.run = $1 AND s.entrant = $4 AND s.number < $2${faulted ? ' AND s.faulted = 1' : ''}${met}
     ORDER BY s.number DESC LIMIT $3`,
    [...values, entrant, ...(opponent === undefined ? [] : [opponent])],
  )
}

/** The matches of a list, the newest first. */
export async function readMatches(sql: StoreSql, run: RunEntry, filter: MatchFilter): Promise<MatchSummary[]> {
  const { entrant, lost = false, last = Infinity } = filter
  const reader = new RowReader(sql.where, run.index, await ruledOutcomes(sql, run))
  const matches: MatchSummary[] = []
  if (last <= 0) return matches
  let seen = 0
  for await (const { rows } of jobsBack(sql, run, { entrant, faulted: false, before: Number.MAX_SAFE_INTEGER })) {
    seen += rows.length
    for (const row of [...rows].reverse()) {
      const match = reader.match(row)
      if (entrant !== undefined && !match.seats.includes(entrant)) continue
      if (lost && !match.seats.some((who, seat) => (entrant ?? who) === who && (match.outcome.place[seat] ?? 1) > 1))
        continue
      matches.push(summaryOf(match, row))
      if (matches.length >= last) return matches
    }
  }
  if (entrant === undefined && seen !== (await countMatches(sql, run))) throw damaged(sql.where)
  return matches
}

const summaryOf = ({ id, seats, outcome }: StoredMatch, { key, at }: MatchRow): MatchSummary => ({
  id,
  place: key,
  seats,
  outcome,
  at: new Date(at).toISOString(),
})

/** Matches that one page looks at, at most, so that a filter which few pass answers as soon as one that all do. */
const LOOKED_AT = 5000

/** A place in a run: the job's number in it, and behind that the match's in the job. */
const SLOTS = 2 ** 20

/** A page of a run's matches, from the newest back: those that pass the filter, of as many as one page looks at. */
export async function browseMatches(sql: StoreSql, run: RunEntry, filter: BrowseFilter): Promise<BrowsePage> {
  const { limit, before = Number.MAX_SAFE_INTEGER, fault, entrant, opponent } = filter
  const reader = new RowReader(sql.where, run.index, await ruledOutcomes(sql, run))
  const matches: BrowsedMatch[] = []
  const count = await countMatches(sql, run)
  let left = LOOKED_AT
  const walk = {
    entrant: entrant ?? opponent,
    opponent: entrant === undefined ? undefined : opponent,
    faulted: fault !== undefined && (entrant !== undefined || opponent === undefined),
    before: Math.ceil(before / SLOTS),
  }
  for await (const { link, rows } of jobsBack(sql, run, walk)) {
    for (const row of [...rows].reverse()) {
      const at = link.number * SLOTS + row.number
      if (at >= before) continue
      if (matches.length === limit || left-- === 0) return { matches, next: at + 1, count }
      const match = reader.match(row)
      const faults = faultsOf(sql.where, row)
      if (passes(match, filter) && (fault === undefined || hasFault(faults, match, filter)))
        matches.push({ ...summaryOf(match, row), turns: match.turns, faults })
    }
  }
  return { matches, count }
}

/** Faults aside. With an entrant, the result is its own; without one, that of the match. */
function passes(match: StoredMatch, filter: BrowseFilter): boolean {
  const { seats, outcome, turns } = match
  const { entrant, opponent, result, least = 0, most = Infinity, key } = filter
  if (key !== undefined && !`${keyOf(match)}/`.startsWith(`${key}/`)) return false
  const seat = entrant === undefined ? undefined : seats.indexOf(entrant)
  if (seat === -1 || turns < least || turns > most) return false
  if (opponent !== undefined && !seats.some((one, at) => one === opponent && at !== seat)) return false
  if (result !== undefined) {
    const firsts = outcome.place.filter((place) => place === 1).length
    const own = seat === undefined || outcome.place[seat] === 1 ? (firsts > 1 ? 'draw' : 'win') : 'loss'
    if (own !== result) return false
  }
  return true
}

/** Whether one of a match's faults is such as the filter asks for: the entrant's, or, where none is named, any entrant's. */
function hasFault(faults: readonly StoredFault[], { seats }: StoredMatch, { entrant, fault }: BrowseFilter): boolean {
  const seat = entrant === undefined ? undefined : seats.indexOf(entrant)
  return faults.some((one) => (seat === undefined || one.seat === seat) && (fault === 'any' || one.fault === fault))
}

/** The runs that hold a match, the newest first; empty: there is no such match. */
export async function runsHolding(sql: StoreSql, match: number): Promise<readonly string[]> {
  const runs = await sql.all<{ id: string }>(
    'SELECT x.id FROM match m JOIN run_job r ON r.job = m.job JOIN run x ON x.number = r.run WHERE m.id = $1 ORDER BY x.number DESC',
    [match],
  )
  return runs.map(({ id }) => id)
}
