import { describe, expect, it } from 'vitest'
import type { PlayedJob } from '../store/index.js'
import { Recorder } from './recorder.js'

const job = (key: string): PlayedJob => ({ key, matches: [] })

const nothing = (): void => undefined

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
  return { writes, failures, made: new Recorder(store, 'run', (error) => failures.push(error)) }
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
    const { writes, made } = recorder()
    const stored: string[] = []
    const note = (key: string) => () => void stored.push(key)
    made.recordLater(job('a'), note('a'))
    made.recordLater(job('b'), note('b'))
    expect(writes).toEqual([])
    expect(stored).toEqual([])
    await made.flush()
    expect(writes).toEqual([['a', 'b']])
    expect(stored).toEqual(['a', 'b'])
    made.recordLater(job('c'), note('c'))
    await expect.poll(() => writes, { timeout: 60_000 }).toEqual([['a', 'b'], ['c']])
    const many = Array.from({ length: 64 }, (_, i) => String(i))
    for (const key of many) made.recordLater(job(key), nothing)
    await new Promise((done) => setImmediate(done))
    expect(writes[2]).toEqual(many)
  })

  it('later are stored up to the first that cannot be, and never after it', async () => {
    const { writes, failures, made } = recorder(['b'])
    for (const key of ['a', 'b', 'c']) made.recordLater(job(key), nothing)
    await made.flush()
    made.recordLater(job('d'), nothing)
    await made.flush()
    expect(writes).toEqual([['a']])
    expect(failures.length).toBeGreaterThan(0)
    expect(String(failures[0])).toContain('no b')
  })

  it('later by another process, too: that is a failure', async () => {
    const { failures, made } = recorder([], ['a'])
    made.recordLater(job('a'), nothing)
    await made.flush()
    expect(failures).toHaveLength(1)
  })

  it('stay stored where telling of it fails: that ends the run, and is no reason to store them again', async () => {
    const { writes, failures, made } = recorder()
    made.recordLater(job('a'), () => {
      throw new Error('the listener')
    })
    made.recordLater(job('b'), nothing)
    await made.flush()
    expect(writes).toEqual([['a', 'b']])
    expect(failures.map(String)).toEqual(['Error: the listener'])
  })
})
