import {
  type EntrantCounts,
  type FaultRow,
  type PairCounts,
  countsSum,
  metPairs,
  pairsSum,
  pairsWhole,
} from '../counted.js'
import { damaged } from '../damage.js'
import type { BotPage, PairRow, StandingRow } from '../data.js'
import type { RunEntry } from '../run-rows.js'
import { LAST, leaderboardOf, pairsOf } from '../tables.js'
import { allPairs, entrantRowsOf, faultRowsOf, pairRowsOf } from './counts.js'
import type { Database } from './database.js'
import { refuseDamage, sizeOf } from './digests.js'
import { readMatches } from './results.js'

/** Every entrant by points, the most first. Throws UserError where the counts are not as they were written. */
export function readLeaderboard(db: Database, run: RunEntry): StandingRow[] {
  const { entrants, faults } = readCounts(db, run)
  return leaderboardOf(run.plan, entrants, faults)
}

/** Every two that met. Throws UserError where the counts are not as they were written. */
export function readAllPairs(db: Database, run: RunEntry): readonly PairCounts[] {
  const pairs = allPairs(db, run.number)
  if (!pairsWhole(run.number, readCounts(db, run).entrants, pairs)) throw damaged(db.file)
  return metPairs(pairs)
}

function readCounts(
  db: Database,
  { number, plan }: RunEntry,
): { readonly entrants: EntrantCounts[]; readonly faults: FaultRow[] } {
  const entrants = entrantRowsOf(db, number)
  const faults = faultRowsOf(db, number)
  refuseDamage(db, number, 'counts', countsSum(number, sizeOf(db, number), entrants, faults))
  if (entrants.length !== plan.names.length) throw damaged(db.file)
  return { entrants, faults }
}

/** What is shown of one entrant at once. Throws where the run has none of that index. */
export function readPage(db: Database, run: RunEntry, entrant: number): BotPage {
  const { entrants, faults } = readCounts(db, run)
  const own = entrants.filter(({ place }) => place === entrant)
  const [standing] = leaderboardOf(run.plan, own, faults)
  if (standing === undefined) throw new Error(`${db.file}: the run has no entrant ${entrant}`)
  return {
    standing,
    pairs: readPairs(db, run, entrant, own[0]?.pairs),
    last: readMatches(db, run, { entrant, last: LAST }),
  }
}

/** `sum`: the checksum of the entrant's pairs, as it was stored. */
function readPairs(db: Database, run: RunEntry, entrant: number, sum: number | undefined): PairRow[] {
  const rows = pairRowsOf(db, run.number, entrant)
  if (sum !== pairsSum(run.number, rows)) throw damaged(db.file)
  return pairsOf(run.plan, entrant, rows)
}
