import { blockEffects } from './block-effects.js'
import { leadOf, maximizeLines, parametersOf, seatAt } from './davidson.js'
import type { RatedGame } from './game.js'
import { linesOf } from './lines.js'
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

/** What the games of a pair came to, and what strengths expect of them. */
interface Meeting {
  readonly pair: readonly [number, number]
  n: number
  scored: number
  expected: number
  even: number
  variance: number
  /** The fourth cumulant of the score. */
  fourth: number
}

/**
 * Tests whether strengths explain the results of a field (`bradleyTerry`, with draws and seats), pair by pair: by Pearson's χ² of the
 * pairs' scores, as deviances of few games have no χ² law. Its law is that of χ², scaled to the mean and the variance that it has in
 * so few games (McCullagh 1986); blocks of equal luck have their own variance. Undefined where there are no more pairs than strengths
 * need.
 */
export function fitOf(games: readonly RatedGame[], field: number): Fit | undefined {
  const meetings = meetingsIn(games, field)
  const entrants = new Set(meetings.flatMap(({ pair }) => pair))
  const df = meetings.length - entrants.size + 1
  if (df < 1) return undefined
  const effects = blockEffects(games, field)
  let chiSquare = 0
  let mean = 0
  let spread = 0
  const pairs = meetings.map(({ pair, n, scored, expected, variance, fourth }): Misjudged => {
    const [a, b] = pair
    const effect = effects.of(a, b)
    const own = variance * effect + LEAST
    const by = (scored - expected) / Math.sqrt(own)
    chiSquare += by * by
    mean += (variance * effect) / own
    spread += (2 * (variance * effect) ** 2 + Math.max(0, fourth)) / (own * own)
    const [s, e] = [scored / n, expected / n]
    return by < 0 ? { pair: [b, a], scored: 1 - s, expected: 1 - e, by: -by } : { pair, scored: s, expected: e, by }
  })
  const deviance = (of: (one: Meeting) => number): number =>
    meetings.reduce((sum, one) => sum + 2 * one.n * divergence(one.scored / one.n, of(one) / one.n), 0)
  const even = deviance((one) => one.even)
  return {
    explained: even > 0 ? Math.max(0, 1 - deviance((one) => one.expected) / even) : 1,
    chiSquare,
    df,
    // A fit takes as much of the variance as of the mean.
    p: tail(chiSquare, (mean * df) / meetings.length, (spread * df) / meetings.length),
    pairs: pairs.sort((x, y) => y.by - x.by),
  }
}

/** Added to each variance, in games²: of a pair that all but never surprises, one surprise is no evidence. */
const LEAST = 0.5

function meetingsIn(games: readonly RatedGame[], field: number): readonly Meeting[] {
  const { lines, seated } = linesOf(games, field)
  const parameters = parametersOf(lines, field, seated)
  const { drawn } = parameters
  const { at } = maximizeLines(lines, parameters)
  const seat = seatAt(parameters)
  const ready = drawn ? Math.exp(at[field] as number) : 0
  const pairs = new Map<string, Meeting>()
  for (const line of lines) {
    const turned = line.i > line.j
    const pair = turned ? ([line.j, line.i] as const) : ([line.i, line.j] as const)
    const known = pairs.get(pair.join()) ?? { pair, n: 0, scored: 0, expected: 0, even: 0, variance: 0, fourth: 0 }
    const n = line.won + line.drawn + line.lost
    const lead = leadOf(line, at, seat)
    const { mean, variance, fourth } = momentsOf(lead, ready)
    const even = momentsOf(line.seated && seat >= 0 ? (at[seat] as number) : 0, ready).mean
    const scored = line.won + line.drawn / 2
    known.n += n
    known.scored += turned ? n - scored : scored
    known.expected += n * (turned ? 1 - mean : mean)
    known.even += n * (turned ? 1 - even : even)
    known.variance += n * variance
    known.fourth += n * fourth
    pairs.set(pair.join(), known)
  }
  return [...pairs.values()]
}

/** Of the score of a game. */
function momentsOf(
  lead: number,
  ready: number,
): { readonly mean: number; readonly variance: number; readonly fourth: number } {
  const [w, l] = [Math.exp(lead / 2), Math.exp(-lead / 2)]
  const sum = w + ready + l
  const laws = [
    [1, w / sum],
    [0.5, ready / sum],
    [0, l / sum],
  ] as const
  const mean = laws.reduce((all, [x, p]) => all + x * p, 0)
  const moment = (k: number): number => laws.reduce((all, [x, p]) => all + p * (x - mean) ** k, 0)
  const variance = moment(2)
  return { mean, variance, fourth: moment(4) - 3 * variance * variance }
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
