import { type Stream, stream } from '../core/stream.js'
import { companiesOf, type RatedGame, blocksOf, hasBlocks } from './game.js'
import { type PoissonLimits, poissonLimits, poissons } from './poisson.js'
import type { Rule } from './statistics.js'
import { normalDraw } from './normal.js'
import type { Ratings } from './strengths.js'

/** How a ranking would have varied, by entrant. */
export interface Bootstrap {
  /** Of the games as they are. */
  readonly rating: readonly number[]
  /** The interval of the rating that holds `confidence` of the resamples, equal shares left out on both sides. */
  readonly low: readonly number[]
  readonly high: readonly number[]
  /** The probability of the first place: the share of the resamples in which it was the entrant's; a shared one is divided. */
  readonly first: readonly number[]
  /** The interval of the rank, from the best to the worst; 1 is best. */
  readonly ranks: readonly (readonly [best: number, worst: number])[]
  readonly confidence: number
  readonly resamples: number
}

export interface BootstrapOptions {
  /** The same seed gives the same resamples. */
  readonly seed: string
  readonly resamples?: number
  readonly confidence?: number
}

/** Games made ready to be resampled: once for all the rules by which they are ranked. */
export interface Resampling {
  readonly kinds: BlockKinds
  /** By game of the prior: how often it is drawn on average. */
  readonly virtual: readonly { readonly game: RatedGame; readonly rate: number }[]
  /** The games of the blocks, and behind them the virtual ones. */
  readonly all: readonly RatedGame[]
  /** By seed: what was drawn already. */
  readonly drawn: Map<string, Draws>
  /** Computed when it is first drawn from. */
  law?: Law
}

/** Throws a RangeError where there are no games. Linear in the games. */
export function resampling(games: readonly RatedGame[]): Resampling {
  if (games.length === 0) throw new RangeError('there are no games to resample')
  const kinds = blockKinds(games)
  const virtual = virtualGames(games)
  return { kinds, virtual, all: [...kinds.games, ...virtual.map(({ game }) => game)], drawn: new Map() }
}

/** Numbers that are kept of what was drawn, for the next rule, at most: 64 MB of them. */
const KEPT = 16e6

/** What a stream has drawn so far, resample by resample. */
interface Draws {
  readonly luck: Stream
  readonly kept: Float32Array[]
}

/** How often each kind of block, and then each virtual game, is drawn on average. */
interface Law {
  readonly means: Float64Array
  readonly limits: PoissonLimits
}

/**
 * How often each kind of block, and then each virtual game, is drawn, resample by resample. It is the same for all rules: to draw takes
 * as long as most of them do, so it is kept where that is not too much.
 */
function* drawsOf(ready: Resampling, seed: string, resamples: number): Generator<Float32Array> {
  const { means, limits } = (ready.law ??= lawOf(ready))
  const fresh = (): Draws => ({ luck: stream('bootstrap', seed), kept: [] })
  const isKept = means.length * resamples <= KEPT
  const { luck, kept } = (isKept ? ready.drawn.get(seed) : undefined) ?? fresh()
  if (isKept) ready.drawn.set(seed, { luck, kept })
  for (let b = 0; b < resamples; b++) {
    const next = kept[b] ?? new Float32Array(means.length)
    if (kept[b] === undefined) poissons(luck, means, limits, next)
    if (isKept && b === kept.length) kept.push(next)
    yield next
  }
}

function lawOf({ kinds, virtual }: Resampling): Law {
  const { blocks, rate } = kinds
  // A Poisson number for each of m blocks that went alike is, in their sum, one of m times the mean.
  const means = new Float64Array(blocks.length + virtual.length)
  for (let i = 0; i < blocks.length; i++) means[i] = (blocks[i] as number) * (rate[i] as number)
  virtual.forEach((one, i) => (means[blocks.length + i] = one.rate))
  return { means, limits: poissonLimits(means) }
}

/**
 * Resamples the games by block, `resamples` times, and looks how the rule's rating and ranking vary (Efron 1979, with each
 * block drawn a Poisson number of times instead of all together a fixed number: Chamandy et al. 2012). A block is drawn once on
 * average, and a block of repeated games, which weigh less than 1, so much more rarely: a hundred times the same game is there
 * or is not, as one. Each entrant has one virtual game on average (`virtualGames`), so that unanimous results, which no
 * resampling would vary, are not certain. Throws a RangeError where there are no games.
 */
