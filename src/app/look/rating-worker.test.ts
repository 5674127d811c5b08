import { expect, it } from 'vitest'
import { playScored } from '../../../test/kit/scored-run.js'
import { TestContest } from '../../../test/kit/stored-run.js'
import { reportOnRun } from './report.js'
import { withRun } from '../stored.js'
import { rateRun } from './rating-worker.js'

it('rates a run as its report does, by the same games', async () => {
  const place = new TestContest()
  await place.play()
  const { document } = (await reportOnRun({ contest: place.contest }, place.context)).data
  const near = (value: number | null) => (value === null ? null : (expect.closeTo(value, 9) as number))
  const shown = document.ratings?.rows.map(({ rating, low, high, flags }) => ({
    rating: near(rating),
    low: near(low),
    high: near(high),
    flags,
  }))
  await withRun(place.contest, undefined, place.context, async (store, run) => {
    const { matches, ratings, rounds } = await rateRun(store, run)
    expect([matches, ratings?.distinct, rounds]).toEqual([3, 3, document.rounds])
    expect(ratings?.rows).toMatchObject(shown ?? [])
    const out = { name: 'Lost', status: 'withdrawn', treatment: 'void', why: '' } as const
    await store.exclude(run.id, out)
    const without = await rateRun(store, run)
    // Of the three matches one counts.
    expect([without.matches, without.ratings?.distinct]).toEqual([3, 1])
    expect(without.ratings?.rows[2]?.flags).toEqual(['out'])
  })
})

it('has the mean scores of a run where scores count, and its points by round', async () => {
  const place = new TestContest()
  const { contest, outcome } = await playScored(place)
  const { matches, ratings, rounds } = await withRun(contest, undefined, place.context, rateRun)
  expect([matches, ratings?.scores]).toEqual([outcome.result.played, true])
  const means = outcome.scores?.rows.map(({ mean }) => expect.closeTo(mean ?? 0, 9) as number)
  expect(ratings?.rows.map(({ rating }) => rating).sort((a, b) => b - a)).toEqual(means)
  expect(rounds?.labels).toHaveLength(8)
})
