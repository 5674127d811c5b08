import { expect, it } from 'vitest'
import type { PlayedContest } from './sources.js'
import { type RatedResult, ratingsAmong } from './ratings.js'
import { WHOLE, bradleyTerry, drawnRanks, gamesOf } from '../stats/index.js'

const contest: Pick<PlayedContest, 'seed' | 'format' | 'scoring'> = {
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
      ratingsAmong(results, 5, [0, 1, 2, 3], { ...contest, scoring, format })
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

it('takes games of three of a large field as pairs, and draws its ranks about the strengths', () => {
  const field = WHOLE + 2
  const results: RatedResult[] = []
  // Who has the lower number wins, and every fifth game is lost to the last of the three.
  for (let n = 0; n < 6 * field; n++) {
    const seats = [n % field, (n * 7 + 1) % field, (n * 11 + 2) % field]
    if (new Set(seats).size < 3) continue
    const order = [...seats].sort((a, b) => a - b)
    if (n % 5 === 0) order.reverse()
    const place = seats.map((entrant) => order.indexOf(entrant) + 1)
    results.push({ key: `${n}`, seats, outcome: { place, reason: 'test' }, course: `${n}`, luck: `${n}`, turns: 9 })
  }
  const all = Array.from({ length: field }, (_, entrant) => entrant)
  const ratings = ratingsAmong(results, field, all, { ...contest, format: { ...contest.format, kind: 'swiss' } })
  expect(ratings).toMatchObject({ model: 'Bradley–Terry', resamples: 0 })
  const pairs = bradleyTerry(gamesOf(results, { course: ({ course }) => course, deal: ({ luck }) => luck }), field)
  expect(ratings?.rows.map(({ rating }) => rating)).toEqual(pairs.rating)
  expect(ratings?.rows.map(({ ranks }) => ranks)).toEqual(drawnRanks(pairs, contest.seed))
  const [best, last] = [ratings?.rows[0], ratings?.rows.at(-1)]
  for (const { ranks, rating, low, high } of ratings?.rows ?? []) {
    expect(ranks?.[0]).toBeLessThanOrEqual(ranks?.[1] ?? 0)
    expect(low).toBeLessThan(rating)
    expect(high).toBeGreaterThan(rating)
  }
  expect(best?.ranks?.[1]).toBeLessThan(last?.ranks?.[0] ?? 0)
})
