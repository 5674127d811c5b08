import type { Game } from './game.js'

/** The two hypotheses of a duel, in Elo, and how often each may be wrongly accepted. */
export interface SprtOptions {
  /** H0: the first is `elo0` stronger than the second (mostly 0: no better). */
  readonly elo0: number
  /** H1: it is `elo1` stronger. */
  readonly elo1: number
  /** The probability of accepting H1 where H0 holds. */
  readonly alpha?: number
  /** The probability of accepting H0 where H1 holds. */
  readonly beta?: number
}

export interface Sprt {
  readonly decision: 'H0' | 'H1' | 'undecided'
  /** The log-likelihood ratio of H1 to H0, and the bounds at which it decides. */
  readonly llr: number
  readonly lower: number
  readonly upper: number
  readonly matches: number
  /** How many matches took a course that none before had taken. */
  readonly distinct: number
  /** Pairs by what the first scored in them, of ten quarters of a point: 0, ½, 1, 1½ and 2 of 2. */
  readonly pentanomial: readonly [number, number, number, number, number]
}

/** A game of a duel, with the digest of its course where that is known: what each seat did, not who sat there. */
export interface DuelGame extends Game {
  readonly course?: string
}

/** Pseudo-counts for each result of a pair: half a pair in all, so that no variance is ever nothing. */
const PRIOR = 0.1

/**
 * The sequential test of a duel between `first` and another, as authors of chess engines have it: a generalised sequential
 * probability ratio test (Van den Bergh, after Wald 1945) on pairs of games with seats swapped and luck shared, which are told
 * by their `block`. The five results of a pair are one multinomial each under both hypotheses, fitted under the condition that
 * the mean score is 1 / (1 + 10^(−elo/400)). A pair whose other game is missing waits; a game without a block is a pair of its
 * own. Where games are repetitions, the ratio counts only the share of them that is not: two fixed bots stay undecided.
 */
export function sprt(games: readonly DuelGame[], first: number, options: SprtOptions): Sprt {
  const { elo0, elo1, alpha = 0.05, beta = 0.05 } = options
  if (!(elo0 < elo1)) throw new RangeError(`elo0 has to be below elo1, and ${elo0} is not below ${elo1}`)
  const distinct = new Set(games.map(({ course }, i) => course ?? i)).size
  const pentanomial = pairScores(games, first)
  const llr = games.length === 0 ? 0 : (logRatio(pentanomial, elo0, elo1) * distinct) / games.length
  const lower = Math.log(beta / (1 - alpha))
  const upper = Math.log((1 - beta) / alpha)
  return {
    decision: llr >= upper ? 'H1' : llr <= lower ? 'H0' : 'undecided',
    llr,
    lower,
    upper,
    matches: games.length,
    distinct,
    pentanomial,
  }
}

/** How many pairs the first scored 0, ½, 1, 1½ and 2 in. */
function pairScores(games: readonly Game[], first: number): Sprt['pentanomial'] {
  const counts: [number, number, number, number, number] = [0, 0, 0, 0, 0]
  const count = (score: number): void => {
    counts[Math.round(2 * score) as 0 | 1 | 2 | 3 | 4]++
  }
  const half = new Map<string, number>()
  for (const { entrants, place, block } of games) {
    const me = entrants.indexOf(first)
    if (me === -1 || entrants.length !== 2) throw new RangeError(`not a game of ${first} against one other`)
    const lead = (place[1 - me] as number) - (place[me] as number)
    const score = lead > 0 ? 1 : lead === 0 ? 0.5 : 0
    if (block === undefined) count(2 * score)
    else if (!half.has(block)) half.set(block, score)
    else {
      count(score + (half.get(block) as number))
      half.delete(block)
    }
  }
  return counts
}

/**
 * The log-likelihood ratio of H1 to H0 for results 0, 1, … , k − 1 of equal distance that came up so often: two (losses, wins),
 * three (losses, draws, wins) or five. Pseudo-counts included.
 */
export function logRatio(counts: readonly number[], elo0: number, elo1: number): number {
  const observed = counts.map((n) => n + PRIOR)
  const fitted = [elo0, elo1].map((elo) => constrained(observed, 1 / (1 + 10 ** (-elo / 400))))
  return observed.reduce((sum, n, i) => sum + n * Math.log((fitted[1]?.[i] as number) / (fitted[0]?.[i] as number)), 0)
}

/**
 * The most likely multinomial of the mean `mean`: p_i = f_i / (1 + t·(a_i − mean)) with the t that makes it so (Owen's empirical
 * likelihood), by bisection.
 */
function constrained(counts: readonly number[], mean: number): readonly number[] {
  const n = counts.reduce((a, b) => a + b, 0)
  const off = counts.map((_, i) => i / (counts.length - 1) - mean)
  let low = -1 / (1 - mean)
  let high = 1 / mean
  let t = 0
  for (let round = 0; round < 100; round++) {
    t = (low + high) / 2
    const at = t
    const slope = counts.reduce((sum, c, i) => sum + (c * (off[i] as number)) / (1 + at * (off[i] as number)), 0)
    if (slope > 0) low = t
    else high = t
  }
  return counts.map((c, i) => c / n / (1 + t * (off[i] as number)))
}
