import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { Pairing, Job } from '../core/index.js'
import { Queue, entrantsOf, jobsOf } from './schedule.js'

const FIELD = 6
const pairing = (key: string, seats: readonly number[]): Pairing => ({ key, seats, deal: 0 })

/** Any round: pairings of two or three of six entrants, some of whom live through the tournament; and how it is played. */
const rounds = fc.record({
  listed: fc.array(fc.uniqueArray(fc.nat(FIELD - 1), { minLength: 2, maxLength: 3 }), { maxLength: 40 }),
  living: fc.array(fc.boolean(), { minLength: FIELD, maxLength: FIELD }),
  jobs: fc.integer({ min: 1, max: 8 }),
  /** Which of those that are being played ends next. */
  ends: fc.infiniteStream(fc.nat(7)),
  /** So many jobs become known at a time, while those before them are played. */
  known: fc.integer({ min: 1, max: 50 }),
})

/** All jobs of a round at once. */
function queueOf(jobs: readonly Job[], lasts: (entrant: number) => boolean): Queue {
  const queue = new Queue(lasts)
  queue.add(jobs)
  return queue
}

test('at any number of workers each job is played once, and a bot that lives through the tournament plays one at a time in the order of the schedule', () => {
  fc.assert(
    fc.property(rounds, ({ listed: seats, living, jobs, ends, known }) => {
      const listed: Job[] = seats.map((who, i) => ({ key: String(i), pairings: [pairing(String(i), who)] }))
      const lasts = (entrant: number): boolean => living[entrant] ?? false
      const queue = new Queue(lasts)
      const unknown = [...listed]
      const playing: Job[] = []
      const begun: Job[] = []
      for (;;) {
        while (playing.length < jobs) {
          const job = queue.take()
          if (job === undefined) break
          const busy = new Set(playing.flatMap(entrantsOf))
          expect(entrantsOf(job).filter((entrant) => lasts(entrant) && busy.has(entrant))).toEqual([])
          playing.push(job)
          begun.push(job)
        }
        queue.add(unknown.splice(0, known))
        if (begun.length === listed.length && playing.length === 0) break
        if (playing.length === 0) continue
        for (const ended of playing.splice((ends.next().value as number) % playing.length, 1)) queue.done(ended)
      }
      expect(queue.take()).toBeUndefined()
      expect(begun.map(({ key }) => Number(key)).sort((a, b) => a - b)).toEqual(listed.map((_, i) => i))
      for (let entrant = 0; entrant < FIELD; entrant++) {
        if (!lasts(entrant)) continue
        const own = begun.filter((job) => entrantsOf(job).includes(entrant)).map(({ key }) => Number(key))
        expect(own).toEqual([...own].sort((a, b) => a - b))
      }
    }),
  )
})

test('with one job the order is the schedule itself', () => {
  fc.assert(
    fc.property(rounds, ({ listed: seats, living }) => {
      const listed: Job[] = seats.map((who, i) => ({ key: String(i), pairings: [pairing(String(i), who)] }))
      const queue = queueOf(listed, (entrant) => living[entrant] ?? false)
      for (const job of listed) {
        expect(queue.take()).toBe(job)
        queue.done(job)
      }
    }),
  )
})

test('a job without a remembering bot starts beside others that wait', () => {
  const listed = [
    [0, 1],
    [0, 2],
    [1, 2],
    [3, 4],
  ].map((who, i) => ({ key: String(i), pairings: [pairing(String(i), who)] }))
  const queue = queueOf(listed, (entrant) => entrant < 3)
  expect([queue.take()?.key, queue.take()?.key, queue.take()]).toEqual(['0', '3', undefined])
})

test('a round in which everyone waits for everyone is handed out job by job', () => {
  const listed = Array.from({ length: 2000 }, (_, i) => ({
    key: String(i),
    pairings: [pairing(String(i), [i % 17, 17])],
  }))
  const queue = queueOf(listed, () => true)
  for (const job of listed) {
    expect([queue.take(), queue.take()]).toEqual([job, undefined])
    queue.done(job)
  }
  expect(queue.take()).toBeUndefined()
})

test('a series stays together where one of its bots remembers, and falls into the matches of its deals where none does', () => {
  const dealt = (key: string, seats: readonly number[], deal: number): Pairing => ({ key, seats, deal })
  const round = {
    label: 'round 1',
    series: [
      { key: 'a', pairings: [dealt('a/1', [0, 1], 4), dealt('a/2', [1, 0], 4), dealt('a/3', [0, 1], 5)] },
      { key: 'b', pairings: [dealt('b/1', [1, 2], 0), dealt('b/2', [2, 1], 1)] },
    ],
  }
  const jobs = [...jobsOf(round, (entrant) => entrant === 2)]
  expect(jobs.map(({ key, pairings }) => [key, ...pairings.map((one) => one.key)])).toEqual([
    ['a/1', 'a/1', 'a/2'],
    ['a/3', 'a/3'],
    ['b', 'b/1', 'b/2'],
  ])
})
