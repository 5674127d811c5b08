import type { Standings } from '../../core/index.js'
import type { Game } from '../../rating/index.js'
import type { DumpStore, MatchStore, RatingRow, RunStore, RunSummary } from '../../store/index.js'
import { type EloTable, eloTable } from './elo-table.js'
import { type Rated, gamesPlayed, ratedOf } from './results-to-games.js'
import { type Stand, standOf } from '../stored.js'

/** Matches whose records are read again for a table. */
const READ_AGAIN = 20_000

/**
 * The strengths that stand beside a run's points: from its records, or, where these are very many, as they were kept at its last
 * end. Undefined where the games are not of two.
 */
export async function eloOfRun(
  store: RunStore & DumpStore,
  run: RunSummary,
  stand: Stand,
): Promise<EloTable | undefined> {
  if (run.matches > READ_AGAIN)
    return stand.exclusions.length > 0 ? undefined : keptElo(stand, await store.ratings(run.id))
  const counting = await ratedResults(store, run, stand)
  return eloTable(stand.standings, gamesPlayed(counting))
}

function keptElo({ standings: { rows } }: Stand, kept: readonly RatingRow[]): EloTable | undefined {
  const by = new Map(kept.flatMap((row) => (row.kind === 'Bradley–Terry' ? [[row.entrant, row] as const] : [])))
  const own = rows.flatMap(({ entrant, name }) => {
    const row = by.get(entrant)
    return row ? [{ name, rating: row.value, low: row.low, high: row.high, flags: [] }] : []
  })
  return own.length === rows.length ? { rows: own, neighbours: [] } : undefined
}

/** The results that count, with what their records tell. */
async function ratedResults(store: DumpStore, run: RunSummary, { standings, results }: Stand): Promise<Rated[]> {
  const inTable = new Set(standings.rows.map(({ entrant }) => entrant))
  const counting: Rated[] = []
  for await (const { matches } of store.units(run.id)) {
    for (const { record } of matches) {
      const result = results.get(record.key ?? '')
      if (result?.seats.every((entrant) => inTable.has(entrant))) counting.push(ratedOf(result, record))
    }
  }
  return counting
}

/** The field of a run with its games, entrants whose matches do not count left out. */
interface RatedRun {
  readonly names: readonly string[]
  readonly games: readonly Game[]
  /** By entrant of the field: its rank in the contest's table, and its points there. */
  readonly rank: readonly number[]
  readonly points: readonly number[]
}

/** Reads a run's results, and its records once for the courses that the matches took. */
export async function ratedRun(store: RunStore & MatchStore & DumpStore, run: RunSummary): Promise<RatedRun> {
  const stand = await standOf(store, run)
  const rows = inContestOrder(stand.standings)
  const index = new Map(rows.map(({ entrant }, i) => [entrant, i]))
  const counting = await ratedResults(store, run, stand)
  return {
    names: rows.map(({ name }) => name),
    games: gamesPlayed(counting, (entrant) => index.get(entrant) ?? 0),
    rank: rows.map(({ rank }) => rank),
    points: rows.map(({ points }) => points),
  }
}

const inContestOrder = ({ rows }: Standings) => [...rows].sort((a, b) => a.entrant - b.entrant)
