import { blockEffects } from './block-effects.js'
import { maximizeLines } from './davidson.js'
import { parametersOf, type Parameters, sizeOf } from './terms.js'
import { type PairSums, offBy, pairsIn, sumsOf, surpriseOf, type Laws, lawsOf } from './fit-meetings.js'
import type { RatedGame } from './game.js'
import { columnsOf, linesOf, type Line, type LineColumns } from './lines.js'
import { normalCdf, normalDraw } from './normal.js'
import { stream, type Stream } from '../core/stream.js'

/** How well one strength for each explains who scored what against whom. */
export interface Fit {
  /** Of the deviance of even games, the share that strengths explain. */
  readonly explained: number
  /** Σ over pairs of (scored − expected)² / (variance + ½), in games, and how many more pairs there are than strengths need. */
  readonly chiSquare: number
  readonly df: number
  /** The probability of so much or more by chance alone. */
  readonly p: number
  /** The pairs, those it misjudges most in front. */
  readonly pairs: readonly Misjudged[]
}

/** Two entrants, the first of whom scored more than was expected of it. */
export interface Misjudged {
  readonly pair: readonly [number, number]
  /** A game, from 0 to 1. */
  readonly scored: number
  readonly expected: number
  /** By how many standard deviations. */
  readonly by: number
}

/**
 * Tests whether strengths explain the results of a field (`bradleyTerry`, with draws and seats), pair by pair: by Pearson's χ² of the
 * pairs' scores, as deviances of few games have no χ² law. Neither has it: its mean and variance are those that it has in fields of just
 * these strengths, games and seats, played and fitted again on paper (a Bartlett correction by simulation: Rocke 1989). Blocks of equal luck
 * have their own variance, which is known with so many degrees of freedom. Undefined where there are no more pairs than strengths need.
 */
export function fitOf(games: readonly RatedGame[], field: number): Fit | undefined {
  const { lines, seated } = linesOf(games, field)
  const parameters = parametersOf(lines, field, seated)
  const columns = columnsOf(lines)
  const { at } = maximizeLines(columns, parameters)
  const sums = sumsOf(columns, pairsIn(columns, field), parameters, at)
  const df = sums.n.length - sums.entrants + 1
  if (df < 1) return undefined
  const effects = blockEffects(games, field)
  const { chiSquare, mean, variance } = surpriseOf(sums, effects.of)
  const { meanBy, varianceBy } = simulateSurprise(lines, parameters, at)
  const even = devianceFrom(sums, sums.even)
  return {
    explained: even > 0 ? Math.max(0, 1 - devianceFrom(sums, sums.expected) / even) : 1,
    chiSquare,
    df,
    p: tail(chiSquare, meanBy * mean, varianceBy * variance + (2 * (meanBy * mean) ** 2) / effects.df([])),
    pairs: Array.from(sums.n, (_, p) => misjudged(sums, p, effects.of)).sort((x, y) => y.by - x.by),
  }
}

function misjudged(sums: PairSums, p: number, effect: (a: number, b: number) => number): Misjudged {
  const [a, b, n] = [sums.first[p] as number, sums.second[p] as number, sums.n[p] as number]
  const by = offBy(sums, p, effect(a, b))
  const [s, e] = [(sums.scored[p] as number) / n, (sums.expected[p] as number) / n]
  return by < 0
    ? { pair: [b, a], scored: 1 - s, expected: 1 - e, by: -by }
    : { pair: [a, b], scored: s, expected: e, by }
}

function devianceFrom({ n, scored }: PairSums, of: Float64Array): number {
  let sum = 0
  for (let p = 0; p < n.length; p++) {
    const games = n[p] as number
    sum += 2 * games * divergence((scored[p] as number) / games, (of[p] as number) / games)
  }
  return sum
}

