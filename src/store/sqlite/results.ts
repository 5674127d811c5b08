import type { Outcome, Result } from '../../core/index.js'
import { damaged } from '../damage.js'
import type { MatchFilter, MatchRow, StoredGame } from '../data.js'
import { isMeant } from '../filters.js'
import type { RunEntry } from '../run-rows.js'
import { type Row, isSealed, rulingSum } from '../seals.js'
import { keyOf } from '../segment.js'
import { total } from '../sums.js'
import type { Database } from './database.js'
import { refuseDamage } from './digests.js'
import { eachGame, newestGames } from './games.js'
import { rulingRows, runMatches, SEALED, seatRows } from './match-rows.js'

/** How a run's matches ended, rulings applied, by the pairing's key. Throws UserError where they are not as they were written. */
export function readResults(db: Database, run: RunEntry): Map<string, Result> {
  const results = new Map<string, Result>()
  eachGame(db, run, (game) => {
    const key = keyOf(game)
    results.set(key, { key, seats: game.seats, outcome: game.outcome })
  })
  return results
}

/** The rulings of matches that a run holds, by the pairing's key. Throws UserError where they are not as they were written. */
export function readRuled(db: Database, { number }: RunEntry): Map<string, Outcome> {
  const rows = rulingRows(db, number)
  refuseDamage(db, number, 'ruling', total(rows.map(rulingSum)))
  const ruled = new Map<string, Outcome>()
  for (const { match, outcome } of rows) {
    const place = db.get<{ place: string }>(
      'SELECT m.place FROM run_match r JOIN match m ON m.id = r.match WHERE r.run = ? AND r.match = ?',
      number,
      match,
    )?.place
    if (place !== undefined) ruled.set(place, db.parse<Outcome>(outcome))
  }
  return ruled
}

/** Throws UserError where the rows of a run's matches are not those that were written. */
export function refuseDamagedMatches(db: Database, { number }: RunEntry): void {
  const matches = runMatches(db, number)
  for (const { row, seats } of matches) if (!isSealed(row, seats)) throw damaged(db.file)
  refuseDamage(db, number, 'matches', total(matches.map(({ row }) => row.sum)))
}

/** A run's matches, the newest first. Throws UserError where they are not as they were written. */
export function readMatches(db: Database, run: RunEntry, filter: MatchFilter): MatchRow[] {
  const { last = Infinity } = filter
  const matches: MatchRow[] = []
  if (last <= 0) return matches
  for (const game of newestGames(db, run)) {
    if (!isMeant(game, filter)) continue
    matches.push(rowOf(db, game))
    if (matches.length >= last) break
  }
  return matches
}

function rowOf(db: Database, game: StoredGame): MatchRow {
  const { id, seats, outcome } = game
  const row = db.get<Row>(`SELECT ${SEALED} FROM match m WHERE m.id = ?`, id)
  if (row === undefined || row.place !== keyOf(game) || !isSealed(row, seatRows(db, id))) throw damaged(db.file)
  return { id, place: row.place, seats, outcome, at: new Date(row.at).toISOString() }
}
