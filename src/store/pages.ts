import type { FaultKind } from '../core/index.js'
import type { Database } from './database.js'
import type { RunEntry } from './entries.js'
import { readMatches } from './matches.js'
import type { BotPage, PairRow, StandingRow } from './port.js'

interface Sums {
  readonly place: number
  readonly matches: number
  readonly wins: number
  readonly draws: number
  readonly losses: number
}

/** Every entrant by points, the most first. */
export function readLeaderboard(db: Database, run: RunEntry): StandingRow[] {
  const faults = new Map<number, Partial<Record<FaultKind, number>>>()
  for (const { place, kind, n } of db.all<{ place: number; kind: FaultKind; n: number }>(
    'SELECT place, kind, n FROM fault_count WHERE run = ? AND n > 0 ORDER BY place, kind',
    run.number,
  ))
    faults.set(place, { ...faults.get(place), [kind]: n })
  const { scoring, names } = run.plan
  return db
    .all<Sums>('SELECT place, matches, wins, draws, losses FROM run_entrant WHERE run = ?', run.number)
    .map(({ place, ...sums }) => ({
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
  return db
    .all<{ opponent: number; ahead: number; level: number; behind: number }>(
      'SELECT other AS opponent, ahead, level, behind FROM pair WHERE run = ?1 AND one = ?2 UNION ALL SELECT one, behind, level, ahead FROM pair WHERE run = ?1 AND other = ?2 ORDER BY 1',
      run.number,
      entrant,
    )
    .filter(({ ahead, level, behind }) => ahead + level + behind > 0)
    .map((row) => ({ ...row, name: run.plan.names[row.opponent] ?? '' }))
}
