import { type AllCounts, type EntrantCounts, type FaultRow, type PairCounts, countsSum } from '../counted.js'
import type { Counts } from '../counts.js'
import { damaged, removed } from '../damage.js'
import { PRIME, plus } from '../sums.js'
import type { Database } from './database.js'
import { addDigests, isWhole } from './digests.js'
import type { Segments } from './segments.js'

export const entrantRowsOf = (db: Database, run: number): EntrantCounts[] =>
  db.all<EntrantCounts>(
    'SELECT place, matches, wins, draws, losses, pairs FROM run_entrant WHERE run = ? ORDER BY place',
    run,
  )

export const faultRowsOf = (db: Database, run: number): FaultRow[] =>
  db.all<FaultRow>('SELECT place, kind, n FROM fault_count WHERE run = ? ORDER BY place, kind', run)

export const pairRowsOf = (db: Database, run: number, entrant: number): PairCounts[] =>
  db.all<PairCounts>(
    'SELECT one, other, ahead, level, behind FROM pair WHERE run = ?1 AND one = ?2 UNION ALL SELECT one, other, ahead, level, behind FROM pair WHERE run = ?1 AND other = ?2 AND one <> ?2',
    run,
    entrant,
  )

/** All pairs of a run. */
export const allPairs = (db: Database, run: number): PairCounts[] =>
  db.all<PairCounts>('SELECT one, other, ahead, level, behind FROM pair WHERE run = ? ORDER BY one, other', run)

/** Whether a run's counts, pairs aside, are those that were written. */
export const countsWhole = (db: Database, run: number, matches: number): boolean =>
  isWhole(db, run, 'counts', countsSum(run, matches, entrantRowsOf(db, run), faultRowsOf(db, run)))

/** Adds all that was gathered to a run's counts and, of matches that came to it, to its segments, and to the checksums over them. Within a write. */
export function addCounts(db: Database, run: number, counts: Counts, segments?: Segments): void {
  const { matches, entrants, faults, pairs } = counts.touched(run)
  // The row of an entrant says that the run is there, too.
  if (entrants.length === 0) refuseRemoved(db, run)
  for (const row of entrants) {
    const changed = db.run(
      `UPDATE run_entrant SET matches = matches + ?, wins = wins + ?, draws = draws + ?, losses = losses + ?, pairs = (pairs + ?) % ${PRIME} WHERE run = ? AND place = ?`,
      row.matches,
      row.wins,
      row.draws,
      row.losses,
      row.pairs,
      run,
      row.place,
    )
    if (changed.changes > 0) continue
    refuseRemoved(db, run)
    throw damaged(db.file)
  }
  addPairsAndFaults(db, run, { pairs, faults })
  addDigests(db, run, [
    ['size', plus(PRIME, matches)],
    ['counts', countsSum(run, matches, entrants, faults)],
    ['matches', counts.linkedSum],
    ['segments', segments?.append(run, counts.games) ?? 0],
  ])
}

/** Throws UserError where another process has removed the run. */
function refuseRemoved(db: Database, run: number): void {
  if (db.get('SELECT 1 FROM run WHERE number = ?', run) === undefined) throw removed(db.file)
}

/** Adds what was counted of pairs and faults to a run's; where it has none yet, it is what it has then. Within a write. */
export function addPairsAndFaults(
  db: Database,
  run: number,
  { pairs, faults }: Pick<AllCounts, 'pairs' | 'faults'>,
): void {
  for (const { one, other, ahead, level, behind } of pairs)
    db.run(
      'INSERT INTO pair (run, one, other, ahead, level, behind) VALUES (?, ?, ?, ?, ?, ?) ON CONFLICT DO UPDATE SET ahead = ahead + excluded.ahead, level = level + excluded.level, behind = behind + excluded.behind',
      run,
      one,
      other,
      ahead,
      level,
      behind,
    )
  for (const { place, kind, n } of faults)
    db.run(
      'INSERT INTO fault_count (run, place, kind, n) VALUES (?, ?, ?, ?) ON CONFLICT DO UPDATE SET n = n + excluded.n',
      run,
      place,
      kind,
      n,
    )
}
