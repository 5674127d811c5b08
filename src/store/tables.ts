import type { FaultKind } from '../core/index.js'
import type { EntrantCounts, FaultRow, PairCounts } from './counted.js'
import type { PairRow, RunPlan, StandingRow } from './data.js'

/** Every entrant by points, the most first, by a run's counts. */
export function leaderboardOf(
  { scoring, names }: RunPlan,
  counts: readonly EntrantCounts[],
  faultRows: readonly FaultRow[],
): StandingRow[] {
  const faults = new Map<number, Partial<Record<FaultKind, number>>>()
  for (const { place, kind, n } of faultRows) if (n > 0) faults.set(place, { ...faults.get(place), [kind]: n })
  return counts
    .map(({ place, matches, wins, draws, losses }) => ({
      entrant: place,
      name: names[place] ?? '',
      matches,
      wins,
      draws,
      losses,
      points: round(wins * scoring.win + draws * scoring.draw + losses * scoring.loss),
      faults: faults.get(place) ?? {},
    }))
    .sort((a, b) => b.points - a.points || a.entrant - b.entrant)
}

/** Without the dust of binary fractions. */
const round = (points: number): number => Math.round(points * 1e6) / 1e6

/** How many of its last matches a bot's page lists. */
export const LAST = 50

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
