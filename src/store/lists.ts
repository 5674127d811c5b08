import { type Teams, firstPlaces } from '../core/index.js'
import type { BrowseFilter, BrowsePage, StoredMatch } from './port.js'
import { type Walk, RowReader, walkJobs } from './match-rows.js'
import { rulingsOf } from './notes.js'
import { type RunEntry, readWriters } from './run-rows.js'
import type { StoreSql } from './sql.js'
import { damaged } from './sums.js'

/** Goes through a run's matches in the order of their arrival, rulings applied. */
export async function eachMatch(sql: StoreSql, run: RunEntry, take: (match: StoredMatch) => void): Promise<void> {
  const reader = new RowReader(sql.where, run.index, await rulingsOf(sql, run))
  let left = await countMatches(sql, run)
  for await (const jobs of walkJobs(sql, run.number))
    for (const { rows } of jobs) {
      left -= rows.length
      for (const row of rows) take(reader.match(row))
    }
  if (left !== 0) throw damaged(sql.where)
}

async function countMatches(sql: StoreSql, run: RunEntry): Promise<number> {
  return (await readWriters(sql, run.number)).reduce((sum, { matches }) => sum + matches, 0)
}

/** A run's matches from the newest back, rulings applied; `at`: its place in the run. */
async function* matchesBack(sql: StoreSql, run: RunEntry, walk: Walk) {
  const reader = new RowReader(sql.where, run.index, await rulingsOf(sql, run))
  for await (const jobs of walkJobs(sql, run.number, { ...walk, back: true }))
    for (const { number, rows } of jobs)
      for (const row of [...rows].reverse()) yield { match: reader.match(row), at: number * SLOTS + row.number }
}

export async function readMatches(sql: StoreSql, run: RunEntry, entrant?: number): Promise<StoredMatch[]> {
  const matches: StoredMatch[] = []
  for await (const { match } of matchesBack(sql, run, { entrant }))
    if (entrant === undefined || match.seats.includes(entrant)) matches.push(match)
  if (entrant === undefined && matches.length !== (await countMatches(sql, run))) throw damaged(sql.where)
  return matches
}

/** Matches one page looks at, at most, so that a filter that few pass answers as soon as any. */
const LOOKED_AT = 5000

/** A place in a run: the job's number in it, then the match's in the job. */
const SLOTS = 2 ** 20

/** A page of a run's matches, the newest first: those that pass the filter, of at most LOOKED_AT. */
export async function browseMatches(sql: StoreSql, run: RunEntry, filter: BrowseFilter): Promise<BrowsePage> {
  const { limit, before = Number.MAX_SAFE_INTEGER, fault, entrant, opponent } = filter
  const matches: StoredMatch[] = []
  const count = await countMatches(sql, run)
  let left = LOOKED_AT
  const walk = {
    entrant: entrant ?? opponent,
    opponent: entrant === undefined ? undefined : opponent,
    faulted: fault !== undefined && (entrant !== undefined || opponent === undefined),
    from: Math.ceil(before / SLOTS),
  }
  for await (const { match, at } of matchesBack(sql, run, walk)) {
    if (at >= before) continue
    if (matches.length === limit || left-- === 0) return { matches, next: at + 1, count }
    if (passes(match, filter, run.scoring.teams) && (fault === undefined || hasFault(match, filter)))
      matches.push(match)
  }
  return { matches, count }
}

/** Faults aside. With an entrant, the result is its own; else that of the match. */
function passes(
  { key: own, seats, outcome, turns }: StoredMatch,
  filter: Omit<BrowseFilter, 'limit'>,
  teams: Teams | undefined,
): boolean {
  const { entrant, opponent, result, least = 0, most = Infinity, key } = filter
  if (key !== undefined && !`${own}/`.startsWith(`${key}/`)) return false
  const seat = entrant === undefined ? undefined : seats.indexOf(entrant)
  if (seat === -1 || turns < least || turns > most) return false
  if (opponent !== undefined && !seats.some((one, at) => one === opponent && at !== seat)) return false
  if (result !== undefined) {
    const firsts = firstPlaces(outcome.place, teams?.[seats.length])
    if (result !== (seat === undefined || outcome.place[seat] === 1 ? (firsts > 1 ? 'draw' : 'win') : 'loss'))
      return false
  }
  return true
}

/** Whether a match has a fault that the filter asks for, of the entrant or, if none is named, of any. */
function hasFault({ seats, faults }: StoredMatch, { entrant, fault }: BrowseFilter): boolean {
  const seat = entrant === undefined ? undefined : seats.indexOf(entrant)
  return faults.some((one) => (seat === undefined || one.seat === seat) && (fault === 'any' || one.fault === fault))
}

/** The runs that hold a match, the newest first; empty: no such match. */
export async function runsHolding(sql: StoreSql, match: number): Promise<readonly string[]> {
  const runs = await sql.all<{ id: string }>(
    'SELECT x.id FROM match m JOIN run_job r ON r.job = m.job JOIN run x ON x.number = r.run WHERE m.id = $1 ORDER BY x.number DESC',
    [match],
  )
  return runs.map(({ id }) => id)
}
