import type { Pairing, Round, Standing, Standings, Tournament, TournamentSpec } from '../core/index.js'
import { type Results, courseFrom, pairingsOf } from './course.js'
import type { Format } from './format.js'
import { allAmong, circle, type Pair, refuseCount } from './pairs.js'
import { pairSeries } from './round-robin.js'
import { pointsOf, type Score, tally } from './scoring.js'
import { compareScores, hasNothing, ranked } from './standings.js'

export const HILL: Format = {
  kind: 'hill',
  keys: ['places'],
  sizes: 'two',
  deals: 'repeated',
  unlikeOpponents: true,
  openEnded: false,
  verb: 'has the higher place on the hill',
  partialPoints: true,
  build: hill,
}

/** How many stand on a hill that does not say. */
const PLACES = 10

/** Where the hill stands. */
interface Course {
  /** Of the open round, from 1; of none where all is over. */
  readonly number: number
  readonly round: Round | undefined
  /** Who is on the hill, in the order in which they came; a challenger is the last. */
  readonly hill: readonly number[]
  /** The entrants that were pushed off, the latest first. */
  readonly off: readonly number[]
  /** The entrants that are still to challenge. */
  readonly waiting: readonly number[]
  /** All matches so far, and those among the ones on the hill, those of the open round included. */
  readonly pairings: readonly Pairing[]
  readonly mutual: readonly Pairing[]
}

/**
 * A standing ladder: the first `places` entrants of the contest play a round robin, and from then on each of the others, in the
 * contest's order, challenges the hill. It meets everyone on it, and then the one with the fewest points against the others on
 * the hill leaves (level in points and tie-breaks: the one that came last). No two meet in two rounds, so a newcomer at the end of the
 * contest plays its own matches and changes no other.
 */
function hill(spec: TournamentSpec): Tournament {
  const entrants = allAmong(spec)
  const { places = PLACES } = spec.format
  refuseCount('places', places)

  const course = courseFrom(
    () => {
      const first = entrants.slice(0, places)
      const start = { off: [], waiting: entrants.slice(places), pairings: [], mutual: [] }
      return opened(spec, { ...start, number: 1, hill: first }, circle(first))
    },
    (state, results) => {
      const { number, round, hill: on, waiting } = state
      if (round === undefined || pairingsOf(round).some(({ key }) => !results.has(key))) return undefined
      const last = on.length > places ? byPoints(spec, state, results)[places]?.item.entrant : undefined
      const then = last === undefined ? state : without(state, last)
      const [challenger, ...others] = waiting
      if (challenger === undefined) return { ...then, round: undefined }
      const pairs = then.hill.map((entrant): Pair => [Math.min(entrant, challenger), Math.max(entrant, challenger)])
      return opened(spec, { ...then, number: number + 1, hill: [...then.hill, challenger], waiting: others }, pairs)
    },
  )

  return {
    next: (results) => course(results).round,
    standings: (results) => table(spec, course(results), results),
    total(results) {
      const { pairings, waiting } = course(results)
      return pairings.length + waiting.length * Math.min(places, entrants.length) * spec.format.repetitions
    },
  }
}

/** With a round of these pairs. */
function opened(spec: TournamentSpec, state: Omit<Course, 'round'>, pairs: readonly Pair[]): Course {
  const series = pairs.map((pair) => pairSeries(spec, pair, String(state.number), 0))
  const round = { label: `round ${state.number}`, series }
  const here = pairingsOf(round)
  return { ...state, round, pairings: [...state.pairings, ...here], mutual: [...state.mutual, ...here] }
}

/** Without one that is pushed off. */
const without = (state: Course, entrant: number): Course => ({
  ...state,
  hill: state.hill.filter((one) => one !== entrant),
  off: [entrant, ...state.off],
  mutual: state.mutual.filter(({ seats }) => !seats.includes(entrant)),
})

/** Those on the hill by their points against each other; seniority decides last, so no two share a rank. */
function byPoints(
  spec: TournamentSpec,
  { hill: standing, mutual }: Pick<Course, 'hill' | 'mutual'>,
  results: Results,
): readonly { readonly rank: number; readonly item: { readonly entrant: number; readonly score: Score } }[] {
  const { scores } = tally(spec.scoring, spec.names.length, mutual, results)
  const lines = standing.map((entrant, age) => ({ entrant, age, score: scores[entrant] as Score }))
  return ranked(lines, (a, b) => compareScores(spec.scoring, a.score, b.score) || a.age - b.age)
}

/** The hill by points, then the entrants that fell off, the latest first. */
function table(spec: TournamentSpec, course: Course, results: Results): Standings {
  const row = (entrant: number, rank: number, score?: Score): Standing => ({
    rank,
    entrant,
    name: spec.names[entrant] ?? '',
    points: score ? pointsOf(spec.scoring, score) : 0,
    cells: spec.scoring.ties.map((_, i) => score?.ties[i] ?? null),
  })
  const onHill = byPoints(spec, course, results)
  const rows = onHill.map(({ rank, item }) => row(item.entrant, rank, item.score))
  const begun = results.size > 0
  // One that fell off has no points against the hill. A mean of nothing would be no worse than one below 0, so it has that of its matches.
  const all = spec.scoring.by === 'score' ? tally(spec.scoring, spec.names.length, course.pairings, results).scores : []
  // Here seniority sets those in order who are level: it wins nothing.
  const over = course.round === undefined && onHill.length > 1
  const none = over && onHill.every(({ item }) => hasNothing(spec.scoring, item.score))
  return {
    columns: spec.scoring.ties.map((tie) => tie.name),
    rows: [
      ...rows.map((line) => (begun ? line : { ...line, rank: 1 })),
      ...course.off.map((entrant, i) => row(entrant, rows.length + i + 1, all[entrant])),
      ...course.waiting.map((entrant) => row(entrant, begun ? rows.length + course.off.length + 1 : 1)),
    ],
    notes: none ? ['nobody won: no match on the hill was won, and its order is that of arrival'] : [],
  }
}
