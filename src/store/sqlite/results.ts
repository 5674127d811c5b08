import type { Outcome, Result } from '../../core/index.js'
import { damaged } from '../damage.js'
import type { MatchFilter, MatchSummary, StoredMatch } from '../data.js'
import { isMeant } from '../filters.js'
import type { RunEntry } from '../run-rows.js'
import { isSealed, rulingSum } from '../seals.js'
import { keyOf } from '../segment.js'
import { total } from '../sums.js'
import type { Database } from './database.js'
import { refuseDamage } from './digests.js'
import { eachMatch, newestMatches } from './each-match.js'
import { matchesThere, rulingRows, runMatches } from './match-rows.js'

/** How a run's matches ended, rulings applied, by the pairing's key. Throws UserError where they are not as they were written. */
export function readResults(db: Database, run: RunEntry): Map<string, Result> {
  const results = new Map<string, Result>()
  eachMatch(db, run, (game) => {
    const key = keyOf(game)
    results.set(key, { key, seats: game.seats, outcome: game.outcome })
  })
  return results
}

/** The rulings of matches that a run holds, by the pairing's key. Throws UserError where they are not as they were written. */
export function readRuled(db: Database, { number }: RunEntry): Map<string, Outcome> {
  const rows = rulingRows(db, number)
  refuseDamage(db, number, 'ruling', total(rows.map(rulingSum)))
  if (rows.length === 0) return new Map()
  const held = heldMatches(db, number)
  const ids = rows.map(({ match }) => match).filter((match) => held.has(match))
  const places = new Map<number, string>()
  for (const { row, seats } of matchesThere(db, ids)) {
    if (!isSealed(row, seats)) throw damaged(db.file)
    places.set(row.id, row.place)
  }
  const ruled = new Map<string, Outcome>()
  for (const { match, outcome } of rows) {
    const place = places.get(match)
    if (place !== undefined) ruled.set(place, db.parse<Outcome>(outcome))
  }
  return ruled
}

/** The matches that a run holds: a link that is lost would hide what was ruled. Throws UserError where they are not those that were written. */
function heldMatches(db: Database, run: number): ReadonlySet<number> {
  const held = db.all<{ match: number; sum: number }>(
    'SELECT r.match, m.sum FROM run_match r JOIN match m ON m.id = r.match WHERE r.run = ?',
    run,
  )
  refuseDamage(db, run, 'matches', total(held.map(({ sum }) => sum)))
  return new Set(held.map(({ match }) => match))
}

/** Throws UserError where the rows of a run's matches are not those that were written. */
export function refuseDamagedMatches(db: Database, { number }: RunEntry): void {
  const matches = runMatches(db, number)
  for (const { row, seats } of matches) if (!isSealed(row, seats)) throw damaged(db.file)
  refuseDamage(db, number, 'matches', total(matches.map(({ row }) => row.sum)))
}

/** A run's matches, the newest first. Throws UserError where they are not as they were written. */
export function readMatches(db: Database, run: RunEntry, filter: MatchFilter): MatchSummary[] {
  const { last = Infinity } = filter
  const games: StoredMatch[] = []
  if (last <= 0) return []
  for (const game of newestMatches(db, run, filter.entrant)) {
    if (!isMeant(game, filter)) continue
    games.push(game)
    if (games.length >= last) break
  }
  const matches: MatchSummary[] = []
  for (let at = 0; at < games.length; at += AT_ONCE) matches.push(...rowsOf(db, games.slice(at, at + AT_ONCE)))
  return matches
}

/** Matches whose rows are read together: a statement for each would take longer than the rest. */
const AT_ONCE = 256

function rowsOf(db: Database, games: readonly StoredMatch[]): MatchSummary[] {
  const ids = games.map(({ id }) => id)
  const there = new Map(matchesThere(db, ids).map((match) => [match.row.id, match]))
  return games.map((game) => {
    const match = there.get(game.id)
    if (match === undefined || match.row.place !== keyOf(game) || !isSealed(match.row, match.seats))
      throw damaged(db.file)
    const { place, at } = match.row
    return { id: game.id, place, seats: game.seats, outcome: game.outcome, at: new Date(at).toISOString() }
  })
}
