import { expect, it } from 'vitest'
import { UserError } from '../core/index.js'
import { TestContest } from '../../test/kit/stored-run.js'
import { listRuns, logOfRun, continueRun, pauseRun } from './runs.js'

it('a run that has not ended is paused and goes on, each once, and its log tells it', async () => {
  const place = new TestContest()
  const ref = { contest: place.contest }
  const { result: before } = await place.play({}, 1)
  expect(before.finished, 'it is interrupted').toBe(false)
  const state = async () => (await listRuns(place.context))[0]?.state
  const id = await pauseRun(ref, place.context)
  expect(await state()).toBe('paused')
  await expect(pauseRun(ref, place.context)).rejects.toThrow(new UserError(`${id} is paused already`))
  expect(await continueRun(ref, place.context)).toBe(id)
  expect(await state()).toBe('open')
  await expect(continueRun(ref, place.context)).rejects.toThrow(new UserError(`${id} is not paused`))
  expect((await place.play({ resume: true })).result).toMatchObject({
    finished: true,
    played: 3 - before.played,
  })
  await expect(pauseRun(ref, place.context)).rejects.toThrow(new UserError(`${id} has ended`))
  const done = (await logOfRun(ref, place.context)).map(({ what }) => what)
  expect(done).toEqual(['began', 'interrupted', 'paused', 'continued', 'went on', 'finished'])
})
