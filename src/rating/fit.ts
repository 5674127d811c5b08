import { blockEffects } from './block-effects.js'
import { maximizeLines } from './davidson.js'
import { parametersOf } from './parameters.js'
import { type PairSums, offBy, pairsIn, sumsOf, surpriseOf } from './fit-meetings.js'
import { simulateSurprise } from './fit-simulation.js'
import type { RatedGame } from './game.js'
import { columnsOf, linesOf } from './lines.js'
import { normalCdf } from './normal.js'

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
