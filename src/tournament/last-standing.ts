import type {
  Pairing,
  Result,
  Round,
  ScoringSpec,
  Series,
  Standings,
  Tournament,
  TournamentSpec,
} from '../core/index.js'
import { type Results, courseFrom } from './course.js'
import type { Format } from './format.js'
import { among, wantedPairs, lot, shuffled, turnsOf } from './pairs.js'
import { dealsOf, pairSeries } from './round-robin.js'
import { nothing, pointsOf, type Score, tally, together } from './scoring.js'
import { longestFirst, rowsOf, sharedBy } from './standings.js'

export const LAST_STANDING: Format = {
  kind: 'last-standing',
  keys: [],
  sizes: 'two',
  deals: 'repeated',
  unlikeOpponents: false,
  openEnded: false,
  hint: 'rounds; the last of each leaves',
  verb: 'stayed in longer',
  survival: true,
  cycles: true,
  build: lastStanding,
}

/** A round's schedule, with its matches in one list and the entrants that have any. */
interface Schedule {
  readonly round: Round
  readonly pairings: readonly Pairing[]
  readonly entrants: readonly number[]
}

/** One round as far as it has been played. */
interface PlayedRound {
  readonly schedule: Schedule
  /** How many of its matches have been played. */
  readonly played: number
  /** By entrant: this round's points. */
  readonly points: ReadonlyMap<number, number>
  /** By entrant: all that it has gathered up to this round. */
  readonly sofar: readonly Score[]
}

/** Where the tournament stands. */
interface Course {
  /** The rounds so far: those that are over, and in a table the open one. */
  readonly rounds: readonly PlayedRound[]
  /** Those still in. */
  readonly alive: readonly number[]
  /** By entrant, of the ones that left: the number of the round after which they did. */
  readonly left: ReadonlyMap<number, number>
  /** Of the open round; undefined: all is over. */
  readonly schedule: Schedule | undefined
}

/**
 * Last player standing: in each round every two of those still in play `repetitions` duels, then the worst leave (`eliminate`);
 * the points of a round do not carry over. Ranks go by survival: who leaves later is better.
 */
function lastStanding(spec: TournamentSpec): Tournament {
  const entrants = among(spec, wantedPairs(spec))
  // The schedule of a round follows from its number and who is in it, so it is made once.
  const made = new Map<string, Schedule>()
  const scheduleOf = (number: number, alive: readonly number[]): Schedule => {
    const key = `${number}:${alive.join()}`
    const schedule = made.get(key) ?? draw(spec, number, alive)
    made.set(key, schedule)
    return schedule
  }

  const withRound = (rounds: readonly PlayedRound[], alive: readonly number[], left: Course['left']): Course => {
    const schedule = alive.length > 1 ? scheduleOf(rounds.length + 1, alive) : undefined
    return { rounds, alive, left, schedule: schedule?.pairings.length === 0 ? undefined : schedule }
  }
  const over = courseFrom(
    () => withRound([], entrants, new Map()),
    ({ rounds, alive, left, schedule }, results): Course | undefined => {
      const now = schedule && look(spec, schedule, results, rounds.at(-1)?.sofar)
      if (now === undefined || now.played < now.schedule.pairings.length) return undefined
      const then = [...rounds, now]
      const total = (entrant: number): number => pointsOf(spec.scoring, now.sofar[entrant] ?? nothing(spec.scoring))
      const out = eliminate([...now.points].map(([entrant, points]) => ({ entrant, points, total: total(entrant) })))
      // All level: joint winners.
      if (out.length === now.points.size) return { rounds: then, alive, left, schedule: undefined }
      const gone = new Map([...left, ...out.map((entrant) => [entrant, then.length] as const)])
      return withRound(
        then,
        alive.filter((entrant) => !gone.has(entrant)),
        gone,
      )
    },
  )
  /** With the open round, as far as it is played. */
  const course = (results: Results): Course => {
    const state = over(results)
    const { schedule, rounds } = state
    return schedule ? { ...state, rounds: [...rounds, look(spec, schedule, results, rounds.at(-1)?.sofar)] } : state
  }

  return {
    next: (results) => over(results).schedule?.round,
    standings: (results) => table(spec, entrants, course(results)),
    total(results) {
      const { rounds, alive, schedule } = over(results)
      const before = rounds.reduce((sum, { schedule: { pairings } }) => sum + pairings.length, 0)
      if (schedule === undefined) return before
      const now = schedule.pairings.length
      return before + now + atMost(now, alive.length, spec.format.repetitions)
    },
  }
}

/** A round's duels: a pair's in one sitting, or, where bots remember the whole tournament, each alone, in an order drawn by lot. */
function draw(spec: TournamentSpec, number: number, alive: readonly number[]): Schedule {
  const deal = (number - 1) * dealsOf(spec)
  const pairs = wantedPairs(spec, alive).map((pair) => pairSeries(spec, pair, String(number), deal))
  const pairings = pairs.flatMap((series) => series.pairings)
  // Each is of a deal of its own: two sittings share none.
  const alone = ({ seats, deal: shared, ...pairing }: Pairing): Series => {
    const own = 2 * shared + Number((seats[0] ?? 0) > (seats[1] ?? 0))
    return { key: pairing.key, pairings: [{ ...pairing, seats, deal: own }] }
  }
  const entrants = among(
    spec,
    pairings.map(({ seats }) => seats),
  )
  const order = () =>
    spec.cycles ? inCycles(spec.seed, number, entrants, pairs) : shuffled(lot(spec.seed, 'order', number), pairings)
  const series = spec.shuffled ? order().map(alone) : pairs
  return { round: { label: `round ${number}`, series }, pairings, entrants }
}

