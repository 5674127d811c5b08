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
  const means = new Map<number, { n: number; sum: number }>()
  const seats = games.reduce((most, { entrants }) => Math.max(most, entrants.length), 0)
  // The same two in other seats of a larger game are another seating.
  const seatingOf = (a: number, b: number, s: number, t: number): number => ((a * field + b) * seats + s) * seats + t
  for (const game of games) {
    eachPair(game, (a, b, s, t, score) => {
      const { times = 1 } = game
      const mean = getOrInsert(means, seatingOf(a, b, s, t), () => ({ n: 0, sum: 0 }))
      mean.n += times
      mean.sum += times * score
    })
  }
  const blocks: Block[] = []
  const byPair = new Map<number, Map<RatedGame['block'], Block>>()
  for (const game of games) {
    const { block, weight = 1, times = 1 } = game
    if (block === undefined) continue
    eachPair(game, (a, b, s, t, score) => {
      const mean = means.get(seatingOf(a, b, s, t))
      if (!mean || mean.n < 2) return
      const pair = Math.min(a, b) * field + Math.max(a, b)
      const known = getOrInsert(
        getOrInsert(byPair, pair, () => new Map<RatedGame['block'], Block>()),
        block,
        () => {
          const fresh = { pair, times, n: 0, sum: 0, squares: 0, first: 0 }
          blocks.push(fresh)
          return fresh
        },
      )
      const r = (score - mean.sum / mean.n) * weight
      known.n++
      known.sum += a > b ? -r : r
      known.squares += r * r
      known.first += r
    })
  }
  return blocks
}

function getOrInsert<K, V>(map: Map<K, V>, key: K, make: () => V): V {
  const known = map.get(key)
  if (known !== undefined) return known
  const made = make()
  map.set(key, made)
  return made
}

/** The pairs of a game by their seats, with what the one in the earlier seat scored of 1. */
function eachPair(
  { entrants, place }: RatedGame,
  take: (a: number, b: number, seat: number, other: number, score: number) => void,
): void {
  for (const [s, a] of entrants.entries()) {
    for (let t = s + 1; t < entrants.length; t++) {
      const lead = (place[t] as number) - (place[s] as number)
      take(a, entrants[t] as number, s, t, lead > 0 ? 1 : lead < 0 ? 0 : 0.5)
    }
  }
}
