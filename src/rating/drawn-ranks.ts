import { stream } from '../core/stream.js'
import { ranksOf } from './bootstrap.js'
import { normalDraw } from './normal.js'
import type { Ratings } from './strengths.js'

/** Times that strengths are drawn. */
const DRAWS = 400

/**
 * The interval of each rank at 95 %, from the best to the worst: strengths are drawn about the ratings as their errors are, each by itself. For
 * large fields, whose strengths cannot be fitted anew for hundreds of resamples.
 */
export function drawnRanks(
  { rating, covariance }: Pick<Ratings, 'rating' | 'covariance'>,
  seed: string,
): readonly (readonly [best: number, worst: number])[] {
  const luck = stream('drawn ranks', seed)
  const error = rating.map((_, i) => Math.sqrt(covariance(i, i)))
  const ranks = rating.map(() => new Float64Array(DRAWS))
  for (let n = 0; n < DRAWS; n++) {
    const drawn = rating.map((value, i) => value + (error[i] as number) * normalDraw(luck))
    ranksOf(drawn).forEach((rank, i) => ((ranks[i] as Float64Array)[n] = rank))
  }
  const [low, high] = [0.025, 0.975].map((share) => Math.round(share * (DRAWS - 1))) as [number, number]
  return ranks.map((list) => {
    list.sort()
    return [list[low] as number, list[high] as number]
  })
}
