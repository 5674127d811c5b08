import type { Outcome } from '../../core/index.js'
import type { StoredGame } from '../data.js'
import { gameMaker } from '../game.js'
import type { RunEntry } from '../run-rows.js'
import { rulingSum } from '../seals.js'
import type { Parts } from '../segment.js'
import { total } from '../sums.js'
import type { Database } from './database.js'
import { refuseDamage } from './digests.js'
import { rulingRows } from './match-rows.js'
import { headsOf, readSegment } from './segments.js'

/** Goes through a run's matches in the order in which they came to it. Throws UserError where they are not as they were written. */
export function eachGame(db: Database, run: RunEntry, take: (game: StoredGame) => void): void {
  const gameOf = gamesIn(db, run)
  for (const head of headsOf(db, run.number)) readSegment(db, run.number, head, (parts) => take(gameOf(parts)))
}

/** The same from the newest back, for as long as it is gone on with. */
export function* newestGames(db: Database, run: RunEntry): Generator<StoredGame> {
  const gameOf = gamesIn(db, run)
  for (const head of [...headsOf(db, run.number)].reverse()) {
    const segment: StoredGame[] = []
    readSegment(db, run.number, head, (parts) => segment.push(gameOf(parts)))
    yield* segment.reverse()
  }
}

/** Makes games of a run's entries: outcomes and seatings that were seen before are the same objects again. */
export function gamesIn(db: Database, { number }: RunEntry): (parts: Parts) => StoredGame {
  const rows = rulingRows(db, number)
  refuseDamage(db, number, 'ruling', total(rows.map(rulingSum)))
  return gameMaker(rows, (text) => db.parse<Outcome>(text))
}
