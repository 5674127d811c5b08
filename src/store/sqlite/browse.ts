import { damaged } from '../damage.js'
import type { BrowsedMatch, BrowseFilter, BrowsePage, StoredMatch } from '../data.js'
import { hasFault, lookedAt, passes } from '../filters.js'
import type { HeldMatches } from '../held-matches.js'
import { type RunEntry, listedSum } from '../run-rows.js'
import { type SealedRow, isSealed } from '../seals.js'
import { WHOLE } from '../parts.js'
import { type Parts, FULL, keyOf } from '../segment.js'
import { total } from '../sums.js'
import type { Database } from './database.js'
import { refuseDamage } from './digests.js'
import { matchesIn } from './each-match.js'
import { readFaults, SEALED, seatRows } from './match-rows.js'
import { entriesOf, headAt, headsOf, lastHead, matchesUpTo, withSegment } from './segments.js'

/**
 * A page of a run's matches, from the newest back: those that pass the filter, of as many as one page looks at. Throws UserError where
 * they are not as they were written.
 */
export function browseMatches(db: Database, run: RunEntry, filter: BrowseFilter): BrowsePage {
  const { limit, before = Infinity, fault } = filter
  const matches: BrowsedMatch[] = []
  let left = lookedAt(filter)
  for (const { game, at } of gamesBefore(db, run, before)) {
    if (matches.length === limit || left-- === 0) return { matches, next: at + 1 }
    if (passes(game, filter) && (fault === undefined || hasFault(readFaults(db, game.id), game, filter)))
      matches.push(matchOf(db, game))
  }
  return { matches }
}

/** How many matches a run has: their places, in the order in which they came to it, are below that. */
export const countMatches = (db: Database, { number }: RunEntry): number => matchesUpTo(lastHead(db, number))

/** A run's matches before a place, from the newest back. */
function* gamesBefore(
  db: Database,
  run: RunEntry,
  before: number,
): Generator<{ readonly game: StoredMatch; readonly at: number }> {
  const gameOf = matchesIn(db, run)
  const end = Math.min(before, countMatches(db, run))
  for (let number = Math.ceil(end / FULL) - 1; number >= 0; number--) {
    const entries = entriesOf(db, run.number, headAt(db, run.number, number))
    for (let at = Math.min(end, number * FULL + entries.length) - 1; at >= number * FULL; at--)
      yield { game: gameOf(entries[at - number * FULL] as Parts), at }
  }
}

function matchOf(db: Database, game: StoredMatch): BrowsedMatch {
  const { id, seats, outcome, turns } = game
  const row = db.get<SealedRow>(`SELECT ${SEALED} FROM match m WHERE m.id = ?`, id)
  if (row === undefined || row.place !== keyOf(game) || !isSealed(row, seatRows(db, id))) throw damaged(db.file)
  return {
    id,
    place: row.place,
    seats,
    outcome,
    at: new Date(row.at).toISOString(),
    turns,
    faults: row.faults === 0 ? [] : readFaults(db, id),
  }
}

/**
 * Where a match belongs: the runs that hold it, the newest first. Empty: there is no such match. Throws UserError where the runs, or what they
 * hold, are not as they were written.
 */
export function runsHolding(db: Database, held: HeldMatches, match: number): readonly string[] {
  const runs = db.all<{ number: number; id: string }>('SELECT number, id FROM run ORDER BY number DESC')
  refuseDamage(db, WHOLE, 'runs', total(runs.map(listedSum)))
  held.keepOnly(runs)
  const holding = runs.filter(({ number }) => {
    const heads = headsOf(db, number)
    for (const head of held.unread(number, heads)) withSegment(db, number, head, (data) => held.add(number, head, data))
    return held.holds(number, heads, match)
  })
  return holding.map(({ id }) => id)
}
