import { afterEach, describe, expect, it } from 'vitest'
import type { RatedRun } from './rating-worker.js'
import { RatingsAside } from './ratings-aside.js'

let now = 0
/** The runs that are being rated, the one before first. */
let tasks: { readonly run: string; done(matches: number): void; failed(): void }[] = []
let notices: string[] = []
let ratings = ratingsHere()

function ratingsHere(): RatingsAside {
  const rate = (run: string, signal: AbortSignal): Promise<RatedRun> =>
    new Promise((done, failed) => {
      const task = { run, done: (matches: number) => done({ matches }), failed: () => failed(new Error('it died')) }
      tasks.push(task)
      signal.addEventListener('abort', () => failed(new Error('ended')))
    })
  return new RatingsAside(
    rate,
    (text) => notices.push(text),
    () => now,
  )
}

afterEach(async () => {
  await ratings.close()
  now = 0
  tasks = []
  notices = []
  ratings = ratingsHere()
})

const settled = () => new Promise((done) => setImmediate(done))
/** What is known of a run with so many matches: on how many its ratings rest. */
async function ask(matches: number, { run = 'a', over = false } = {}): Promise<number | undefined> {
  const known = ratings.of({ id: run }, String(matches), over)
  await settled()
  return known?.matches
}

describe('the ratings of a run', () => {
  it('are those of before while they are computed, and say on how many matches they rest', async () => {
    expect(await ask(10)).toBeUndefined()
    expect(await ask(11)).toBeUndefined()
    expect(tasks.map(({ run }) => run)).toEqual(['a'])
    now = 100
    tasks[0]?.done(11)
    await settled()
    expect(await ask(12)).toBe(11)
    now = 5000
    expect(await ask(20)).toBe(11)
    expect(tasks).toHaveLength(2)
    expect(await ask(21)).toBe(11)
    tasks[1]?.done(20)
    await settled()
    expect(await ask(21)).toBe(20)
  })

  it('are computed at most every five seconds, and where that takes long after as long a pause', async () => {
    await ask(1)
    now = 1000
    tasks[0]?.done(1)
    await settled()
    for (now of [1000, 2000, 4999]) await ask(now)
    expect(tasks).toHaveLength(1)
    now = 5000
    await ask(now)
    expect(tasks).toHaveLength(2)
    now = 15_000
    tasks[1]?.done(5000)
    await settled()
    for (now of [15_000, 24_999]) await ask(now)
    expect(tasks).toHaveLength(2)
    now = 25_000
    await ask(now)
    expect(tasks).toHaveLength(3)
  })

  it('are computed once while nothing changes, however late it is', async () => {
    await ask(3)
    tasks[0]?.done(3)
    await settled()
    now = 1e9
    expect([await ask(3), await ask(3, { over: true })]).toEqual([3, 3])
    expect(tasks).toHaveLength(1)
  })

  it('rest on all matches at the end, without a pause', async () => {
    await ask(10)
    // It ends while it is rated.
    expect(await ask(12, { over: true })).toBeUndefined()
    tasks[0]?.done(10)
    await settled()
    expect(await ask(12, { over: true })).toBe(10)
    expect(tasks).toHaveLength(2)
    tasks[1]?.done(12)
    await settled()
    expect(await ask(12, { over: true })).toBe(12)
  })

  it('are computed of one run at a time', async () => {
    await ask(1)
    await ask(1, { run: 'b' })
    expect(tasks.map(({ run }) => run)).toEqual(['a'])
    tasks[0]?.done(1)
    await settled()
    expect(tasks.map(({ run }) => run)).toEqual(['a', 'b'])
  })

  it('stay as they were where they cannot be computed, which the host is told and is tried again after a while', async () => {
    await ask(1)
    tasks[0]?.done(1)
    await settled()
    now = 5000
    await ask(2, { over: true })
    tasks[1]?.failed()
    await settled()
    expect(notices).toEqual(['the ratings of a could not be computed: Error: it died'])
    expect(await ask(2, { over: true })).toBe(1)
    expect(tasks).toHaveLength(2)
    now = 10_000
    expect(await ask(2, { over: true })).toBe(1)
    tasks[2]?.done(2)
    await settled()
    expect(await ask(2, { over: true })).toBe(2)
  })

  it('are computed no more once it is closed, and nobody is told that they were not', async () => {
    await ask(1)
    await ask(1, { run: 'b' })
    await ratings.close()
    expect([tasks.length, notices]).toEqual([1, []])
  })
})
