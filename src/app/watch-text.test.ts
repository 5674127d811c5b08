import { expect, it } from 'vitest'
import type { Duel } from './duel.js'
import { watchText } from './watch-text.js'

const [FROM, TO] = [Number.NEGATIVE_INFINITY, Number.POSITIVE_INFINITY]

/** What is said of a duel with this score and this interval of Elo. */
function said(score: Duel['score'], [rating, low, high]: readonly [number, number, number], fixed = false): string {
  const duel = { score, fixed, elo: { rating, low, high } } as Duel
  return watchText({ type: 'duelled', bot: 'Heron', duel })?.trim() ?? ''
}

it.each<[Parameters<typeof said>, string]>([
  [
    [
      [12, 3, 5],
      [127, 10, 271],
    ],
    '12 won, 3 drawn, 5 lost: better (+127 Elo, 95 %: +10 to +271)',
  ],
  [
    [
      [5, 3, 12],
      [-127, -271, -10],
    ],
    '5 won, 3 drawn, 12 lost: worse (−127 Elo, 95 %: −271 to −10)',
  ],
  [
    [
      [5, 1, 6],
      [-20, -300, 250],
    ],
    '5 won, 1 drawn, 6 lost: not distinguishable yet (−20 Elo, 95 %: −300 to +250)',
  ],
  // Where one side lost no game, the estimate is the prior's and says little: the games give a bound.
  [
    [
      [0, 0, 100],
      [-942, FROM, -597.9],
    ],
    '0 won, 0 drawn, 100 lost: worse (below −598 Elo, 95 %)',
  ],
  [
    [
      [100, 0, 0],
      [942, 597.9, TO],
    ],
    '100 won, 0 drawn, 0 lost: better (above +598 Elo, 95 %)',
  ],
  [
    [
      [0, 0, 2],
      [-351, FROM, 142.8],
    ],
    '0 won, 0 drawn, 2 lost: not distinguishable yet (below +143 Elo, 95 %)',
  ],
  // Two bots whose games are the same each time: a sweep is certain, though it is no more than two games.
  [[[0, 0, 100], [-351, FROM, 142.8], true], '0 won, 0 drawn, 100 lost: worse: each game is the same again'],
  [[[50, 50, 0], [200, -142.8, TO], true], '50 won, 50 drawn, 0 lost: better: each game is the same again'],
  [[[50, 0, 50], [0, -500, 500], true], '50 won, 0 drawn, 50 lost: no difference: each game is the same again'],
])('says what a duel shows: %#', (given, text) => {
  expect(said(...given)).toBe(`against its version of before: ${text}`)
})
