import type { ScoredCompany } from './mean-games.js'

/** A company's variance counts as so many blocks of what the others have. */
const PRIOR = 2

/** What blocks of some companies vary by. */
export interface Pool {
  /** The variance of a match's score, and the covariance of two members', in blocks as they are. */
  readonly own: number
  readonly shared: number
  /** Degrees of freedom with which that is known. */
  readonly df: number
}

/** A company's part of a pool. */
interface Part {
  readonly own: number
  readonly owns: number
  readonly shared: number
  readonly pairs: number
  readonly df: number
}

/**
 * By company: what blocks of the others of its size vary by; undefined where none of those has two. Linear in blocks and companies. Of
 * companies of different sizes (pairs, and an entrant that meets itself) variances and covariances would not belong together.
 */
export function poolsOf(companies: readonly ScoredCompany[]): readonly (Pool | undefined)[] {
  const parts = companies.map(partOf)
  const sums = new Map<number, Part>()
  companies.forEach(({ members }, c) =>
    sums.set(members.length, plus(sums.get(members.length) ?? NOTHING, parts[c] as Part)),
  )
  return parts.map((part, c) => {
    const { own, owns, shared, pairs, df } = plus(sums.get(companies[c]?.members.length ?? 0) ?? NOTHING, part, -1)
    return df < 1 ? undefined : { own: Math.max(0, own / owns), shared: pairs < 1 ? 0 : shared / pairs, df }
  })
}

const NOTHING: Part = { own: 0, owns: 0, shared: 0, pairs: 0, df: 0 }

const plus = (a: Part, b: Part, times = 1): Part => ({
  own: a.own + times * b.own,
  owns: a.owns + times * b.owns,
  shared: a.shared + times * b.shared,
  pairs: a.pairs + times * b.pairs,
  df: a.df + times * b.df,
})

function partOf({ members, residuals, blocks, n }: ScoredCompany): Part {
  if (blocks < 2) return NOTHING
  const size = members.length
  let own = 0
  let shared = 0
  for (let k = 0; k < blocks; k++) {
    let sum = 0
    let squares = 0
    for (let m = 0; m < size; m++) {
      const r = residuals[k * size + m] as number
      sum += r
      squares += r * r
    }
    own += squares
    shared += sum * sum - squares
  }
  // Of one match: the variance of the mean, times how many there are.
  const one = n * blocks
  const df = blocks - 1
  return { own: one * own, owns: df * size, shared: one * shared, pairs: df * size * (size - 1), df }
}

/** How much of a company's variance comes from the pool, in blocks. */
export const pooledBlocks = (pool: Pool | undefined): number => (pool === undefined ? 0 : Math.min(PRIOR, pool.df))
