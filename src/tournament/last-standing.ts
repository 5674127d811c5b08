import type { Pairing, Round, Series, Standings, Tournament, TournamentSpec } from '../core/index.js'
import { courseFrom } from './rounds.js'
import type { Format } from './format.js'
import { among, lot, pairingsOf, type Results, seatsOf, shuffled, turnsOf, wantedPairs } from './pairs.js'
import { dealsOf, pairSeries } from './round-robin.js'
import { nothing, pointsOf, type Score, tally, together } from './scoring.js'
import { longestFirst, rowsOf, sharedBy } from './standings.js'

export const LAST_STANDING: Format = {
  kind: 'last-standing',
  keys: [],
  hint: 'rounds; the last of each leaves',
  verb: 'stayed in longer',
  survival: true,
  build: lastStanding,
}

interface PlayedRound {
  readonly played: number
  /** By entrant that has a match in it: its points. */
  readonly points: ReadonlyMap<number, number>
  /** By entrant, up to this round. */
  readonly sofar: readonly Score[]
}

interface Course {
  readonly rounds: readonly PlayedRound[]
  readonly alive: readonly number[]
  /** By entrant, of those that left: the round after which they did. */
  readonly left: ReadonlyMap<number, number>
  /** The open round; undefined: all is over. */
  readonly round?: Round
}

/**
 * Each round, `repetitions` duels of every two in play, then the worst leave (`eliminate`). A round's points do not
 * carry over; ranks go by survival.
 */
function lastStanding(spec: TournamentSpec): Tournament {
  const entrants = among(spec, wantedPairs(spec))
  // A round follows from its number and who is in it: drawn once.
  const drawn = new Map<string, Round>()
  const withRound = (state: Course): Course => {
    const number = state.rounds.length + 1
    const key = `${number}:${state.alive.join()}`
    const round = drawn.get(key) ?? draw(spec, number, state.alive)
    drawn.set(key, round)
    return { ...state, round: round.series.length > 0 ? round : undefined }
  }
  const start = withRound({ rounds: [], alive: entrants, left: new Map() })
  const course = courseFrom(start, ({ rounds, alive, left }, round, results) => {
    const now = look(spec, round, results, rounds.at(-1))
    const then = { rounds: [...rounds, now], alive, left }
    const total = (entrant: number): number => pointsOf(spec.scoring, now.sofar[entrant] as Score)
    const out = eliminate([...now.points].map(([entrant, points]) => ({ entrant, points, total: total(entrant) })))
    // All level: joint winners.
    if (out.length === now.points.size) return then
    return withRound({
      ...then,
      alive: alive.filter((entrant) => !out.includes(entrant)),
      left: new Map([...left, ...out.map((entrant) => [entrant, then.rounds.length] as const)]),
    })
  })

  return {
    next: (results) => course(results).round,
    standings: (results) => table(spec, entrants, course(results), results),
    /** When one leaves at a time, the most it can become; exact where all pairs are wanted. */
    total(results) {
      const { rounds, alive, round } = course(results)
      const now = round ? pairingsOf(round).length : 0
      let sum = rounds.reduce((before, { played }) => before + played, now)
      for (let left = alive.length - 1; round && left > 1; left--)
        sum += Math.min(now, ((left * (left - 1)) / 2) * spec.format.repetitions)
      return sum
    },
  }
}

/** A round's duels: a pair's in one sitting, or, where bots remember the whole tournament, each alone. */
function draw(spec: TournamentSpec, number: number, alive: readonly number[]): Round {
  const deal = (number - 1) * dealsOf(spec)
  const pairs = wantedPairs(spec, alive).map((pair) => pairSeries(spec, pair, { round: String(number), deal }))
  const label = `round ${number}`
  if (!spec.shuffled) return { label, series: pairs }
  // Each is of a deal of its own: two sittings share none.
  const series = inCycles(spec, number, pairs).map((pairing): Series => {
    const own = 2 * pairing.deal + Number((pairing.seats[0] ?? 0) > (pairing.seats[1] ?? 0))
    return { key: pairing.key, pairings: [{ ...pairing, deal: own }] }
  })
  return { label, series }
}

