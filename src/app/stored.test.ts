import { specOf } from './run/spec.js'
import { afterEach, beforeAll, expect, it, vi } from 'vitest'
import { TestContest } from '../../test/kit/stored-run.js'
import { excludeEntrant } from './exclude.js'
import { scheduleOf, standingsOfRun, withRun } from './stored.js'

const place = new TestContest()
beforeAll(async () => void (await place.play()))

/** The names in the table of the run, and the schedule that is kept for it. */
const look = () =>
  withRun(place.contest, undefined, place.context, async (store, run) => {
    const { standings } = await standingsOfRun(store, run)
    const schedule = scheduleOf(run, specOf(run), await store.exclusions(run.id))
    return { names: standings.rows.map(({ name }) => name), schedule }
  })

// Files of quick tests share a process: a clock that was left standing would stop the next one's.
afterEach(() => void vi.useRealTimers())

it('draws the schedule of a run once for its tables, until who plays has changed', async () => {
  const first = await look()
  expect(first.names).toHaveLength(3)
  expect((await look()).schedule).toBe(first.schedule)
  const out = { name: 'Lost', status: 'withdrawn', treatment: 'void', why: '' } as const
  await excludeEntrant({ contest: place.contest, ...out }, place.context)
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  const without = await look()
  expect(without.names).toEqual(first.names.filter((name) => name !== 'Lost'))
  expect(without.schedule).not.toBe(first.schedule)
  expect((await look()).schedule).toBe(without.schedule)
  // What nothing asks for is not kept.
  vi.advanceTimersByTime(61_000)
  expect((await look()).schedule).not.toBe(without.schedule)
})
