import { expect, it } from 'vitest'
import { TestContest } from '../../../test/kit/stored-run.js'
import { withRun } from '../stored.js'
import { rateRun } from './rating-worker.js'
import { rateInThread } from './ratings-aside.js'

const place = new TestContest()

it('a thread rates a run as this one would; one that cannot, or is ended, rejects', async () => {
  await place.play()
  const { workspace } = place.context
  const { signal } = new AbortController()
  const [run, here] = await withRun(place.contest, undefined, place.context, async (store, one) => [
    one.id,
    await rateRun(store, one),
  ])
  expect(await rateInThread({ workspace, run }, signal)).toEqual(structuredClone(here))
  await expect(rateInThread({ workspace, run: 'none' }, signal)).rejects.toThrow('there is no run none')
  const stop = new AbortController()
  const ended = rateInThread({ workspace, run }, stop.signal)
  stop.abort()
  await expect(ended).rejects.toThrow(/^the thread ended with code [01]$/)
})
