import type { ScoredGame } from './companies.js'
import type { RatedGame } from './game.js'

/** What equal luck in every order of seats does to the variance. */
export interface EqualLuck {
  /** The variance of a score by blocks over that of independent games (0.6: 40 % saved); 1 if no block has two games. */
  readonly effect: number
  /** How many blocks of two games or more it comes from. */
  readonly blocks: number
}

type GameInBlock = Pick<RatedGame, 'entrants' | 'weight' | 'times'> & { readonly block?: string | number }

interface Block {
  readonly times: number
  n: number
  square: number
  readonly sums: Map<number, number>
}

/** Adds up games' distances from expectation, by block. */
export class BlockSums {
  private readonly blocks = new Map<string | number, Block>()

  /** `off`: by entrant of the game. */
  add({ entrants, block: name, weight = 1, times = 1 }: GameInBlock, off: readonly number[]): void {
    if (name === undefined) return
    const block = this.blocks.get(name) ?? { n: 0, square: 0, sums: new Map<number, number>(), times }
    this.blocks.set(name, block)
    block.n++
    entrants.forEach((entrant, seat) => {
      const r = (off[seat] ?? 0) * weight
      block.square += r * r
      block.sums.set(entrant, (block.sums.get(entrant) ?? 0) + r)
    })
  }

  /** Of blocks of two games or more: Σ over blocks and entrants of (Σ r)², Σ r², and how many blocks and games there are. */
  sums(): { readonly together: number; readonly alone: number; readonly blocks: number; readonly games: number } {
    const sum = { together: 0, alone: 0, blocks: 0, games: 0 }
    for (const { n, square, sums, times } of this.blocks.values()) {
      if (n < 2) continue
      sum.blocks += times
      sum.games += times * n
      sum.alone += times * square
      for (const r of sums.values()) sum.together += times * r * r
    }
    return sum
  }
}

/**
 * How scores within blocks vary together: Σ (Σ r)² against Σ r², r being a score above the entrant's mean in that seating (Kish's design
 * effect). Seatings seen once do not count.
 */
export function equalLuckOfScores(games: readonly (ScoredGame & Pick<RatedGame, 'weight'>)[]): EqualLuck {
  const means = new Map<string, { n: number; readonly sums: number[] }>()
  for (const { entrants, scores, times = 1 } of games) {
    const mean = means.get(entrants.join()) ?? { n: 0, sums: scores.map(() => 0) }
    means.set(entrants.join(), mean)
    mean.n += times
    scores.forEach((score, seat) => (mean.sums[seat] = (mean.sums[seat] ?? 0) + times * score))
  }
  const blocks = new BlockSums()
  for (const game of games) {
    const mean = means.get(game.entrants.join())
    if (mean === undefined || mean.n < 2) continue
    const off = game.scores.map((score, seat) => score - (mean.sums[seat] ?? 0) / mean.n)
    blocks.add(game, off)
  }
  const { together, alone, blocks: count } = blocks.sums()
  return { effect: alone > 0 ? together / alone : 1, blocks: count }
}

/** The same where wins count: a seat scores the share of the others it outdid, equals half. */
export const equalLuck = (games: readonly RatedGame[]): EqualLuck =>
  equalLuckOfScores(games.map((game, i) => ({ ...game, scores: seatScores(game.place), block: game.block ?? i })))

/** By seat: the share of the others behind it, and half of its equals. */
export function seatScores(place: readonly number[]): readonly number[] {
  return place.map((mine) => {
    let sum = -0.5
    for (const other of place) sum += other > mine ? 1 : other === mine ? 0.5 : 0
    return sum / (place.length - 1)
  })
}
