import { leadOf, type Parameters, seatAt } from './davidson.js'
import type { Line } from './lines.js'

/** What the games of a pair came to, and what strengths expect of them. */
export interface Meeting {
  readonly pair: readonly [number, number]
  n: number
  /** What the first of the two scored, what it is expected to, and what it would were the two equal. */
  scored: number
  expected: number
  even: number
  /** Of the score. */
  variance: number
  /** The fourth cumulant of the score. */
  fourth: number
}

/** Each outcome of a game, for the first of a line: what it scores, and its probability. */
export type Law = readonly (readonly [score: number, probability: number])[]

/** The law of a line's games at these parameters. */
export function lawOf(line: Line, parameters: Parameters, at: Float64Array): Law {
  return lawAt(leadOf(line, at, seatAt(parameters)), readinessAt(parameters, at))
}

/** Davidson's ν: 0 where there are no draws. */
const readinessAt = ({ drawn, field }: Parameters, at: Float64Array): number =>
  drawn ? Math.exp(at[field] as number) : 0

function lawAt(lead: number, ready: number): Law {
  const [w, l] = [Math.exp(lead / 2), Math.exp(-lead / 2)]
  const sum = w + ready + l
  return [
    [1, w / sum],
    [0.5, ready / sum],
    [0, l / sum],
  ]
}

/** Lines by who met, in either order of seats. */
export function meetingsIn(lines: readonly Line[], parameters: Parameters, at: Float64Array): readonly Meeting[] {
  const seat = seatAt(parameters)
  const ready = readinessAt(parameters, at)
  // What the first of two equals scores: ½, but for what the seat is worth.
  const even = momentsAt(seat >= 0 ? (at[seat] as number) : 0, ready).mean
  const pairs = new Map<number, Meeting>()
  for (const line of lines) {
    const turned = line.i > line.j
    const [a, b] = turned ? [line.j, line.i] : [line.i, line.j]
    const key = a * parameters.field + b
    let known = pairs.get(key)
    if (known === undefined)
      pairs.set(key, (known = { pair: [a, b], n: 0, scored: 0, expected: 0, even: 0, variance: 0, fourth: 0 }))
    const n = line.won + line.drawn + line.lost
    const { mean, variance, fourth } = momentsAt(leadOf(line, at, seat), ready)
    const equal = line.seated ? even : 0.5
    const scored = line.won + line.drawn / 2
    known.n += n
    known.scored += turned ? n - scored : scored
    known.expected += n * (turned ? 1 - mean : mean)
    known.even += n * (turned ? 1 - equal : equal)
    known.variance += n * variance
    known.fourth += n * fourth
  }
  return [...pairs.values()]
}

/** Of the score of a game: the mean, the variance and the fourth cumulant. By numbers alone: it is asked a million times for a large field. */
function momentsAt(
  lead: number,
  ready: number,
): { readonly mean: number; readonly variance: number; readonly fourth: number } {
  const [w, l] = [Math.exp(lead / 2), Math.exp(-lead / 2)]
  const sum = w + ready + l
  const mean = (w + ready / 2) / sum
  const [won, drawn, lost] = [(1 - mean) ** 2, (0.5 - mean) ** 2, mean ** 2]
  const variance = (w * won + ready * drawn + l * lost) / sum
  const fourth = (w * won * won + ready * drawn * drawn + l * lost * lost) / sum
  return { mean, variance, fourth: fourth - 3 * variance * variance }
}

/** Added to each variance, in games²: of a pair that all but never surprises, one surprise is no evidence. */
const LEAST = 0.5

/** By how many standard deviations a pair scored more than it was expected to. `effect`: of blocks of equal luck on its variance. */
export const offBy = ({ scored, expected, variance }: Meeting, effect: number): number =>
  (scored - expected) / Math.sqrt(variance * effect + LEAST)

/** How far the pairs of a field are from what is expected of them. */
export interface Surprise {
  /** Σ over pairs of (scored − expected)² / (variance + ½). */
  readonly chiSquare: number
  /** What its mean and variance would be, had the expectations not been fitted to the same scores as well as they are. */
  readonly mean: number
  readonly variance: number
}

export function surpriseOf(meetings: readonly Meeting[], effect: (a: number, b: number) => number): Surprise {
  let chiSquare = 0
  let mean = 0
  let spread = 0
  const entrants = new Set<number>()
  for (const meeting of meetings) {
    const [a, b] = meeting.pair
    const own = effect(a, b)
    const among = meeting.variance * own
    chiSquare += offBy(meeting, own) ** 2
    mean += among / (among + LEAST)
    spread += (2 * among ** 2 + Math.max(0, meeting.fourth)) / (among + LEAST) ** 2
    entrants.add(a).add(b)
  }
  // A fit takes as much of the variance as of the mean.
  const left = (meetings.length - entrants.size + 1) / meetings.length
  return { chiSquare, mean: mean * left, variance: spread * left }
}