function look(
  { scoring, names }: TournamentSpec,
  schedule: Schedule,
  results: ReadonlyMap<string, Result>,
  before: readonly Score[] = names.map(() => nothing(scoring)),
): PlayedRound {
  const { scores, played } = tally(scoring, names.length, schedule.pairings, results)
  const points = new Map<number, number>()
  // An entrant without a match in this round (some pairs are not wanted) has not failed in it, and has no points.
  for (const entrant of schedule.entrants) {
    const score = scores[entrant]
    if (score) points.set(entrant, hasFailed(scoring, score, played) ? -Infinity : pointsOf(scoring, score))
  }
  return { schedule, played, points, sofar: scores.map((score, entrant) => together(score, before[entrant])) }
}

/** Where scores count, who has none of a round that is being played has lost it unplayed. */
const hasFailed = ({ by }: ScoringSpec, { scored }: Score, played: number): boolean =>
  by === 'score' && scored === 0 && played > 0

/** The most matches that can follow a round of so many, when one leaves at a time; exact where all pairs are wanted. */
function atMost(round: number, alive: number, repetitions: number): number {
  let sum = 0
  for (let left = alive - 1; left > 1; left--) sum += Math.min(round, ((left * (left - 1)) / 2) * repetitions)
  return sum
}

/** Ranks by survival, those still in by their total; points by round beside them. */
function table(
  spec: TournamentSpec,
  entrants: readonly number[],
  { rounds, alive, left, schedule }: Course,
): Standings {
  const over = schedule === undefined
  const begun = rounds.filter(({ played }) => played > 0)
  const finite = (value: number | undefined): number | null =>
    value === undefined || value === -Infinity ? null : value
  const lines = entrants.map((entrant) => {
    const cells = begun.map(({ points }) => finite(points.get(entrant)))
    const sum = begun.at(-1)?.sofar[entrant] ?? nothing(spec.scoring)
    return {
      entrant,
      cells,
      scored: sum.scored,
      points: pointsOf(spec.scoring, sum),
      until: left.get(entrant) ?? Infinity,
    }
  })
  const rows = rowsOf(spec, lines, longestFirst(spec.scoring, over))
  const notes = over && alive.length > 1 ? [sharedBy(spec, alive)] : []
  return { columns: begun.map((_, i) => String(i + 1)), rows, notes }
}

/** One who was in a round: what the round brought, and all rounds so far with it. */
export interface Survivor {
  readonly entrant: number
  readonly points: number
  readonly total: number
}

/**
 * Who leaves after a round of last player standing: those with its minimum of points; of several, those with the least total so
 * far; still tied, all of these. Where that is everyone who was in the round, none is worse than another: they win jointly.
 */
export function eliminate(round: readonly Survivor[]): readonly number[] {
  const least = Math.min(...round.map(({ points }) => points))
  const last = round.filter(({ points }) => points === least)
  const poorest = Math.min(...last.map(({ total }) => total))
  return last.filter(({ total }) => total === poorest).map(({ entrant }) => entrant)
}

/**
 * The matches of all pairs as single ones, for bots that remember each of them: in cycles, in each of which every pair that has a match
 * left plays one. A cycle is a round robin by the circle method: rounds in which everybody plays once, or waits once in an odd field.
 * The order of the circle, the order of its rounds and which of its matches a pair plays are drawn by lot for each cycle. So
 * no bot can tell who comes next, all have played as many matches but for one or two, and half of the field can play at once, where an order
 * without rounds leaves most matches waiting for another. `pairs`: a series for each; an entrant that is in none of them waits.
 */
function inCycles(
  seed: string,
  round: number,
  entrants: readonly number[],
  pairs: readonly Series[],
): readonly Pairing[] {
  const left = new Map<string, Pairing[]>()
  for (const { key, pairings } of pairs)
    left.set(pairKey(pairings[0]?.seats ?? []), [...shuffled(lot(seed, 'cycle', round, key), pairings)])
  const cycles = Math.max(0, ...pairs.map(({ pairings }) => pairings.length))
  return Array.from({ length: cycles }, (_, cycle) => {
    const circle = shuffled(lot(seed, 'circle', round, cycle), entrants)
    const positions = circle.length % 2 === 0 ? [...circle.slice(-1), ...circle.slice(0, -1)] : [undefined, ...circle]
    const rounds = shuffled(lot(seed, 'rounds', round, cycle), [...turnsOf(positions)].reverse())
    return rounds.flat().flatMap((pair) => left.get(pairKey(pair))?.pop() ?? [])
  }).flat()
}

const pairKey = (pair: readonly number[]): string => [...pair].sort((a, b) => a - b).join()
