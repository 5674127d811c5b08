import type { FaultKind } from '../core/index.js'
import { entrantRowsOf, countsSum, faultRowsOf, pairRowsOf, pairsSum } from './counted.js'
import { type Database, damaged } from './database.js'
import { refuseDamage } from './digests.js'
import type { RunEntry } from './entries.js'
import { readMatches } from './results.js'
import type { BotPage, PairRow, StandingRow } from './data.js'

/** Every entrant by points, the most first. Throws UserError where the counts are not as they were written. */
export function readLeaderboard(db: Database, run: RunEntry): StandingRow[] {
  const { scoring, names } = run.plan
  const counts = entrantRowsOf(db, run.number)
  const faultRows = faultRowsOf(db, run.number)
  const matches = db.get<{ matches: number }>('SELECT matches FROM run WHERE number = ?', run.number)?.matches ?? 0
  refuseDamage(db, run.number, 'counts', countsSum(run.number, matches, counts, faultRows))
  if (counts.length !== names.length) throw damaged(db.file)
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
const LAST = 50

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
  return rows
    .filter(({ ahead, level, behind }) => ahead + level + behind > 0)
    .map(({ one, other, ahead, level, behind }) =>
      one === entrant
        ? { opponent: other, ahead, level, behind }
        : { opponent: one, ahead: behind, level, behind: ahead },
    )
    .sort((a, b) => a.opponent - b.opponent)
    .map((row) => ({ ...row, name: run.plan.names[row.opponent] ?? '' }))
}
