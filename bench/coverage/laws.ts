import { type RatedGame, normalDraw } from '../../src/stats/index.js'
import type { Stream } from '../../src/stats/stream.js'
import { playedByTwo, roundRobinOf } from '../../test/kit/players.js'

/** A field of known strengths and how its games come about. */
export interface Law {
  readonly name: string
  /** In Elo. */
  readonly elo: readonly number[]
  /** Games a pair, half of them in either order of seats. */
  readonly games: number
  /** Davidson's ν. */
  readonly nu?: number
  /** What the first seat is worth, in Elo. */
  readonly seat?: number
  /** The share of pairs of games in which one throw decides both. */
  readonly mirrored?: number
}

const down = (n: number, from: number, step: number): number[] => Array.from({ length: n }, (_, i) => from - step * i)

export const LAWS: readonly Law[] = [
  { name: 'equal', elo: [0, 0, 0, 0, 0, 0], games: 10 },
  { name: 'near equal', elo: [25, 15, 5, -5, -15, -25], games: 20 },
  { name: 'spread', elo: [200, 120, 40, -40, -120, -200], games: 20 },
  { name: 'spread, few games', elo: [200, 120, 40, -40, -120, -200], games: 2 },
  { name: 'sixteen, with draws', elo: down(16, 300, 40), games: 6, nu: 0.5 },
  { name: 'nine of ten drawn', elo: [200, 120, 40, -40, -120, -200], games: 20, nu: 18 },
  { name: 'far apart', elo: [600, 300, 0, -300, -600], games: 10 },
  { name: 'two, 600 apart', elo: [300, -300], games: 30 },
  { name: 'two groups', elo: [160, 140, 120, -120, -140, -160], games: 10 },
  { name: 'skewed', elo: [350, 50, -50, -100, -120, -130], games: 10 },
  { name: 'the seat worth 200', elo: [100, 30, -30, -100], games: 20, seat: 200 },
  { name: 'the seat worth 400', elo: [200, 60, -60, -200], games: 20, seat: 400 },
  { name: 'half mirrored luck', elo: [150, 50, -50, -150], games: 20, mirrored: 0.5 },
  { name: 'mirrored luck', elo: [200, 70, -70, -200], games: 20, mirrored: 1 },
  { name: 'mirrored luck, two blocks a pair', elo: [200, 70, -70, -200], games: 4, mirrored: 1 },
]

/** A tournament of a law's field. */
export function played({ elo, games, nu = 0, seat = 0, mirrored }: Law, luck: Stream): readonly RatedGame[] {
  const pairs = roundRobinOf(elo.length, games)
  let same: number | undefined
  return pairs.map((pair, n): RatedGame => {
    if (mirrored === undefined) return playedByTwo(luck, elo, pair, nu, seat)
    // Both orders of a pair follow each other, and share their luck.
    if (n % 2 === 0) same = luck.uniform() < mirrored ? luck.uniform() : undefined
    const u = same
    const thrown = u === undefined ? luck : { ...luck, uniform: () => u }
    return { ...playedByTwo(thrown, elo, pair, nu, seat), block: String(n >> 1) }
  })
}

/** Fields as they may be: of different sizes, spread by 0 to 200 Elo, evenly, normally or with a few far ahead. */
export function anyField(luck: Stream): readonly number[] {
  const spread = 200 * luck.uniform()
  const shape = [() => normalDraw(luck), () => 3.46 * (luck.uniform() - 0.5), () => -Math.log(1 - luck.uniform())][
    luck.below(3)
  ]
  return Array.from({ length: 2 + luck.below(11) }, () => spread * (shape?.() ?? 0))
}

/** How strengths of a field are drawn, in Elo. */
export const FIELDS: Readonly<Record<string, (luck: Stream, field: number) => readonly number[]>> = {
  'near equal': (luck, field) => Array.from({ length: field }, () => 20 * normalDraw(luck)),
  normal: (luck, field) => Array.from({ length: field }, () => 150 * normalDraw(luck)),
  'two groups': (luck, field) =>
    Array.from({ length: field }, (_, i) => (i % 4 === 0 ? 150 : -50) + 20 * normalDraw(luck)),
  skewed: (luck, field) => Array.from({ length: field }, () => -120 * Math.log(1 - luck.uniform())),
}

const cubes = (luck: Stream): number => normalDraw(luck) ** 2 + normalDraw(luck) ** 2 + normalDraw(luck) ** 2

/** Scores of a block whose mean is 0: normal, skewed, or rarely great. */
export const SCORES: Readonly<Record<string, (luck: Stream) => number>> = {
  normal: (luck) => normalDraw(luck),
  skewed: (luck) => -Math.log(1 - luck.uniform()) - 1,
  'heavy tails (t, 3 degrees of freedom)': (luck) => normalDraw(luck) / Math.sqrt(cubes(luck) / 3),
  lognormal: (luck) => Math.exp(normalDraw(luck)) - Math.exp(0.5),
  'a jackpot of 2 %': (luck) => (luck.uniform() < 0.02 ? 49 : -1),
}
