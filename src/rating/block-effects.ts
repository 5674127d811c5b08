import { hasBlocks, type RatedGame } from './game.js'

/** What playing the same luck in every order of seats does to the variance of results. */
export interface BlockEffects {
  /** At [i · field + j]: of the score of i against j, as a multiple of what independent games would have. Symmetric. */
  readonly of: (i: number, j: number) => number
  /** Of the whole field. */
  readonly common: number
  /** The same of what the first seat scores. */
  readonly seat: number
  /** The degrees of freedom with which it is known for these entrants (for all, where none is named); Infinity: there is nothing to know. */
  df(entrants: readonly number[]): number
}

/** A pair that counts as so many blocks of what the whole field has, and the field as so many of independent games. */
const PRIOR_PAIR = 8
const PRIOR_FIELD = 10

const INDEPENDENT: BlockEffects = { of: () => 1, common: 1, seat: 1, df: () => Infinity }

/** The residuals of a pair, or of a field. */
interface Sum {
  /** Σ over blocks of (Σ r)², and of Σ r²; the same with the signs of who sat first. */
  together: number
  alone: number
  seated: number
  blocks: number
}

/**
 * By pair, how the scores within blocks vary together: Σ (Σ r)² over blocks by Σ r², r being what one scored in a game above its mean in
 * that seating (Kish's design effect). A pair has few blocks, so it is taken to have some of the field's as well, and the field some of
 * independent games; so no variance is 0, and none is known for certain. Blocks of one game are no evidence of that.
 */
export function blockEffects(games: readonly RatedGame[], field: number): BlockEffects {
  if (!hasBlocks(games)) return INDEPENDENT
  const pairs = new Map<number, Sum>()
  const whole: Sum = { together: 0, alone: 0, seated: 0, blocks: 0 }
  for (const block of blocksOf(games, field)) {
    if (block.n < 2) continue
    const pair = pairs.get(block.pair) ?? { together: 0, alone: 0, seated: 0, blocks: 0 }
    for (const sum of [pair, whole]) {
      sum.together += block.times * block.sum ** 2
      sum.alone += block.times * block.squares
      sum.seated += block.times * block.first ** 2
      sum.blocks += block.times
    }
    pairs.set(block.pair, pair)
  }
  const unit = whole.blocks > 0 ? whole.alone / whole.blocks : 0
  if (unit === 0) return INDEPENDENT
  const common = (whole.together + PRIOR_FIELD * unit) / (whole.alone + PRIOR_FIELD * unit)
  const effects = new Map(
    [...pairs].map(([pair, { together, alone }]) => [
      pair,
      (together + PRIOR_PAIR * unit * common) / (alone + PRIOR_PAIR * unit),
    ]),
  )
  const blocks = new Float64Array(field)
  for (const [pair, sum] of pairs) {
    for (const e of [Math.floor(pair / field), pair % field]) blocks[e] = (blocks[e] as number) + sum.blocks - 1
  }
  return {
    of: (i, j) => effects.get(Math.min(i, j) * field + Math.max(i, j)) ?? common,
    common,
    seat: (whole.seated + PRIOR_FIELD * unit) / (whole.alone + PRIOR_FIELD * unit),
    df: (entrants) =>
      PRIOR_FIELD + (entrants.length === 0 ? whole.blocks : Math.min(...entrants.map((e) => blocks[e] as number))),
  }
}

/** The residuals of one block, of one pair. */
interface Block {
  readonly pair: number
  readonly times: number
  n: number
  sum: number
  squares: number
  first: number
}

function blocksOf(games: readonly RatedGame[], field: number): Iterable<Block> {
  const means = new Map<string, { n: number; sum: number }>()
  const scored = games.flatMap((game) => pairsIn(game, field))
  for (const { seating, score, times } of scored) {
    const mean = means.get(seating) ?? { n: 0, sum: 0 }
    mean.n += times
    mean.sum += times * score
    means.set(seating, mean)
  }
  const blocks = new Map<string, Block>()
  for (const { seating, score, pair, block, turned, weight, times } of scored) {
    const mean = means.get(seating)
    if (block === undefined || !mean || mean.n < 2) continue
    const key = `${pair}/${block}`
    const known = blocks.get(key) ?? { pair, times, n: 0, sum: 0, squares: 0, first: 0 }
    const r = (score - mean.sum / mean.n) * weight
    known.n++
    known.sum += turned ? -r : r
    known.squares += r * r
    known.first += r
    blocks.set(key, known)
  }
  return blocks.values()
}

/** The pairs of a game, with what the one in the earlier seat scored of 1. */
function pairsIn({ entrants, place, block, weight = 1, times = 1 }: RatedGame, field: number) {
  const rest = { block, weight, times }
  return entrants.flatMap((a, s) =>
    entrants.slice(s + 1).map((b, k) => {
      const lead = (place[s + 1 + k] as number) - (place[s] as number)
      const score = lead > 0 ? 1 : lead < 0 ? 0 : 0.5
      const turned = a > b
      // The same two in other seats of a larger game are another seating.
      const seating = `${a}-${b}/${s}-${s + 1 + k}`
      return { ...rest, seating, score, turned, pair: Math.min(a, b) * field + Math.max(a, b) }
    }),
  )
}
