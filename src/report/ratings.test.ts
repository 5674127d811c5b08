import { expect, it } from 'vitest'
import type { ContestFacts } from './sources.js'
import { type RatedResult, ratingsAmong } from './ratings.js'

const contest: Pick<ContestFacts, 'seed' | 'format' | 'scoring'> = {
  seed: 's',
  format: { kind: 'round-robin', repetitions: 4, swap: true, playoff: 0 },
  scoring: { win: 1, draw: 0.5, loss: 0, ties: [] },
}

it('says of an entrant that has no match yet that anything may be, in words that JSON has', () => {
  const results = [1, 2, 3, 4].map((n): RatedResult => ({
    key: String(n),
    seats: [0, 1],
    outcome: { place: [2, 1], reason: 'test' },
    course: String(n),
    luck: String(n),
    turns: 9,
  }))
  const rows = ratingsAmong(results, 3, [0, 1, 2], contest)?.rows ?? []
  expect(rows[2]?.first).toEqual([0, 1])
  expect(JSON.parse(JSON.stringify(rows.map(({ first }) => first)))).toEqual(rows.map(({ first }) => first))
})
