import type { Standings } from '../core/index.js'
import type { Game } from '../rating/index.js'
import type { RunSummary, Store } from '../store/index.js'
import { type Rated, gamesPlayed, ratedOf } from './ratings.js'
import { standOf } from './stored.js'

/** The field of a run with its games, entrants whose matches do not count left out. */
interface RatedRun {
  readonly names: readonly string[]
  readonly games: readonly Game[]
  /** By entrant of the field: its rank in the contest's table, and its points there. */
  readonly rank: readonly number[]
  readonly points: readonly number[]
}

/** Reads a run's results, and its records once for the courses that the matches took. */
export async function ratedRun(store: Store, run: RunSummary): Promise<RatedRun> {
  const { standings, results } = await standOf(store, run)
  const rows = inContestOrder(standings)
  const index = new Map(rows.map(({ entrant }, i) => [entrant, i]))
  const counting: Rated[] = []
  for await (const { matches } of store.units(run.id)) {
    for (const { record } of matches) {
      const result = results.get(record.key ?? '')
      if (result?.seats.every((entrant) => index.has(entrant))) counting.push(ratedOf(result, record))
    }
  }
  return {
    names: rows.map(({ name }) => name),
    games: gamesPlayed(counting, (entrant) => index.get(entrant) ?? 0),
    rank: rows.map(({ rank }) => rank),
    points: rows.map(({ points }) => points),
  }
}

const inContestOrder = ({ rows }: Standings) => [...rows].sort((a, b) => a.entrant - b.entrant)
