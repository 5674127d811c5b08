import type { Pairing, Round, Standing, Standings, Tournament, TournamentSpec } from '../core/index.js'
import { courseFrom } from './rounds.js'
import type { Format } from './format.js'
import { allAmong, circle, type Pair, pairingsOf, refuseCount, type Results } from './pairs.js'
import { pairSeries } from './round-robin.js'
import { pointsOf, type Score, tally } from './scoring.js'
import { compareScores, hasNothing, ranked } from './standings.js'

export const HILL: Format = {
  kind: 'hill',
  keys: ['places'],
  unlikeOpponents: true,
  verb: 'has the higher place on the hill',
  partialPoints: true,
  build: hill,
}

const DEFAULT_PLACES = 10

interface Course {
  /** The open round; undefined: all is over. */
  readonly round?: Round
  /** In the order in which they came. */
  readonly hill: readonly number[]
  /** The latest first. */
  readonly off: readonly number[]
  readonly waiting: readonly number[]
  /** All matches so far, those of the open round included. */
  readonly pairings: readonly Pairing[]
}

/**
 * A standing ladder: the contest's first `places` entrants play a round robin, then each of the others, in the
 * contest's order, challenges the hill. It meets all on it, and the one with the fewest points there leaves (level in
 * points and tie-breaks: the last to come). So a newcomer at the contest's end plays its own matches and changes no
 * other.
 */
function hill(spec: TournamentSpec): Tournament {
  const entrants = allAmong(spec)
  const { places = DEFAULT_PLACES, repetitions } = spec.format
  refuseCount('places', places)
  const newcomers = entrants.slice(places)
  const opened = (state: Course, pairs: readonly Pair[]): Course => {
    const number = newcomers.length - state.waiting.length + 1
    const series = pairs.map((pair) => pairSeries(spec, pair, { round: String(number) }))
    const round = { label: `round ${number}`, series }
    return { ...state, round, pairings: [...state.pairings, ...pairingsOf(round)] }
  }
  const first = entrants.slice(0, places)
  const start = { hill: first, off: [], waiting: newcomers, pairings: [] }
  const course = courseFrom(opened(start, circle(first)), (state, _, results) => {
    const last = byPoints(spec, state, results)[places]?.item.entrant
    const left = { ...state, hill: state.hill.filter((entrant) => entrant !== last), round: undefined }
    const then = last === undefined ? left : { ...left, off: [last, ...state.off] }
    const [challenger, ...waiting] = state.waiting
    if (challenger === undefined) return then
    const pairs = then.hill.map((entrant): Pair => [Math.min(entrant, challenger), Math.max(entrant, challenger)])
    return opened({ ...then, hill: [...then.hill, challenger], waiting }, pairs)
  })

  return {
    next: (results) => course(results).round,
    standings: (results) => table(spec, course(results), results),
    total(results) {
      const { pairings, waiting } = course(results)
      return pairings.length + waiting.length * Math.min(places, entrants.length) * repetitions
    },
  }
}

/** Those on the hill by points against each other; seniority decides last, so no two share a rank. */
function byPoints(spec: TournamentSpec, { hill: standing, pairings }: Course, results: Results) {
  const mutual = pairings.filter(({ seats }) => seats.every((entrant) => standing.includes(entrant)))
  const { scores } = tally(spec.scoring, spec.names.length, mutual, results)
  const lines = standing.map((entrant, age) => ({ entrant, age, score: scores[entrant] as Score }))
  return ranked(lines, (a, b) => compareScores(spec.scoring, a.score, b.score) || a.age - b.age)
}

/** The hill by points, then those fallen off, the latest first. */
function table(spec: TournamentSpec, course: Course, results: Results): Standings {
  const { scoring } = spec
  const row = (entrant: number, rank: number, score?: Score): Standing => ({
    rank,
    entrant,
    name: spec.names[entrant] ?? '',
    points: score ? pointsOf(scoring, score) : 0,
    cells: scoring.ties.map((_, i) => score?.ties[i] ?? null),
  })
  const onHill = byPoints(spec, course, results)
  const begun = results.size > 0
  // One that fell off has no points against the hill: as a mean of nothing could beat one below 0, it has that of its
  // matches.
  const all = scoring.by === 'score' ? tally(scoring, spec.names.length, course.pairings, results).scores : []
  // Seniority only orders those who are level: it wins nothing.
  const over = course.round === undefined && onHill.length > 1
  const none = over && onHill.every(({ item }) => hasNothing(scoring, item.score))
  return {
    columns: scoring.ties.map((tie) => tie.name),
    rows: [
      ...onHill.map(({ rank, item }) => row(item.entrant, begun ? rank : 1, item.score)),
      ...course.off.map((entrant, i) => row(entrant, onHill.length + i + 1, all[entrant])),
      ...course.waiting.map((entrant) => row(entrant, begun ? onHill.length + course.off.length + 1 : 1)),
    ],
    notes: none ? ['nobody won: no match on the hill was won, and its order is that of arrival'] : [],
  }
}
