import { beforeAll, expect, it, vi } from 'vitest'
import { StoredRun } from '../../test/kit/stored-run.js'
import { tournamentWithout } from '../tournament/exclusions.js'
import { excludeEntrant } from './exclude.js'
import { standingsOfRun, withRun } from './stored.js'

vi.mock('../tournament/exclusions.js', { spy: true })

const place = new StoredRun()
beforeAll(async () => void (await place.play()))

/** The names in the table of the run, and how many schedules were drawn for it. */
async function look(): Promise<readonly [readonly string[], number]> {
  const drawn = vi.mocked(tournamentWithout)
  drawn.mockClear()
  const { standings } = await withRun(place.contest, undefined, place.context, standingsOfRun)
  return [standings.rows.map(({ name }) => name), drawn.mock.calls.length]
}

it('draws the schedule of a run once for its tables, until who plays has changed', async () => {
  const [names] = await look()
  expect(names).toHaveLength(3)
  expect(await look()).toEqual([names, 0])
  const out = { name: 'Lost', status: 'withdrawn', treatment: 'void', why: '' } as const
  await excludeEntrant({ contest: place.contest, ...out }, place.context)
  vi.useFakeTimers()
  const left = names.filter((name) => name !== 'Lost')
  expect((await look())[0]).toEqual(left)
  expect(await look()).toEqual([left, 0])
  // What nothing asks for is not kept.
  vi.advanceTimersByTime(61_000)
  expect(await look()).toEqual([left, 1])
  vi.useRealTimers()
})
