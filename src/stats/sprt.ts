import { MeanEvidence, meanInterval } from './betting.js'
import { type RatedGame, repetitions } from './game.js'
import { ELO } from './strengths.js'

/** A duel's two hypotheses, in Elo, and how often each may be wrongly accepted. */
export interface SprtOptions {
  /** H0: the first is at most `elo0` stronger than the second (mostly 0: no better). */
  readonly elo0: number
  /** H1: it is `elo1` stronger, or more. */
  readonly elo1: number
  /** The probability of accepting H1 where H0 holds. */
  readonly alpha?: number
  /** The probability of accepting H0 where H1 holds. */
  readonly beta?: number
}

export interface Sprt {
  readonly decision: 'H0' | 'H1' | 'undecided'
  /** ln of the evidence against H0 and against H1. */
  readonly above: number
  readonly below: number
  /** The stronger evidence, that against H1 negated; and the deciding bounds. */
  readonly llr: number
  readonly lower: number
  readonly upper: number
  readonly matches: number
  /** How many matches took a new course. */
  readonly distinct: number
  /** Pairs by what the first scored: 0, ½, 1, 1½ and 2 of 2. */
  readonly pentanomial: readonly [number, number, number, number, number]
}

/** A duel's game; its course, if known, digests what each seat did, not who sat there. */
export interface DuelGame extends RatedGame {
  readonly course?: string
}

const scoreOfElo = (elo: number): number => 1 / (1 + 10 ** (-elo / 400))

/**
 * The sequential test of a duel between `first` and another, on pairs of games with seats swapped and luck shared, told
 * by `block`; a pair scores 0 to 1. Evidence that the mean is above `elo0`'s accepts H1 at 1/α, that it is below
 * `elo1`'s accepts H0 at 1/β (`MeanEvidence`, aimed at the other hypothesis). So H1 is accepted with α at most where H0
 * holds, and the reverse, whatever the law of pairs, with a look after each.
 *
 * An incomplete pair waits; a game without a block is a pair. Where each seating takes one course only, all games are
 * one pair: two fixed bots stay undecided.
 */
export function sprt(games: readonly DuelGame[], first: number, options: SprtOptions): Sprt {
  const { elo0, elo1, alpha = 0.05, beta = 0.05 } = options
  if (!(elo0 < elo1)) throw new RangeError(`elo0 has to be below elo1, and ${elo0} is not below ${elo1}`)
  const pairs = pairScores(games, first)
  const [mean0, mean1] = [scoreOfElo(elo0), scoreOfElo(elo1)]
  const above = new MeanEvidence({ min: 0, max: 1 }, mean0, mean1)
  const below = new MeanEvidence({ min: -1, max: 0 }, -mean1, -mean0)
  for (const score of isFixed(games) ? pairs.slice(0, 1) : pairs) {
    above.add(score)
    below.add(-score)
  }
  const [up, down] = [above.log(), below.log()]
  const [upper, lower] = [Math.log(1 / alpha), Math.log(beta)]
  const llr = up >= down ? up : -down
  const pentanomial: [number, number, number, number, number] = [0, 0, 0, 0, 0]
  for (const score of pairs) pentanomial[Math.round(4 * score) as 0 | 1 | 2 | 3 | 4]++
  return {
    decision: llr >= upper ? 'H1' : llr <= lower ? 'H0' : 'undecided',
    above: up,
    below: down,
    llr,
    lower,
    upper,
    matches: games.length,
    distinct: new Set(games.map(({ course }, i) => course ?? i)).size,
    pentanomial,
  }
}

/** Whether each seating was played more than once and took one course. */
export const isFixed = (games: readonly DuelGame[]): boolean =>
  games.length > 0 && repetitions(games).every(({ weight }) => weight !== undefined)

/** What the first scored of 1 in each complete pair, in order. */
function pairScores(games: readonly RatedGame[], first: number): readonly number[] {
  const scores: number[] = []
  const half = new Map<string, number>()
  for (const { entrants, place, block } of games) {
    const me = entrants.indexOf(first)
    if (me === -1 || entrants.length !== 2) throw new RangeError(`not a game of ${first} against one other`)
    const lead = (place[1 - me] as number) - (place[me] as number)
    const score = lead > 0 ? 1 : lead === 0 ? 0.5 : 0
    const other = block === undefined ? score : half.get(block)
    if (other !== undefined) scores.push((score + other) / 2)
    if (block === undefined) continue
    if (other === undefined) half.set(block, score)
    else half.delete(block)
  }
  return scores
}

/**
 * How much stronger the first is, in Elo: by its mean score over pairs and a drawn one, with the interval that has held
 * it all along at 95 % (`meanInterval`). An end that no pair bounds is infinite.
 */
export function duelElo(games: readonly DuelGame[], first: number): { rating: number; low: number; high: number } {
  const all = pairScores(games, first)
  const pairs = isFixed(games) ? all.slice(0, 1) : all
  const mean = (pairs.reduce((sum, score) => sum + score, 0) + 0.5) / (pairs.length + 1)
  const { low, high } = meanInterval(pairs, { min: 0, max: 1 })
  // By bisection: an unbounded end is as near the bound as that comes.
  const eloOf = (score: number): number =>
    score < 1e-6 ? -Infinity : score > 1 - 1e-6 ? Infinity : -400 * Math.log10(1 / score - 1)
  return { rating: eloOf(mean), low: eloOf(low), high: eloOf(high) }
}

/** Standard deviations of a game in an Elo point. */
const NORMALIZED = 2 * ELO

/**
 * Normalized Elo (Van den Bergh 2020, as fishtest has it): by how many standard deviations of a game (√2 times that of
 * pairs) the mean score exceeds a half, times 800 / ln 10. It tells how many games show a difference. Undefined before
 * two pairs differ.
 */
export function normalizedElo(pentanomial: Sprt['pentanomial']): number | undefined {
  const n = pentanomial.reduce((a, b) => a + b, 0)
  const mean = pentanomial.reduce((sum, count, i) => sum + (count * i) / 4, 0) / n
  const variance = pentanomial.reduce((sum, count, i) => sum + count * (i / 4 - mean) ** 2, 0) / (n - 1)
  return n > 1 && variance > 0 ? (NORMALIZED * (mean - 0.5)) / Math.sqrt(2 * variance) : undefined
}

/**
 * About how many matches the test takes on average where one hypothesis holds exactly, without draws or shared luck,
 * which shorten it: ln(2/α) over a pair's evidence.
 */
export function expectedMatches({ elo0, elo1, alpha = 0.05, beta = 0.05 }: SprtOptions): number {
  const [mean0, mean1] = [scoreOfElo(elo0), scoreOfElo(elo1)]
  const middle = (mean0 + mean1) / 2
  const gain = (mean1 - mean0) ** 2 / (middle * (1 - middle))
  return Math.ceil((2 * Math.log(2 / Math.min(alpha, beta))) / gain)
}
