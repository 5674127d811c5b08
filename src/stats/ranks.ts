import { type Belief, drawing, picked } from './first-place.js'
import { stream } from './stream.js'

/** Draws of values; fewer in large fields: each takes the square of the field. */
const DRAWS = 4000
const COST = 3e8

/** From the best to the worst rank. */
export type RankInterval = readonly [best: number, worst: number]

/** Ranks, 1 for the greatest: as many as are greater, and one. What differs by rounding alone shares a rank; NaN is behind all. */
export function ranksOf(values: ArrayLike<number>): readonly number[] {
  const sorted = Float64Array.from(values)
    .filter((value) => !Number.isNaN(value))
    .sort()
  return Array.from(values, (mine) => {
    if (Number.isNaN(mine)) return sorted.length + 1
    // The first that is more, by halving.
    let [low, high] = [0, sorted.length]
    while (low < high) {
      const middle = (low + high) >> 1
      if ((sorted[middle] as number) > mine + 1e-9) high = middle
      else low = middle + 1
    }
    return 1 + sorted.length - low
  })
}

/** The interval of each rank at 95 %, of true values drawn as they are believed to be. It holds the rank by `values`. */
export function rankIntervals(beliefs: readonly Belief[], values: readonly number[]): readonly RankInterval[] {
  const field = values.length
  const times = Math.min(DRAWS, Math.max(400, Math.floor(COST / field ** 2)))
  // In the values' order: draws do not depend on places in a file.
  const order = values.map((_, i) => i).sort((a, b) => (values[b] as number) - (values[a] as number))
  const ranks = values.map((): number[] => [])
  for (const belief of beliefs) {
    const draw = drawing(picked(belief, order, field))
    const luck = stream('ranks')
    for (let t = Math.round(belief.share * times); t > 0; t--)
      ranksOf(draw(luck)).forEach((rank, k) => ranks[order[k] as number]?.push(rank))
  }
  return intervalsOf(ranks, ranksOf(values))
}

/** The middle 95 % of each entrant's ranks, and its own. */
export function intervalsOf(drawn: readonly (readonly number[])[], ranks: readonly number[]): readonly RankInterval[] {
  return drawn.map((list, i) => {
    const sorted = Float64Array.from(list).sort()
    const own = ranks[i] as number
    const at = (share: number): number => sorted[Math.round(share * (sorted.length - 1))] ?? own
    return [Math.min(own, at(0.025)), Math.max(own, at(0.975))]
  })
}
