import { expect, it } from 'vitest'
import type { PlayedContest } from './sources.js'
import { type RatedResult, ratingsAmong } from './ratings.js'

const contest: Pick<PlayedContest, 'format' | 'scoring'> = {
  format: { kind: 'round-robin', repetitions: 4, swap: true, playoff: 0 },
  scoring: { win: 1, draw: 0.5, loss: 0, ties: [] },
}

const tableOf = (entrants: readonly number[]) => ({
  rows: entrants.map((entrant) => ({ entrant, rank: 1 })),
})

it('says of an entrant that has no match yet that anything may be, in words that JSON has', () => {
  const results = [1, 2, 3, 4].map((n): RatedResult => ({
    key: String(n),
    seats: [0, 1],
    outcome: { place: [2, 1], reason: 'test' },
    course: String(n),
    luck: String(n),
    turns: 9,
  }))
  const rows = ratingsAmong(results, 3, tableOf([0, 1, 2]), contest)?.rows ?? []
  expect(rows[2]?.first).toEqual([0, 1])
  expect(JSON.parse(JSON.stringify(rows.map(({ first }) => first)))).toEqual(rows.map(({ first }) => first))
})

/** A duel of scores. */
const scored = (key: string, seats: readonly number[], score: readonly number[]): RatedResult => ({
  key,
  seats,
  outcome: { place: (score[0] ?? 0) > (score[1] ?? 0) ? [1, 2] : [2, 1], score, reason: 'test' },
  course: key,
  luck: key,
  turns: 9,
})

it.each(['swiss', 'elimination', 'hill'] as const)(
  'compares no mean scores of unlike opponents: %s has neither a first place nor ranks',
  (kind) => {
    const results = [0, 1, 2, 3].flatMap((n) => [
      scored(`1/${n}`, [0, 1], [5 + (n % 2), 2]),
      scored(`2/${n}`, [2, 3], [9, 1 + (n % 3)]),
    ])
    const scoring = { ...contest.scoring, by: 'score' } as const
    const among = (format: PlayedContest['format']) =>
      ratingsAmong(results, 5, tableOf([0, 1, 2, 3]), { ...contest, scoring, format })
    const unlike = among({ ...contest.format, kind })
    expect(unlike).toMatchObject({ unlike: true, superiority: [], scores: true })
    expect(unlike?.before).toBeUndefined()
    for (const row of unlike?.rows ?? []) expect([row.first, row.ranks]).toEqual([undefined, undefined])
    const like = among(contest.format)
    expect(like?.unlike).toBeUndefined()
    expect(like?.superiority).toHaveLength(3)
    expect(like?.rows.map(({ rating }) => rating)).toEqual(unlike?.rows.map(({ rating }) => rating))
    expect(like?.rows.map(({ first }) => first)).not.toContain(undefined)
  },
)