/** Of a coin that came up with the frequency s, in truth e: Kullback and Leibler's divergence. */
function divergence(s: number, e: number): number {
  const part = (x: number, y: number): number => (x > 0 ? x * Math.log(x / Math.max(y, 1e-12)) : 0)
  return part(s, e) + part(1 - s, 1 - e)
}

/** The probability that a scaled χ² variable of this mean and variance is above x (Wilson and Hilferty 1931). */
function tail(x: number, mean: number, variance: number): number {
  const df = (2 * mean * mean) / variance
  const z = ((x / mean) ** (1 / 3) - 1 + 2 / (9 * df)) / Math.sqrt(2 / (9 * df))
  return normalCdf(-z)
}

/** How the law of χ² differs from what theory has it: factors of its mean and of its variance. */
interface Simulated {
  readonly meanBy: number
  readonly varianceBy: number
}

/** Fields that are played on paper: as many as take a second, of a large one at least so many, whose χ² hardly varies. */
const FIELDS = 200
const FEWEST = 20
const COST = 2e7
/** A step that promises less is a fit's last: what it leaves is not seen in any digit that counts. */
const TRUSTED = 1e-5
/** So many games are drawn one by one; of more, their numbers come from a normal law. */
const ONE_BY_ONE = 50

/** Plays the lines of a field again by these strengths, fits them, and sees how far they are from what is expected then. */
function simulateSurprise(all: readonly Line[], parameters: Parameters, at: Float64Array): Simulated {
  const luck = stream('fit')
  // The same whatever the order of the games.
  const lines = columnsOf([...all].sort((x, y) => x.i - y.i || x.j - y.j))
  const pairs = pairsIn(lines, parameters.field)
  const laws = lawsOf(lines, parameters, at)
  const drawn: LineColumns = { ...lines, won: lines.won.slice(), drawn: lines.drawn.slice(), lost: lines.lost.slice() }
  const cost = 5 * (sizeOf(parameters) ** 3 / 6 + 60 * all.length)
  const fields = Math.min(FIELDS, Math.max(FEWEST, Math.floor(COST / cost)))
  let [sum, squares, mean, variance] = [0, 0, 0, 0]
  for (let f = 0; f < fields; f++) {
    playAgain(lines, laws, luck, drawn)
    const fitted = maximizeLines(drawn, parameters, { start: at, trusted: TRUSTED })
    const surprise = surpriseOf(sumsOf(drawn, pairs, parameters, fitted.at), () => 1)
    sum += surprise.chiSquare
    squares += surprise.chiSquare ** 2
    mean += surprise.mean
    variance += surprise.variance
  }
  const own = (squares - (sum * sum) / fields) / (fields - 1)
  return { meanBy: sum / mean, varianceBy: own / (variance / fields) }
}

/** Plays the games of all lines again, into `into`. They may have weights: then whole games are drawn, and weighed as these. */
function playAgain(lines: LineColumns, { win, draw }: Laws, luck: Stream, into: LineColumns): void {
  for (let k = 0; k < win.length; k++) {
    const n = (lines.won[k] as number) + (lines.drawn[k] as number) + (lines.lost[k] as number)
    const games = Math.max(1, Math.round(n))
    const wins = win[k] as number
    const won = successes(games, wins, luck)
    const drawn = wins < 1 ? successes(games - won, Math.min(1, (draw[k] as number) / (1 - wins)), luck) : 0
    const weight = n / games
    into.won[k] = won * weight
    into.drawn[k] = drawn * weight
    into.lost[k] = (games - won - drawn) * weight
  }
}

/** A binomial number. */
function successes(n: number, p: number, luck: Stream): number {
  if (n > ONE_BY_ONE && n * p * (1 - p) > 9) {
    const drawn = Math.round(n * p + Math.sqrt(n * p * (1 - p)) * normalDraw(luck))
    return Math.max(0, Math.min(n, drawn))
  }
  let count = 0
  for (let i = 0; i < n; i++) if (luck.uniform() < p) count++
  return count
}
