import type { OneSided } from '../core/index.js'
import type { HostedState, StandingFacts } from '../core/site-facts.js'
import { standingsOfRun } from '../app/stored.js'
import type { SiteContext } from './context.js'
import type { FoundContest } from './found-contest.js'

/** How a contest stands: plain data. */
export interface StandingsFacts {
  readonly contest: string
  readonly state: HostedState
  /** Matches that the table counts. */
  readonly matches: number
  /** Headings of each row's cells. */
  readonly columns: readonly string[]
  readonly rows: readonly (StandingFacts & {
    readonly rank: number
    readonly cells: readonly (number | null)[]
    readonly bound?: OneSided
  })[]
  readonly notes: readonly string[]
}

/** The table of a contest as it stands now. */
export async function standingsOfContest(
  { store }: Pick<SiteContext, 'store'>,
  { facts, run }: FoundContest,
): Promise<StandingsFacts> {
  const about = { contest: facts.id, state: facts.state }
  if (run === undefined) return { ...about, matches: 0, columns: [], rows: [], notes: [] }
  const { standings, matches: counted } = await standingsOfRun(store, run)
  const counts = new Map((await store.leaderboard(run.id)).map((row) => [row.entrant, row]))
  return {
    ...about,
    matches: counted,
    columns: standings.columns,
    rows: standings.rows.map(({ rank, name, entrant, points, cells, bound }) => {
      const { matches = 0, wins = 0, draws = 0, losses = 0, faults = {} } = counts.get(entrant) ?? {}
      const author = run.entrants[entrant]?.facts.author
      return {
        rank,
        name,
        points,
        cells,
        bound,
        matches,
        wins,
        draws,
        losses,
        faults,
        author,
      }
    }),
    notes: standings.notes,
  }
}