export function bootstrap(
  games: readonly RatedGame[] | Resampling,
  field: number,
  rule: Rule,
  { seed, resamples = 1000, confidence = 0.95 }: BootstrapOptions,
): Bootstrap {
  const ready = 'kinds' in games ? games : resampling(games)
  const { kinds, virtual, all } = ready
  const { of, blocks } = kinds
  const statistic = rule(all, field)
  const weights = new Float64Array(of.length + virtual.length)
  const isPlain = of.every((kind, g) => kind === g) && of.length === blocks.length
  // The table itself: each game as often as it was played, no virtual one.
  for (let g = 0; g < of.length; g++) weights[g] = blocks[of[g] as number] as number
  const rating = statistic(weights)
  const values = rating.map(() => new Float64Array(resamples))
  const ranks = rating.map(() => new Float64Array(resamples))
  const first = new Float64Array(field)
  let b = 0
  for (const times of drawsOf(ready, seed, resamples)) {
    if (isPlain) weights.set(times)
    else {
      for (let g = 0; g < of.length; g++) weights[g] = times[of[g] as number] as number
      weights.set(times.subarray(blocks.length), of.length)
    }
    const sample = statistic(weights)
    const ranking = ranksOf(sample)
    const top = ranking.filter((rank) => rank === 1).length
    for (let i = 0; i < field; i++) {
      ;(values[i] as Float64Array)[b] = sample[i] as number
      ;(ranks[i] as Float64Array)[b] = ranking[i] as number
      if (ranking[i] === 1) first[i] = (first[i] as number) + 1 / top
    }
    b++
  }
  const tail = (1 - confidence) / 2
  for (const list of [...values, ...ranks]) list.sort()
  return {
    rating,
    low: values.map((v) => at(v, tail)),
    high: values.map((v) => at(v, 1 - tail)),
    first: Array.from(first, (n) => n / resamples),
    ranks: ranks.map((r) => [at(r, tail), at(r, 1 - tail)]),
    confidence,
    resamples,
  }
}

/**
 * The prior of a resample: games that might as well have been played. Each company that met has one for each
 * rotation of the places, so that no entrant is favoured; together an entrant has one such game a resample, on average.
 */
function virtualGames(games: readonly RatedGame[]): readonly { readonly game: RatedGame; readonly rate: number }[] {
  const played = new Map<number, number>()
  for (const { entrants, times = 1 } of games) for (const e of entrants) played.set(e, (played.get(e) ?? 0) + times)
  const rotations = new Map<number, readonly (readonly number[])[]>()
  return companiesOf(games).flatMap(({ members, games: met }) => {
    const size = members.length
    let all = 0
    for (const g of met) all += games[g]?.times ?? 1
    let rate = 0
    for (const e of members) rate += all / (played.get(e) ?? 1)
    rate /= size
    if (!rotations.has(size)) rotations.set(size, rotationsOf(size))
    return (rotations.get(size) ?? []).map((place) => ({ game: { entrants: members, place }, rate: rate / size }))
  })
}

/** The places of so many, each of whom is the first in one of the lists. */
const rotationsOf = (size: number): readonly (readonly number[])[] =>
  Array.from({ length: size }, (_, k) => Array.from({ length: size }, (_member, i) => ((i + k) % size) + 1))

/** By entrant: 1 and how many have more; equals (but for rounding) share. */
export function ranksOf(values: readonly number[]): readonly number[] {
  const sorted = Float64Array.from(values.filter((value) => !Number.isNaN(value))).sort()
  return values.map((mine) => {
    // The first that is more, by halving; nothing is more than what is no number.
    let [low, high] = [0, sorted.length]
    while (low < high) {
      const middle = (low + high) >> 1
      if ((sorted[middle] as number) > mine + 1e-9) high = middle
      else low = middle + 1
    }
    return 1 + sorted.length - low
  })
}

/** The value below which `share` of the sorted values lie. */
function at(sorted: Float64Array, share: number): number {
  const index = Math.round(share * (sorted.length - 1))
  return sorted[index] as number
}

/** Blocks that went alike: drawn together they are the same as drawn one by one. */
interface BlockKinds {
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
