import { expect, it } from 'vitest'
import type { StoredRun, Store } from '../../store/index.js'
import { playScored } from '../../../test/kit/scored-run.js'
import { TestContest } from '../../../test/kit/stored-run.js'
import { bradleyTerry } from '../../stats/index.js'
import { type RunStandings, standingsOfRun, withRun } from '../stored.js'
import { ratedGames, strengthsOfRun } from './run-ratings.js'

it('the strengths beside a very long run are those that were kept, in the order of its table', async () => {
  const row = (entrant: number, value: number) => ({
    entrant,
    kind: 'Bradley–Terry',
    value,
    low: value - 9,
    high: value + 9,
  })
  const store = { ratings: async () => [row(0, -20), row(1, 20)] } as unknown as Store
  const rows = [
    { rank: 1, entrant: 1, name: 'Bee', points: 9, cells: [] },
    { rank: 2, entrant: 0, name: 'Ant', points: 4, cells: [] },
  ]
  const current = { standings: { columns: [], rows, notes: [] }, exclusions: [] } as unknown as RunStandings
  const run = { id: 'r', matches: 1_000_000, contest: { scoring: {} } } as StoredRun
  expect((await strengthsOfRun(store, run, current)).elo?.rows).toEqual([
    { name: 'Bee', rating: 20, low: 11, high: 29, flags: [] },
    { name: 'Ant', rating: -20, low: -29, high: -11, flags: [] },
  ])
  const withdrawn = { ...current, exclusions: [{}] } as unknown as RunStandings
  expect((await strengthsOfRun(store, run, withdrawn)).elo, 'kept before an entrant was put out').toBeUndefined()
})

it('mean scores of a very long run have their intervals, which are those of a short one', async () => {
  const place = new TestContest()
  const { contest, outcome } = await playScored(place)
  const [short, long] = await withRun(contest, undefined, place.context, async (store, run) => {
    const current = await standingsOfRun(store, run)
    return [await strengthsOfRun(store, run, current), await strengthsOfRun(store, run, current, 1)]
  })
  expect(short.scores).toEqual(outcome.scores)
  expect(long.scores?.rows).toHaveLength(3)
  for (const [i, row] of (long.scores?.rows ?? []).entries()) {
    const same = short.scores?.rows[i]
    expect(row).toMatchObject({ name: same?.name, mean: expect.closeTo(same?.mean ?? 0, 9) as number })
    expect(row.low).toBeCloseTo(same?.low ?? Number.NaN, 9)
  }
})

it('a run of very many matches is ranked as one of few, by what is counted of it', async () => {
  const place = new TestContest()
  await place.play()
  await withRun(place.contest, undefined, place.context, async (store, run) => {
    const [one, { games, ...kinds }] = [await ratedGames(store, run), await ratedGames(store, run, 1)]
    expect({ ...kinds, games: one.games }).toEqual(one)
    const near = bradleyTerry(one.games, 3).rating.map((rating) => expect.closeTo(rating, 6) as number)
    expect(bradleyTerry(games, 3).rating).toEqual(near)
  })
})
