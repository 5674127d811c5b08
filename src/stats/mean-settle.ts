import type { ScoredCompany } from './companies.js'
import { companyWeights, type Estimate, meansOf } from './means.js'
import { type Settled, type SettleOptions, decidedBy } from './settle.js'
import { studentCdf } from './student.js'

/** Differences of a third of a block's standard deviation are what it is tuned for. Others take a little longer to decide. */
const SCALE = 0.3
/** So few blocks are no evidence of a mean whose law has no bounds: a rare score may not have come up yet. */
const FEW_BLOCKS = 30

/** Who may meet, with what is known of them; absent: they have not met. */
export interface MayMeet {
  readonly members: readonly number[]
  readonly known?: ScoredCompany
}

/**
 * Whether the first places by mean score are decided, an entrant's merit being the mean over its companies of its mean there. It may be
 * asked after every match, and may choose the matches. As `settle`, but that scores have no bounds: then no test holds whatever their
 * law, and this one holds as blocks grow many (`evidenceAbove`), so that nothing is decided before there are 30.
 */
export function settleMeans(companies: readonly MayMeet[], field: number, options: SettleOptions): Settled {
  const known = companies.flatMap((company) => company.known ?? [])
  const means = meansOf(known, field, { weighing: 'companies' })
  const merit = (e: number): number => (Number.isNaN(means.mean[e]) ? -Infinity : (means.mean[e] as number))
  const order = means.mean.map((_, e) => e).sort((a, b) => merit(b) - merit(a) || a - b)
  const complete = known.length === companies.length
  const compare = (i: number, j: number): readonly [number, number] => {
    const difference = means.difference(j, i)
    const blocks = blocksOf(known, j, i)
    const turned = { ...difference, value: -difference.value }
    return [evidenceAbove(turned, blocks), evidenceAbove(difference, blocks)]
  }
  return decidedBy(order, complete ? compare : () => [0, 0], options)
}

/** How many blocks the companies of either have played. */
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
  // Where all differences were alike t has no bound, and the ratio has.
  const ratio = variance === 0 ? Math.log1p(g) : Math.log1p((t * t) / nu) - Math.log1p((t * t) / (nu * (1 + g)))
  const log = (ratio * (nu + 1)) / 2 - Math.log1p(g) / 2
  return 2 * Math.exp(Math.min(log, 700)) * studentCdf(t * Math.sqrt(g / (1 + g)), nu)
}

/**
 * The companies most worth a block of matches now, `count` of them in the order of their worth (a company may come twice), by their place
 * in `companies`. First each that has not met; then by how much a block takes off the variance of the differences that are in doubt.
 */
export function worthPlayingMeans(
  companies: readonly MayMeet[],
  field: number,
  { open }: Pick<Settled, 'open'>,
  count: number,
): readonly number[] {
  const fresh = companies.flatMap(({ known }, c) => (known === undefined ? [c] : []))
  if (fresh.length > 0) return fresh.slice(0, count)
  const all = companies.map(({ known }) => known as ScoredCompany)
  const weights = companyWeights(all, field, 'companies')
  const [best = -1, ...rivals] = open
  const pool = poolOf(all)
  const promise = all.map((company, c) => {
    const of = (e: number): number => weights[c]?.[company.members.indexOf(e)] ?? 0
    return rivals.reduce((sum, rival) => sum + spreadOf(company, [best, of(best)], [rival, of(rival)], pool), 0)
  })
  const extra = all.map(() => 0)
  const chosen: number[] = []
  while (chosen.length < count && promise.some((worth) => worth > 0)) {
    let most = 0
    let gain = -1
    all.forEach(({ blocks }, c) => {
      const n = blocks + (extra[c] as number)
      const here = (promise[c] as number) / (n * (n + 1))
      if (here > gain) [most, gain] = [c, here]
    })
    chosen.push(most)
    extra[most] = (extra[most] as number) + 1
  }
  return chosen
}

type Factor = readonly [entrant: number, weight: number]

/** What a block of a company varies by along the difference of two; where it has but one block, as others do. */
function spreadOf(company: ScoredCompany, [a, u]: Factor, [b, v]: Factor, pool: number): number {
  const { members, blocks, residuals } = company
  const [i, j] = [members.indexOf(a), members.indexOf(b)]
  if (i === -1 && j === -1) return 0
  const common = pool * ((i === -1 ? 0 : u * u) + (j === -1 ? 0 : v * v))
  if (blocks === 1) return common
  let sum = 0
  for (let k = 0; k < residuals.length; k += members.length)
    sum += ((i === -1 ? 0 : u * (residuals[k + i] as number)) - (j === -1 ? 0 : v * (residuals[k + j] as number))) ** 2
  // Blocks that were alike so far may differ yet.
  return Math.max((sum * blocks * blocks) / (blocks - 1), common / 1e6)
}

/** The variance of a block's mean in companies of several; 1 where there are none. */
function poolOf(companies: readonly ScoredCompany[]): number {
  let sum = 0
  let count = 0
  for (const { residuals, blocks, members } of companies) {
    if (blocks < 2) continue
    for (const r of residuals) sum += r * r * blocks * blocks
    count += (blocks - 1) * members.length
  }
  return sum > 0 ? sum / count : 1
}
