import { type Bounds, MeanEvidence } from './betting.js'
import { evidenceAbove } from './mean-settle.js'
import { studentInterval } from './means.js'

/** What a difference of mean scores is tested for, and how often it may be decided wrongly. */
export interface MeanTestOptions {
  /** H1: the first scores more on average; H0: it does not score so much more. 0 unless given. */
  readonly margin?: number
  /** The probability of accepting H1 where the difference is 0 or less. */
  readonly alpha?: number
  /** The probability of accepting H0 where it is `margin` or more. */
  readonly beta?: number
}

export interface MeanTestState {
  readonly decision: 'H0' | 'H1' | 'undecided'
  /** Blocks of equal luck compared. */
  readonly blocks: number
  /** By how much the first scored more a match, with Student's 95 % interval; absent before two differ. */
  readonly mean: number
  readonly interval?: readonly [low: number, high: number]
  /** ln of the evidence for H1 and for H0, and where each decides. */
  readonly above: number
  readonly below: number
  readonly upper: number
  readonly lower: number
  /** Whether the probabilities hold whatever the law, as scores have bounds; else as blocks become many. */
  readonly exact: boolean
}

/**
 * A sequential test of the difference of two mean scores by blocks of equal luck: two one-sided tests, looked at after
 * any block. Where scores have bounds the evidence is a gambler's wealth (`MeanEvidence`), whatever the law; else a
 * mixture by Student's t (`evidenceAbove`), undecided before 30 blocks. Two equals stay undecided where the margin is
 * 0.
 */
export class MeanTest {
  private blocks = 0
  private mean = 0
  /** Σ (x − mean)², by Welford's recurrence (1962). */
  private squares = 0
  private readonly wealth: { readonly above: MeanEvidence; readonly below: MeanEvidence } | undefined
  private readonly margin: number
  private readonly upper: number
  private readonly lower: number

  /** `scores`: the bounds of the game's. Throws RangeError for a margin that no difference can reach. */
  constructor({ margin = 0, alpha = 0.05, beta = 0.05 }: MeanTestOptions, scores?: Bounds) {
    this.margin = margin
    this.upper = Math.log(1 / alpha)
    this.lower = Math.log(1 / beta)
    if (scores === undefined) return
    const reach = scores.max - scores.min
    const bounds = { min: -reach, max: reach }
    if (!(margin >= 0 && margin < reach))
      throw new RangeError(`a margin is from 0 to below ${reach}, by which scores can differ, and not ${margin}`)
    this.wealth = { above: new MeanEvidence(bounds, 0), below: new MeanEvidence(bounds, -margin) }
  }

  /** Adds by how much the first scored more in a block, a match. */
  add(difference: number): this {
    this.blocks++
    const off = difference - this.mean
    this.mean += off / this.blocks
    this.squares += off * (difference - this.mean)
    this.wealth?.above.add(difference)
    this.wealth?.below.add(-difference)
    return this
  }

  state(): MeanTestState {
    const { blocks, mean, squares, margin, upper, lower, wealth } = this
    const variance = blocks > 1 ? squares / (blocks - 1) / blocks : Number.NaN
    const estimate = { value: mean, variance, df: blocks - 1 }
    const above = wealth ? wealth.above.log() : Math.log(evidenceAbove(estimate, blocks))
    const below = wealth ? wealth.below.log() : Math.log(evidenceAbove({ ...estimate, value: margin - mean }, blocks))
    const interval = studentInterval(estimate, 0.95)
    return {
      decision: above >= upper ? 'H1' : below >= lower ? 'H0' : 'undecided',
      blocks,
      mean,
      interval,
      above,
      below,
      upper,
      lower,
      exact: wealth !== undefined,
    }
  }
}
