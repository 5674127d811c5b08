import { type Parameters, seatAt } from './terms.js'
import type { LineColumns } from './lines.js'

/** Pairs that met, in either order of seats. */
export interface Pairs {
  /** By line: the number of its pair. */
  readonly of: Int32Array
  /** By pair: its two entrants, the lesser one first. */
  readonly first: Int32Array
  readonly second: Int32Array
  /** How many entrants there are in all these. */
  readonly entrants: number
}

/** What the games of each pair came to, and what strengths expect of them: a column of numbers each. */
export interface PairSums extends Pairs {
  readonly n: Float64Array
  /** What the first of the two scored, what it is expected to, and what it would were the two equal. */
  readonly scored: Float64Array
  readonly expected: Float64Array
  readonly even: Float64Array
  /** Of the score. */
  readonly variance: Float64Array
  /** The fourth cumulant of the score. */
  readonly fourth: Float64Array
}

/** By line: the probability that the first of it wins a game, and that it is drawn. */
export interface Laws {
  readonly win: Float64Array
  readonly draw: Float64Array
}

/** The laws of lines at these parameters. */
export function lawsOf(lines: LineColumns, parameters: Parameters, at: Float64Array): Laws {
  const ready = readinessAt(parameters, at)
  const count = lines.i.length
  const [win, draw] = [new Float64Array(count), new Float64Array(count)]
  for (let k = 0; k < count; k++) {
    const lead = leadAt(lines, k, at, seatAt(parameters))
    const [w, l] = [Math.exp(lead / 2), Math.exp(-lead / 2)]
    const sum = w + ready + l
    win[k] = w / sum
    draw[k] = ready / sum
  }
  return { win, draw }
}

/** Davidson's ν: 0 where there are no draws. */
const readinessAt = ({ drawn, field }: Parameters, at: Float64Array): number =>
  drawn ? Math.exp(at[field] as number) : 0

const leadAt = ({ i, j, seated }: LineColumns, k: number, at: Float64Array, seat: number): number =>
  (at[i[k] as number] as number) -
  (at[j[k] as number] as number) +
  (seated[k] === 1 && seat >= 0 ? (at[seat] as number) : 0)

/** Who met, numbered in the order of the lines. */
export function pairsIn({ i, j }: LineColumns, field: number): Pairs {
  const numbers = new Map<number, number>()
  const of = new Int32Array(i.length)
  const [first, second] = [new Int32Array(i.length), new Int32Array(i.length)]
  const met = new Uint8Array(field)
  for (let k = 0; k < i.length; k++) {
    const [a, b] = [i[k] as number, j[k] as number]
    const [lesser, greater] = a < b ? [a, b] : [b, a]
    const key = lesser * field + greater
    let number = numbers.get(key)
    if (number === undefined) {
      number = numbers.size
      numbers.set(key, number)
      first[number] = lesser
      second[number] = greater
      met[a] = met[b] = 1
    }
    of[k] = number
  }
  const entrants = met.reduce((sum, one) => sum + one, 0)
  return { of, first: first.slice(0, numbers.size), second: second.slice(0, numbers.size), entrants }
}

/** Adds lines up by who met. */
export function sumsOf(lines: LineColumns, pairs: Pairs, parameters: Parameters, at: Float64Array): PairSums {
  const seat = seatAt(parameters)
  const ready = readinessAt(parameters, at)
  const column = (): Float64Array => new Float64Array(pairs.first.length)
  const [n, scored, expected, even, variance, fourth] = [column(), column(), column(), column(), column(), column()]
  // What the first of two equals scores: ½, but for what the seat is worth.
  const first = momentsAt(seat >= 0 ? (at[seat] as number) : 0, ready).mean
  for (let k = 0; k < lines.i.length; k++) {
    const p = pairs.of[k] as number
    const turned = (lines.i[k] as number) > (lines.j[k] as number)
    const games = (lines.won[k] as number) + (lines.drawn[k] as number) + (lines.lost[k] as number)
    const moments = momentsAt(leadAt(lines, k, at, seat), ready)
    const equal = lines.seated[k] === 1 ? first : 0.5
    const score = (lines.won[k] as number) + (lines.drawn[k] as number) / 2
    n[p] = (n[p] as number) + games
    scored[p] = (scored[p] as number) + (turned ? games - score : score)
    expected[p] = (expected[p] as number) + games * (turned ? 1 - moments.mean : moments.mean)
    even[p] = (even[p] as number) + games * (turned ? 1 - equal : equal)
    variance[p] = (variance[p] as number) + games * moments.variance
    fourth[p] = (fourth[p] as number) + games * moments.fourth
  }
  return { ...pairs, n, scored, expected, even, variance, fourth }
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
export const offBy = ({ scored, expected, variance }: PairSums, pair: number, effect: number): number =>
  ((scored[pair] as number) - (expected[pair] as number)) / Math.sqrt((variance[pair] as number) * effect + LEAST)

/** How far the pairs of a field are from what is expected of them. */
export interface Surprise {
  /** Σ over pairs of (scored − expected)² / (variance + ½). */
  readonly chiSquare: number
  /** What its mean and variance would be, had the expectations not been fitted to the same scores as well as they are. */
  readonly mean: number
  readonly variance: number
}

export function surpriseOf(sums: PairSums, effect: (a: number, b: number) => number): Surprise {
  let chiSquare = 0
  let mean = 0
  let spread = 0
  const count = sums.n.length
  for (let p = 0; p < count; p++) {
    const own = effect(sums.first[p] as number, sums.second[p] as number)
    const among = (sums.variance[p] as number) * own
    const off = offBy(sums, p, own)
    const whole = among + LEAST
    chiSquare += off * off
    mean += among / whole
    spread += (2 * among * among + Math.max(0, sums.fourth[p] as number)) / (whole * whole)
  }
  // A fit takes as much of the variance as of the mean.
  const left = (count - sums.entrants + 1) / count
  return { chiSquare, mean: mean * left, variance: spread * left }
}
