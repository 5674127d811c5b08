import { hasBlocks, type RatedGame } from './game.js'

/** What playing the same luck in every order of seats does to the variance. */
export interface EqualLuck {
  /**
   * The variance of a score by blocks, divided by what it would be were the games of a block independent: 0.6 means that
   * equal luck saved 40 %. 1 where no block has two games.
   */
  readonly effect: number
  /** How many blocks of two games or more it comes from. */
  readonly blocks: number
}

/** From so few blocks no correlation can be estimated. */
const FEW = 30

/**
 * Measures how the scores within blocks vary together: Σ over blocks and entrants of (Σ r)² against Σ r², r being what an
 * entrant scored in a game above its mean in that seating (Kish's design effect). Seatings seen once do not count.
 */
export function equalLuck(games: readonly RatedGame[]): EqualLuck {
  if (!hasBlocks(games)) return { effect: 1, blocks: 0 }
  const means = new Map<string, { n: number; readonly sum: number[] }>()
  const scored = games.map((game) => ({ game, seating: game.entrants.join('-'), scores: seatScores(game) }))
  for (const { game, seating, scores } of scored) {
    const { times = 1 } = game
    const mean = means.get(seating) ?? { n: 0, sum: scores.map(() => 0) }
    mean.n += times
    scores.forEach((score, seat) => (mean.sum[seat] = (mean.sum[seat] ?? 0) + times * score))
    means.set(seating, mean)
  }
  const blocks = new Map<
    string,
    { n: number; square: number; readonly sum: Map<number, number>; readonly times: number }
  >()
  for (const { game, seating, scores } of scored) {
    const mean = means.get(seating)
    if (game.block === undefined || !mean || mean.n < 2) continue
    const block = blocks.get(game.block) ?? {
      n: 0,
      square: 0,
      sum: new Map<number, number>(),
      times: game.times ?? 1,
    }
    block.n++
    game.entrants.forEach((entrant, seat) => {
      const r = ((scores[seat] ?? 0) - (mean.sum[seat] ?? 0) / mean.n) * (game.weight ?? 1)
      block.square += r * r
      block.sum.set(entrant, (block.sum.get(entrant) ?? 0) + r)
    })
    blocks.set(game.block, block)
  }
  let together = 0
  let alone = 0
  let count = 0
  for (const { n, square, sum, times } of blocks.values()) {
    if (n < 2) continue
    count += times
    alone += times * square
    for (const r of sum.values()) together += times * r * r
  }
  return { effect: alone > 0 ? together / alone : 1, blocks: count }
}

/** The blocks of independent games that an effect is mixed with: no number of equal blocks makes a variance 0. */
const PRIOR = 10

/** What intervals are to be widened (or narrowed) by: the effect, but no gain from so few blocks that it may be chance. */
export function varianceFactor(games: readonly RatedGame[]): number {
  const { effect, blocks } = equalLuck(games)
  const mixed = (effect * blocks + PRIOR) / (blocks + PRIOR)
  return blocks < FEW ? Math.max(1, mixed) : mixed
}

/** By seat: the share of the others that were outdone, equals counting half. */
function seatScores({ place }: RatedGame): readonly number[] {
  return place.map((mine) => {
    let sum = -0.5
    for (const other of place) sum += other > mine ? 1 : other === mine ? 0.5 : 0
    return sum / (place.length - 1)
  })
}
