import { expect, it } from 'vitest'
import type { FormatKind, FormatSpec } from '../core/index.js'
import { type RatedResult, ratingsAmong } from './ratings.js'

const NAMES = { strong: 0, other: 1, weak: 2, last: 3, hard: 4, easy: 5 }

/** Games of two, each of its own course and luck, of which the first wins so many; seats are swapped from game to game. */
function games(first: number, second: number, won: number, n: number): RatedResult[] {
  return Array.from({ length: n }, (_, i) => {
    const key = `1/${first}-${second}/${i}`
    const place = i < won ? [1, 2] : [2, 1]
    const isSwapped = i % 2 === 1
    const seats = isSwapped ? [second, first] : [first, second]
    return {
      key,
      seats,
      outcome: { place: isSwapped ? place.reverse() : place, reason: 'won' },
      course: key,
      luck: key,
      turns: 1,
    }
  })
}

/** The upper end of the first place, by entrant, and the middle of the ranks. */
function crown(kind: FormatKind) {
  const { strong, other, weak, last, hard, easy } = NAMES
  const results = [
    ...games(strong, other, 10, 20),
    ...games(weak, last, 10, 20),
    ...games(strong, weak, 18, 20),
    ...games(other, last, 18, 20),
    // As many points, of opponents that are unlike.
    ...games(hard, strong, 15, 20),
    ...games(hard, other, 15, 20),
    ...games(easy, weak, 15, 20),
    ...games(easy, last, 15, 20),
  ]
  const format: FormatSpec = { kind, repetitions: 1, swap: true, playoff: 0 }
  const scoring = { win: 1, draw: 0.5, loss: 0, ties: [] }
  const ratings = ratingsAmong(results, 6, [0, 1, 2, 3, 4, 5], { seed: 'crown', format, scoring })
  const of = (entrant: number) => {
    const row = ratings?.rows[entrant]
    return { first: typeof row?.first === 'number' ? row.first : (row?.first[1] ?? Number.NaN), ranks: row?.ranks }
  }
  return { hard: of(hard), easy: of(easy) }
}

it.each(['swiss', 'elimination', 'ladder', 'hill'] as const)(
  'who scored as much against the strong is likelier the best in a %s',
  (kind) => {
    const { hard, easy } = crown(kind)
    expect(hard.first).toBeGreaterThan(0.9)
    expect(easy.first).toBeLessThan(0.1)
    expect([hard.ranks?.[0], (easy.ranks?.[0] ?? 0) > 1]).toEqual([1, true])
  },
)

it('points decide where everyone is to meet everyone', () => {
  const { hard, easy } = crown('round-robin')
  expect(easy.first).toBeGreaterThan(0.3)
  expect(hard.first).toBeGreaterThan(0.3)
  expect([hard.ranks?.[0], easy.ranks?.[0]]).toEqual([1, 1])
})
