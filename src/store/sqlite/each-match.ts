import type { Outcome } from '../../core/index.js'
import { damaged } from '../damage.js'
import type { StoredMatch } from '../data.js'
import { storedMatches } from '../stored-match.js'
import type { RunEntry } from '../run-rows.js'
import { rulingSum } from '../seals.js'
import type { Parts } from '../segment.js'
import { plus, total } from '../sums.js'
import type { Database } from './database.js'
import { refuseDamage, sizeOf } from './digests.js'
import { rulingRows } from './match-rows.js'
import { entriesOf, headAt, headsOf, lastHead, matchesUpTo, readSegment } from './segments.js'

/** Goes through a run's matches in the order in which they came to it. Throws UserError where they are not as they were written. */
export function eachMatch(db: Database, run: RunEntry, take: (game: StoredMatch) => void): void {
  const gameOf = matchesIn(db, run)
  for (const head of headsOf(db, run.number)) readSegment(db, run.number, head, (parts) => take(gameOf(parts)))
}

/**
 * The same from the newest back: all matches, or those of an entrant. Only the segments that are asked for are read, and are refused where they are damaged; that none is gone
 * at the end shows in the run's own count of its matches, and the sum over all segments is compared where all of them were read.
 */
export function* newestMatches(db: Database, run: RunEntry, entrant?: number): Generator<StoredMatch> {
  const gameOf = matchesIn(db, run)
  const last = lastHead(db, run.number)
  if (sizeOf(db, run.number) !== matchesUpTo(last)) throw damaged(db.file)
  let sum = 0
  for (let number = last?.number ?? -1; number >= 0; number--) {
    const head = headAt(db, run.number, number)
    sum = plus(sum, head.sum)
    const entries = entriesOf(db, run.number, head)
    for (let at = entries.length - 1; at >= 0; at--) {
      const parts = entries[at] as Parts
      if (entrant === undefined || parts.seats.includes(entrant)) yield gameOf(parts)
    }
  }
  refuseDamage(db, run.number, 'segments', sum)
}

/** Makes games of a run's entries: outcomes and seatings that were seen before are the same objects again. */
export function matchesIn(db: Database, { number }: RunEntry): (parts: Parts) => StoredMatch {
  const rows = rulingRows(db, number)
  refuseDamage(db, number, 'ruling', total(rows.map(rulingSum)))
  return storedMatches(rows, (text) => db.parse<Outcome>(text))
}
