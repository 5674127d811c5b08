import { blocksOf, hasBlocks, type RatedGame } from './game.js'

/** Blocks that went alike: drawn together they are the same as drawn one by one. */
export interface BlockKinds {
  /** The games of one block of each kind. */
  readonly games: readonly RatedGame[]
  /** The kind of each of these games. */
  readonly of: Int32Array
  /** By kind: how many blocks are of it. */
  readonly blocks: Float64Array
  /** By kind: how often one of its blocks is drawn on average, the mean weight of its games. */
  readonly rate: Float64Array
}

/**
 * The blocks of these games, those together in which the same entrants came out the same in the same seats with the same weights. A
 * million games of thirty entrants are some thousand kinds, and a resample costs as much as there are kinds.
 */
export function blockKinds(games: readonly RatedGame[]): BlockKinds {
  const numbers = new Map<string | number, number>()
  const width = widthOf(games)
  const shown: RatedGame[] = []
  const of: number[] = []
  const blocks: number[] = []
  const rate: number[] = []
  for (const block of gamesByBlock(games)) {
    const key =
      block.length === 1
        ? contentOf(block[0] as RatedGame, width)
        : block
            .map((game) => String(contentOf(game, width)))
            .sort()
            .join(';')
    const known = numbers.get(key)
    const times = block[0]?.times ?? 1
    if (known !== undefined) {
      blocks[known] = (blocks[known] as number) + times
      continue
    }
    numbers.set(key, blocks.length)
    for (const game of block) {
      shown.push(game)
      of.push(blocks.length)
    }
    blocks.push(times)
    rate.push(block.reduce((sum, { weight = 1 }) => sum + weight, 0) / block.length)
  }
  return { games: shown, of: Int32Array.from(of), blocks: Float64Array.from(blocks), rate: Float64Array.from(rate) }
}

function* gamesByBlock(games: readonly RatedGame[]): Iterable<readonly RatedGame[]> {
  if (!hasBlocks(games)) {
    for (const game of games) yield [game]
    return
  }
  const { of, count } = blocksOf(games)
  const lists = Array.from({ length: count }, (): RatedGame[] => [])
  games.forEach((game, g) => lists[of[g] as number]?.push(game))
  yield* lists
}

/**
 * A game of two that counts in full has a number instead of a text, as small a one as may be: most are such, and there may be very many.
 * `width`: more than any entrant's number.
 */
function contentOf({ entrants, place, weight = 1 }: RatedGame, width: number): string | number {
  const [a = 0, b = 0] = entrants
  const [first = 0, second = 0] = place
  const isPlain = entrants.length === 2 && weight === 1 && width <= 2 ** 24 && Math.max(first, second) < 4
  return isPlain ? ((a * width + b) * 4 + first) * 4 + second : `${entrants.join()}:${place.join()}:${weight}`
}

function widthOf(games: readonly RatedGame[]): number {
  let most = 0
  for (const { entrants } of games) for (const entrant of entrants) if (entrant > most) most = entrant
  return most + 1
}
