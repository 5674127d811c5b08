import type { Pairing, Result, Round, Standing, Standings, Tournament, TournamentSpec } from '../core/index.js'
import type { Format } from './format.js'
import { allAmong, circle, type Pair, FormatError } from './pairs.js'
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
  /** Who is on the hill, in the order in which they came; a challenger is the last. */
  readonly hill: readonly number[]
  /** The entrants that were pushed off, the latest first. */
  readonly off: readonly number[]
  /** All matches so far, those of the open round included. */
  readonly pairings: readonly Pairing[]
  readonly round: Round | undefined
  /** The entrants that are still to challenge. */
  readonly waiting: readonly number[]
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
  if (!Number.isInteger(places) || places < 1) throw new FormatError(`places: ${places} is not a whole number from 1`)

  const course = (results: ReadonlyMap<string, Result>): Course => {
    const waiting = entrants.slice(places)
    const off: number[] = []
    const pairings: Pairing[] = []
    let standing = entrants.slice(0, places)
    let pairs = circle(standing)
    for (let number = 1; ; number++) {
      const series = pairs.map((pair) => pairSeries(spec, pair, String(number), 0))
      const here = series.flatMap((one) => one.pairings)
      pairings.push(...here)
      const at = { hill: standing, off, pairings, waiting }
      if (here.some(({ key }) => !results.has(key))) return { ...at, round: { label: `round ${number}`, series } }
      if (standing.length > places) {
        const last = byPoints(spec, at, results)[places]?.item.entrant
        standing = standing.filter((entrant) => entrant !== last)
        if (last !== undefined) off.unshift(last)
      }
      const challenger = waiting.shift()
      if (challenger === undefined) return { ...at, hill: standing, round: undefined }
      pairs = standing.map((entrant): Pair => [Math.min(entrant, challenger), Math.max(entrant, challenger)])
      standing = [...standing, challenger]
    }
  }

  return {
    next: (results) => course(results).round,
    standings: (results) => table(spec, course(results), results),
    total(results) {
      const { pairings, waiting } = course(results)
      return pairings.length + waiting.length * Math.min(places, entrants.length) * spec.format.repetitions
    },
  }
}

/** Those on the hill by their points against each other; seniority decides last, so no two share a rank. */
function byPoints(
  spec: TournamentSpec,
  { hill: standing, pairings }: Pick<Course, 'hill' | 'pairings'>,
  results: ReadonlyMap<string, Result>,
): readonly { readonly rank: number; readonly item: { readonly entrant: number; readonly score: Score } }[] {
  const mutual = pairings.filter(({ seats }) => seats.every((entrant) => standing.includes(entrant)))
  const { scores } = tally(spec.scoring, spec.names.length, mutual, results)
  const lines = standing.map((entrant, age) => ({ entrant, age, score: scores[entrant] as Score }))
  return ranked(lines, (a, b) => compareScores(spec.scoring, a.score, b.score) || a.age - b.age)
}

/** The hill by points, then the entrants that fell off, the latest first. */
function table(spec: TournamentSpec, course: Course, results: ReadonlyMap<string, Result>): Standings {
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
