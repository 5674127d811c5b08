import type { ScoredCompany } from './companies.js'
import type { Estimate, Means } from './means.js'
import { type Settled, type SettleOptions, decidedBy } from './settle.js'
import { studentCdf } from './student.js'

/** It is tuned for differences of a third of a block's standard deviation. Others take a little longer. */
const SCALE = 0.3
/** So few blocks are no evidence of a mean without bounds: a rare score may not have come up yet. */
const FEW_BLOCKS = 30

/**
 * Whether the first places by mean score are decided, merit being an entrant's mean averaged over its companies. As
 * `settle`, but scores have no bounds: the test holds as blocks grow many (`evidenceAbove`), so nothing is decided
 * before 30, nor before all who may meet have (`isComplete`). `means`: of these companies, weighing alike.
 */
export function settleMeans(
  companies: readonly ScoredCompany[],
  means: Means,
  isComplete: boolean,
  options: SettleOptions,
): Settled {
  const merit = (e: number): number => (Number.isNaN(means.mean[e]) ? -Infinity : (means.mean[e] as number))
  const order = means.mean.map((_, e) => e).sort((a, b) => merit(b) - merit(a) || a - b)
  const compare = (i: number, j: number): readonly [number, number] => {
    const difference = means.difference(j, i)
    const blocks = blocksOf(companies, j, i)
    const turned = { ...difference, value: -difference.value }
    return [evidenceAbove(turned, blocks), evidenceAbove(difference, blocks)]
  }
  return decidedBy(order, isComplete ? compare : () => [0, 0], options)
}

const blocksOf = (companies: readonly ScoredCompany[], a: number, b: number): number =>
  companies.reduce((sum, { members, blocks }) => (members.includes(a) || members.includes(b) ? sum + blocks : sum), 0)

/**
 * The evidence that a difference of means is above 0 from so many blocks: a mixture over how great it is, by Student's t,
 *     E = 2 / √(1 + g) · ((1 + t²/ν) / (1 + t²/(ν(1 + g))))^((ν + 1)/2) · F(t √(g/(1 + g))),   g = 0.09 · blocks,
 * a normal mixture of scale 0.3 standard deviations over positive differences (Rouder et al. 2009; as a sequential test Lai 1976). Where
 * there is none, E ever exceeds 1/α with probability α at most if blocks are normal, and nearly so if they are many (Waudby-Smith et
 * al. 2024); so it is nothing before there are `FEW_BLOCKS`.
 */
export function evidenceAbove({ value, variance, df }: Estimate, blocks: number): number {
  if (!(variance >= 0) || !Number.isFinite(value) || value === 0 || blocks < FEW_BLOCKS) return 0
  const g = SCALE * SCALE * blocks
  const t = value / Math.sqrt(variance)
  const nu = Math.min(df, blocks)
  // Where all differences were alike t has no bound; the ratio has.
  const ratio = variance === 0 ? Math.log1p(g) : Math.log1p((t * t) / nu) - Math.log1p((t * t) / (nu * (1 + g)))
  const log = (ratio * (nu + 1)) / 2 - Math.log1p(g) / 2
  return 2 * Math.exp(Math.min(log, 700)) * studentCdf(t * Math.sqrt(g / (1 + g)), nu)
}
