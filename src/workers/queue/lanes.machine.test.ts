import { expect, it } from 'vitest'
import { requestOf } from '../../../test/kit/queue.js'
import type { BatchData } from './messages.js'
import type { PendingJob } from './lane-state.js'
import { Lanes } from './lanes.js'

const MEGABYTE = 1024 ** 2

/** Lanes of a run for one worker of four slots, with all that they sent. */
function lanesOf() {
  const sent: BatchData[] = []
  const watch = { changes: 0, slots: 4, canPlay: () => true, needsOf: () => [] as string[] }
  const nothing = (): Promise<void> => Promise.resolve()
  const batches = {
    make: nothing,
    clear: nothing,
    send: async (_: string, all: readonly { readonly data: BatchData }[]) =>
      void sent.push(...all.map(({ data }) => data)),
  }
  const lanes = new Lanes({ run: 'run', batches, board: { addLane: nothing } }, watch)
  const ask = (key: string): void =>
    lanes.place({ request: requestOf(key), done: () => undefined, failed: () => undefined } satisfies PendingJob, [])
  return { lanes, watch, sent, ask }
}

it('makes batches of few jobs where more would be longer than workers take', async () => {
  const { lanes, sent, ask } = lanesOf()
  // Each job's text holds its key twice.
  for (let n = 0; n < 30; n++) ask(String(n).padEnd(MEGABYTE, 'x'))
  lanes.pace.see(2000, 1)
  for (const lane of lanes.all) await lanes.send(lane)
  expect(sent.flatMap(({ jobs }) => jobs.map(({ job }) => parseInt(job.key, 10)))).toEqual([...Array(30).keys()])
  expect(Math.max(...sent.map((data) => JSON.stringify(data).length))).toBeLessThan(17 * MEGABYTE)
  expect(sent.length).toBeLessThan(12)
})

it('refuses a job that is longer alone', async () => {
  const { lanes, sent, ask } = lanesOf()
  ask('a'.padEnd(33 * MEGABYTE, 'x'))
  await expect(Promise.all(lanes.all.map((lane) => lanes.send(lane)))).rejects.toThrow(
    /^the matches of ax+ are played together and take 67 MB to describe, and workers take 64 MB at most: play this contest with/,
  )
  expect(sent).toEqual([])
})

it('leaves jobs where they wait until it has changed which worker may play what', () => {
  const { lanes, watch, ask } = lanesOf()
  ask('a')
  const [lane] = lanes.all
  if (lane === undefined) throw new Error('there is no lane')
  const looks = [lanes.isPlaced(lane, []), lanes.isPlaced(lane, [])]
  watch.changes++
  looks.push(lanes.isPlaced(lane, []), lanes.isPlaced(lane, []), lanes.isPlaced(lane, ['one']))
  expect(looks).toEqual([false, true, false, true, false])
  expect(lanes.isPlaced({ ...lane, except: ['one'] }, [])).toBe(false)
})
