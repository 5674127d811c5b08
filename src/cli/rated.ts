import type { MatchRecord, Result, Standings } from '../core/index.js'
import { courseOf } from '../match/index.js'
import { type Game, gamesOf } from '../rating/index.js'
import type { RunSummary, Store } from '../store/index.js'
import { type Stand, standOf } from './stored.js'

/** What of a match its result does not tell: its course, and which luck it had. */
export interface Circumstance {
  readonly course: string
  readonly luck: string
}

export const circumstanceOf = (record: MatchRecord): Circumstance => ({
  course: courseOf(record),
  luck: record.luck.seed,
})

/** Results as games: in the order of their keys, so that ratings are the same whichever match ended first. */
export function gamesPlayed(
  results: Iterable<Result>,
  known: ReadonlyMap<string, Circumstance>,
  index: (entrant: number) => number = (entrant) => entrant,
): readonly Game[] {
  const sorted = [...results].sort((a, b) => (a.key < b.key ? -1 : 1))
  return gamesOf(
    sorted.map((result) => ({ ...result, seats: result.seats.map(index) })),
    { course: ({ key }) => known.get(key)?.course, deal: ({ key }) => known.get(key)?.luck },
  )
}

/** The field of a run with its games, entrants whose matches do not count left out. */
export interface RatedRun {
  readonly stand: Stand
  readonly names: readonly string[]
  readonly games: readonly Game[]
  /** By entrant of the field: its rank in the contest's table, and its points there. */
  readonly rank: readonly number[]
  readonly points: readonly number[]
}

/** Reads a run's results, and its records once for the courses that the matches took. */
export async function ratedRun(store: Store, run: RunSummary): Promise<RatedRun> {
  const stand = await standOf(store, run)
  const known = new Map<string, Circumstance>()
  for await (const { matches } of store.units(run.id))
    for (const { record } of matches) known.set(record.key ?? '', circumstanceOf(record))
  const rows = inContestOrder(stand.standings)
  const index = new Map(rows.map(({ entrant }, i) => [entrant, i]))
  const counting = [...stand.results.values()].filter(({ seats }) => seats.every((entrant) => index.has(entrant)))
  return {
    stand,
    names: rows.map(({ name }) => name),
    games: gamesPlayed(counting, known, (entrant) => index.get(entrant) ?? 0),
    rank: rows.map(({ rank }) => rank),
    points: rows.map(({ points }) => points),
  }
}

const inContestOrder = ({ rows }: Standings) => [...rows].sort((a, b) => a.entrant - b.entrant)
