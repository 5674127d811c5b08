import { type Bounds, meanInterval } from './betting.js'
import type { ScoredCompany } from './companies.js'
import { type Means, studentInterval } from './means.js'

/** A kurtosis beyond: a normal law has 3, an exponential one 9. */
const HEAVY = 8
/** Beyond this, intervals miss only so much: of few blocks the kurtosis does not tell whether great scores are rare. */
const SUSPECT = 4
const CAUTION = 0.4
/** A game whose scores may differ by so many times what they did may have others in store. */
const UNSEEN = 10

export interface ScoreIntervals {
  /** Few scores carry nearly all variance: how many came up is chance, and Student's t does not hold. */
  readonly rare: boolean
  /** By entrant; undefined: nothing tells how its scores vary. */
  readonly interval: (entrant: number) => readonly [low: number, high: number] | undefined
}

/** Intervals of means by Student's t; where few scores carry the variance, by `meanInterval` if bounded, else none. */
export function scoreIntervals(
  companies: readonly ScoredCompany[],
  means: Means,
  confidence: number,
  bounds?: Bounds,
): ScoreIntervals {
  const { kurtosis, isFar } = spreadOf(companies, bounds)
  const rare = isFar || kurtosis > HEAVY
  const cautious = 1 - (1 - confidence) * (kurtosis > SUSPECT ? CAUTION : 1)
  return {
    rare,
    interval(entrant) {
      if (!rare) return studentInterval(means.of(entrant), cautious)
      if (bounds === undefined || Number.isNaN(means.mean[entrant])) return undefined
      const { low, high } = meanInterval(valuesOf(companies, entrant, bounds), bounds, confidence)
      return [low, high]
    },
  }
}

/** The kurtosis of all blocks (0 if equal); and whether the bounds leave room for scores far from all that came up. */
function spreadOf(companies: readonly ScoredCompany[], bounds: Bounds | undefined) {
  const sums = { n: 0, squares: 0, fourths: 0 }
  let [least, most] = [Infinity, -Infinity]
  for (const { members, residuals, counts, blocks, mean } of companies) {
    for (let k = 0; k < residuals.length; k++) {
      const times = counts[Math.floor(k / members.length)] as number
      // What a match of the block was above the mean.
      const off = (residuals[k] as number) * blocks
      sums.n += times
      sums.squares += times * off ** 2
      sums.fourths += times * off ** 4
      const value = off + (mean[k % members.length] as number)
      least = Math.min(least, value)
      most = Math.max(most, value)
    }
  }
  return {
    kurtosis: sums.squares > 0 ? (sums.n * sums.fourths) / sums.squares ** 2 : 0,
    isFar: bounds !== undefined && bounds.max - bounds.min > UNSEEN * (most - least),
  }
}

function valuesOf(
  companies: readonly ScoredCompany[],
  entrant: number,
  { min, max }: Bounds,
): ReadonlyMap<number, number> {
  const values = new Map<number, number>()
  for (const { members, residuals, counts, blocks, mean } of companies) {
    const m = members.indexOf(entrant)
    if (m < 0) continue
    counts.forEach((times, k) => {
      const value = (mean[m] as number) + (residuals[k * members.length + m] as number) * blocks
      // Sums of scores are rounded.
      const within = Math.min(max, Math.max(min, value))
      values.set(within, (values.get(within) ?? 0) + times)
    })
  }
  return values
}
