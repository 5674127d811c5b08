import { describe, expect, it } from 'vitest'
import type { PlayedJob } from '../store/index.js'
import { Recorder } from './recorder.js'

const job = (key: string): PlayedJob => ({ key, matches: [] })

/** A recorder over a store that refuses `bad` and has `there` before. */
function recorder(bad: readonly string[] = [], there: readonly string[] = []) {
  const writes: string[][] = []
  const failures: unknown[] = []
  const store = {
    record: async (_run: string, jobs: readonly PlayedJob[]) => {
      const keys = jobs.map(({ key }) => key)
      if (keys.some((key) => bad.includes(key))) throw new Error(`no ${keys.join()}`)
      writes.push(keys)
      return new Set(keys.filter((key) => there.includes(key)))
    },
  }
  const made = new Recorder(store, 'run')
  /** No caller waits for it; `stored` is called with whether it was there before. */
  const later = (key: string, stored: (before: boolean) => void = () => undefined): void =>
    void made.record(job(key), true).then(stored, (error: unknown) => failures.push(error))
  return { writes, failures, made, later }
}

describe('jobs that are recorded', () => {
  it('at the same time are stored in one write, and each hears whether it was there', async () => {
    const { writes, made } = recorder([], ['b'])
    expect(await Promise.all(['a', 'b', 'c'].map((key) => made.record(job(key))))).toEqual([false, true, false])
    expect(writes).toEqual([['a', 'b', 'c']])
  })

  it('each on its own where they cannot be stored together: one that fails leaves the others alone', async () => {
    const { writes, made } = recorder(['b'])
    const results = await Promise.allSettled(['a', 'b', 'c'].map((key) => made.record(job(key))))
    expect(results.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled'])
    expect(writes).toEqual([['a'], ['c']])
  })

  it('later are stored in their order: by a flush, by themselves, or when many have come together', async () => {
    const { writes, made, later } = recorder()
    const stored: string[] = []
    const note = (key: string) => () => void stored.push(key)
    later('a', note('a'))
    later('b', note('b'))
    expect(writes).toEqual([])
    expect(stored).toEqual([])
    await made.flush()
    expect(writes).toEqual([['a', 'b']])
    expect(stored).toEqual(['a', 'b'])
    later('c', note('c'))
    await expect.poll(() => writes, { timeout: 60_000 }).toEqual([['a', 'b'], ['c']])
    const many = Array.from({ length: 64 }, (_, i) => String(i))
    for (const key of many) later(key)
    await new Promise((done) => setImmediate(done))
    expect(writes[2]).toEqual(many)
  })

  it('later are stored up to the first that cannot be, and never after it', async () => {
    const { writes, failures, made, later } = recorder(['b'])
    for (const key of ['a', 'b', 'c']) later(key)
    await made.flush()
    later('d')
    await made.flush()
    expect(writes).toEqual([['a']])
    expect(failures.length).toBeGreaterThan(0)
    expect(String(failures[0])).toContain('no b')
  })

  it('later are told, before a flush resolves, whether they were there', async () => {
    const { made, later } = recorder([], ['a'])
    const told: boolean[] = []
    later('a', (before) => told.push(before))
    await made.flush()
    expect(told).toEqual([true])
  })
})