function look({ scoring, names }: TournamentSpec, round: Round, results: Results, before?: PlayedRound): PlayedRound {
  const pairings = pairingsOf(round)
  const { scores, played } = tally(scoring, names.length, pairings, results)
  // Who has no match in this round (some pairs are unwanted) has not failed in it, and has no points.
  const points = new Map(
    pairings
      .flatMap(({ seats }) => seats)
      .map((entrant) => {
        const score = scores[entrant] as Score
        // Where scores count, who has none in a round under way has lost it unplayed.
        const hasFailed = scoring.by === 'score' && score.scored === 0 && played > 0
        return [entrant, hasFailed ? -Infinity : pointsOf(scoring, score)]
      }),
  )
  return { played, points, sofar: scores.map((score, entrant) => together(score, before?.sofar[entrant])) }
}

function table(
  spec: TournamentSpec,
  entrants: readonly number[],
  { rounds, alive, left, round }: Course,
  results: Results,
): Standings {
  const over = round === undefined
  const open = round ? [look(spec, round, results, rounds.at(-1))] : []
  const begun = [...rounds, ...open].filter(({ played }) => played > 0)
  const lines = entrants.map((entrant) => {
    const points = begun.map((one) => one.points.get(entrant) ?? -Infinity)
    const sum = begun.at(-1)?.sofar[entrant] ?? nothing(spec.scoring)
    return {
      entrant,
      cells: points.map((value) => (value === -Infinity ? null : value)),
      scored: sum.scored,
      points: pointsOf(spec.scoring, sum),
      until: left.get(entrant) ?? Infinity,
    }
  })
  const rows = rowsOf(spec, lines, longestFirst(spec.scoring, over))
  const notes = over && alive.length > 1 ? [sharedBy(spec, alive)] : []
  return { columns: begun.map((_, i) => String(i + 1)), rows, notes }
}

/** Who leaves a round: the least points, then the least total, else all of these; if all do, they win jointly. */
export function eliminate(
  round: readonly { readonly entrant: number; readonly points: number; readonly total: number }[],
): readonly number[] {
  const least = Math.min(...round.map(({ points }) => points))
  const last = round.filter(({ points }) => points === least)
  const poorest = Math.min(...last.map(({ total }) => total))
  return last.filter(({ total }) => total === poorest).map(({ entrant }) => entrant)
}

/**
 * All pairs' matches as single ones, for bots that remember: in cycles, where every pair with a match left plays one,
 * in rounds of the circle method. The circle, the order of its rounds and which match a pair plays are drawn by lot
 * each cycle. So no bot can tell who comes next, numbers of matches differ by one or two, and half of the field can
 * play at once.
 */
function inCycles(spec: TournamentSpec, round: number, pairs: readonly Series[]): readonly Pairing[] {
  const { seed } = spec
  const left = new Map<string, Pairing[]>()
  for (const { key, pairings } of pairs)
    left.set(pairKey(pairings[0]?.seats ?? []), [...shuffled(lot(seed, 'cycle', round, key), pairings)])
  const entrants = among(spec, seatsOf(pairingsOf({ series: pairs })))
  const cycles = Math.max(0, ...pairs.map(({ pairings }) => pairings.length))
  return Array.from({ length: cycles }, (_, cycle) => {
    const circle = shuffled(lot(seed, 'circle', round, cycle), entrants)
    const positions = circle.length % 2 === 0 ? [...circle.slice(-1), ...circle.slice(0, -1)] : [undefined, ...circle]
    const rounds = shuffled(lot(seed, 'rounds', round, cycle), [...turnsOf(positions)].reverse())
    return rounds.flat().flatMap((pair) => left.get(pairKey(pair))?.pop() ?? [])
  }).flat()
}

const pairKey = (pair: readonly number[]): string => [...pair].sort((a, b) => a - b).join()
