import { expect, it } from 'vitest'
import type { MatchRecord } from '../../core/index.js'
import { played } from '../../../test/kit/records.js'
import { Timings } from './timings.js'

const ms = 1000
/** A match of two entrants with answers of so many microseconds each. */
function matchOf(ids: readonly number[], times: readonly number[]): MatchRecord {
  const { record } = played('a', [0, 1], [1, 2])
  const steps = times.map(() => record.steps[0] ?? [])
  return {
    ...record,
    seats: record.seats.map((seat, i) => ({ ...seat, id: ids[i] ?? 0 })),
    steps,
    times: times.map((time) => ids.map(() => [time] as const)),
  }
}

/** What is found out when these workers have played 40 matches each, of ten answers a bot, that take so long. */
function found(workers: Readonly<Record<string, number>>, ids: (worker: string) => readonly number[] = () => [0, 1]) {
  const timings = new Timings()
  const whys = new Map<string, string>()
  for (let n = 0; n < 40; n++)
    for (const [worker, time] of Object.entries(workers)) {
      const why = timings.see(worker, [matchOf(ids(worker), Array<number>(10).fill(time))])
      if (why !== undefined) whys.set(worker, why)
    }
  return [...whys]
}

it('a worker is an outlier on which the same bots take ten times as long as on each of the others, or a tenth', () => {
  expect(found({ one: 5 * ms, two: 8 * ms, slow: 100 * ms })).toEqual([
    ['slow', 'bots took at least 10 times as long on it as on each of 2 other workers'],
  ])
  expect(found({ one: 50 * ms, two: 80 * ms, quick: 1 * ms })).toEqual([
    ['quick', 'bots took at most a 10th of the time on it that they took on each of 2 other workers'],
  ])
})

it.each<[string, Record<string, number>]>([
  ['machines differ', { one: 10 * ms, two: 30 * ms, slow: 90 * ms }],
  ['there are two: either may be wrong', { one: 5 * ms, slow: 100 * ms }],
  ['it is unlike one of the others alone', { one: 8 * ms, two: 60 * ms, slow: 100 * ms }],
  ['all are quick', { one: 5, two: 8, slow: 10 * ms }],
])('none is an outlier where %s', (_, workers) => {
  expect(found(workers)).toEqual([])
})

it('none is an outlier where others play other bots, or one answer was held up', () => {
  expect(found({ one: 5 * ms, two: 8 * ms, slow: 100 * ms }, (id) => (id === 'slow' ? [2, 3] : [0, 1]))).toEqual([])
  const timings = new Timings()
  for (let n = 0; n < 40; n++)
    for (const id of ['one', 'two', 'held'])
      expect(
        timings.see(id, [
          matchOf([0, 1], id === 'held' ? [...Array<number>(9).fill(5 * ms), 1e7] : Array<number>(10).fill(5 * ms)),
        ]),
      ).toBeUndefined()
})
