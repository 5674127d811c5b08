import type { FaultKind } from '../core/index.js'
import {
  type EntrantCounts,
  type FaultRow,
  type PairCounts,
  countsSum,
  entrantRowsOf,
  faultRowsOf,
  pairRowsOf,
  pairsSum,
} from './counted.js'
import { type Database, damaged } from './database.js'
import { refuseDamage } from './digests.js'
import type { RunEntry } from './entries.js'
import { readMatches } from './results.js'
import type { BotPage, PairRow, RunPlan, StandingRow } from './data.js'

/** Every entrant by points, the most first. Throws UserError where the counts are not as they were written. */
export function readLeaderboard(db: Database, run: RunEntry): StandingRow[] {
  const counts = entrantRowsOf(db, run.number)
  const faultRows = faultRowsOf(db, run.number)
  const matches = db.get<{ matches: number }>('SELECT matches FROM run WHERE number = ?', run.number)?.matches ?? 0
  refuseDamage(db, run.number, 'counts', countsSum(run.number, matches, counts, faultRows))
  if (counts.length !== run.plan.names.length) throw damaged(db.file)
  return leaderboardOf(run.plan, counts, faultRows)
}

/** Every entrant by points, the most first, by a run's counts. */
export function leaderboardOf(
  { scoring, names }: RunPlan,
  counts: readonly EntrantCounts[],
  faultRows: readonly FaultRow[],
): StandingRow[] {
  const faults = new Map<number, Partial<Record<FaultKind, number>>>()
  for (const { place, kind, n } of faultRows) if (n > 0) faults.set(place, { ...faults.get(place), [kind]: n })
  return counts
    .map(({ place, pairs: _pairs, ...sums }) => ({
      entrant: place,
      name: names[place] ?? '',
      ...sums,
      points: round(sums.wins * scoring.win + sums.draws * scoring.draw + sums.losses * scoring.loss),
      faults: faults.get(place) ?? {},
    }))
    .sort((a, b) => b.points - a.points || a.entrant - b.entrant)
}

/** Without the dust of binary fractions. */
const round = (points: number): number => Math.round(points * 1e6) / 1e6

/** How many of its last matches a bot's page lists. */
export const LAST = 50

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

/** How an entrant fared against each other one, by the rows of its pairs. */
export function pairsOf({ names }: RunPlan, entrant: number, rows: readonly PairCounts[]): PairRow[] {
  return rows
    .filter(({ ahead, level, behind }) => ahead + level + behind > 0)
    .map(({ one, other, ahead, level, behind }) =>
      one === entrant
        ? { opponent: other, ahead, level, behind }
        : { opponent: one, ahead: behind, level, behind: ahead },
    )
    .sort((a, b) => a.opponent - b.opponent)
    .map((row) => ({ ...row, name: names[row.opponent] ?? '' }))
}
