import { evidenceOf, type Known } from './evidence.js'
import { type Probability, firstOf } from './first-place.js'
import { companiesOf, type RatedGame } from './game.js'
import { normalCdf } from './normal.js'
import type { Worth } from './statistics.js'
import { WHOLE } from './terms.js'

/** A company's variance counts as many blocks of the field's, and the field's as many of games that are as uncertain as can be. */
const PRIOR_COMPANY = 2
const PRIOR_FIELD = 2

/** Merits, the means over an entrant's companies of its mean points there (`Evidence`), of 1 a win; NaN for who has no game. */
export interface Merits {
  readonly merit: readonly number[]
  /** Of two of their errors. */
  readonly covariance: (a: number, b: number) => number
  /** How probable it is that the first has more merit. */
  above(a: number, b: number): number
}

/**
 * What varies is how the blocks of each company came out. A company has few, so its variance is mixed with the field's, and that with
 * what wins by the toss of a coin would have, so that unanimous results are not certain.
 */
export function meritsOf(games: readonly RatedGame[], field: number, worth: Worth): Merits {
  const met = companiesOf(games).map(({ members }) => members)
  const { companies, among } = evidenceOf(met, games, field, worth)
  const merit = Array.from({ length: field }, (_, e) => ((among[e]?.size ?? 0) > 0 ? 0 : Number.NaN))
  const covariances = sumsByPair(field)
  const pool = poolOf(companies)
  const share = (e: number): number => 1 / (among[e]?.size ?? 1)
  for (const known of companies) {
    const { members, mean } = known
    members.forEach((a, m) => {
      merit[a] = (merit[a] as number) + (mean[m] as number) * share(a)
      members.forEach((b, k) => {
        const own = varianceIn(known, m, k, pool) * share(a) * share(b)
        covariances.add(a * field + b, own)
      })
    })
  }
  const of = (a: number, b: number): number => covariances.at(a * field + b)
  return {
    merit,
    covariance: of,
    above(a, b) {
      const variance = of(a, a) + of(b, b) - 2 * of(a, b)
      const lead = (merit[a] as number) - (merit[b] as number)
      return variance > 0 && Number.isFinite(lead) ? normalCdf(lead / Math.sqrt(variance)) : 0.5
    },
  }
}

/** A sum for each pair of a field; of a large one, only of those pairs that have one. */
function sumsByPair(field: number): { add(pair: number, value: number): void; at(pair: number): number } {
  if (field > WHOLE) {
    const sums = new Map<number, number>()
    return {
      add: (pair, value) => void sums.set(pair, (sums.get(pair) ?? 0) + value),
      at: (pair) => sums.get(pair) ?? 0,
    }
  }
  const sums = new Float64Array(field * field)
  return { add: (pair, value) => (sums[pair] = (sums[pair] as number) + value), at: (pair) => sums[pair] as number }
}

/** How probable it is that each entrant has the greatest merit (`firstOf`). */
export const firstByPoints = ({ merit, covariance }: Merits, seed: string): readonly Probability[] =>
  firstOf(merit, covariance, seed)

/** Of a block's points: what one member's vary, and what two of them vary together. */
interface Pool {
  readonly own: number
  readonly shared: (members: number) => number
}

/** Blocks of a company that count as evidence: one, where all repeat the first. */
const blocksIn = ({ fixed, played }: Known): number => (fixed ? 1 : played)

function varianceIn(known: Known, m: number, k: number, pool: Pool): number {
  const prior = m === k ? pool.own : pool.shared(known.members.length)
  const blocks = blocksIn(known)
  const own = blocks > 1 ? productOf(known, m, k) : 0
  return (own + PRIOR_COMPANY * prior) / (blocks - 1 + PRIOR_COMPANY) / blocks
}

/** Σ over blocks of what two members' points are above their means, multiplied. */
function productOf({ points, mean, times }: Known, m: number, k: number): number {
  const [a, b] = [points[m] as readonly number[], points[k] as readonly number[]]
  const off = (x: number, of: number): number => x - (mean[of] as number)
  return a.reduce((sum, x, i) => sum + (times?.[i] ?? 1) * off(x, m) * off(b[i] as number, k), 0)
}

/** A coin's variance, ¼, for the prior. Of a company, what one gains the others lose. */
function poolOf(companies: readonly Known[]): Pool {
  let sum = PRIOR_FIELD / 4
  let count = PRIOR_FIELD
  for (const known of companies) {
    const blocks = blocksIn(known)
    if (blocks < 2) continue
    known.members.forEach((_, m) => {
      sum += productOf(known, m, m)
      count += blocks - 1
    })
  }
  const own = sum / count
  return { own, shared: (members) => (members > 1 ? -own / (members - 1) : 0) }
}
