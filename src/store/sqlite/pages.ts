import { countsSum, pairsSum } from '../counted.js'
import { damaged } from '../damage.js'
import type { BotPage, PairRow, StandingRow } from '../data.js'
import type { RunEntry } from '../run-rows.js'
import { LAST, leaderboardOf, pairsOf } from '../tables.js'
import { entrantRowsOf, faultRowsOf, pairRowsOf } from './counts.js'
import type { Database } from './database.js'
import { refuseDamage } from './digests.js'
import { readMatches } from './results.js'

/** Every entrant by points, the most first. Throws UserError where the counts are not as they were written. */
export function readLeaderboard(db: Database, run: RunEntry): StandingRow[] {
  const counts = entrantRowsOf(db, run.number)
  const faultRows = faultRowsOf(db, run.number)
  const matches = db.get<{ matches: number }>('SELECT matches FROM run WHERE number = ?', run.number)?.matches ?? 0
  refuseDamage(db, run.number, 'counts', countsSum(run.number, matches, counts, faultRows))
  if (counts.length !== run.plan.names.length) throw damaged(db.file)
  return leaderboardOf(run.plan, counts, faultRows)
}

/** What is shown of one entrant at once. Throws where the run has none of that index. */
export function readPage(db: Database, run: RunEntry, entrant: number): BotPage {
  const standing = readLeaderboard(db, run).find((row) => row.entrant === entrant)
  if (standing === undefined) throw new Error(`${db.file}: the run has no entrant ${entrant}`)
  return { standing, pairs: readPairs(db, run, entrant), last: readMatches(db, run, { entrant, last: LAST }) }
}

function readPairs(db: Database, run: RunEntry, entrant: number): PairRow[] {
  const rows = pairRowsOf(db, run.number, entrant)
  const stored = entrantRowsOf(db, run.number).find(({ place }) => place === entrant)?.pairs
  if (stored !== pairsSum(run.number, rows)) throw damaged(db.file)
  return pairsOf(run.plan, entrant, rows)
}
