import { beforeAll, describe, expect, it } from 'vitest'
import { PROGRAMS, testServer } from '../../../test/kit/postgres.js'
import { TestQueue, requestOf } from '../../../test/kit/queue.js'
import { entrantsOf, runOf } from '../../../test/kit/records.js'
import { until } from '../../../test/kit/until.js'
import { HandedBack } from './handed-back.js'

describe('a worker that hands back its batches', () => {
  it('gets no more after five times, and another one a minute later', () => {
    let now = 0
    const told: string[] = []
    const handed = new HandedBack(
      (worker) => told.push(worker),
      () => now,
    )
    for (let n = 0; n < 4; n++, now += 1000) handed.see('one', true)
    expect(handed.avoided).toEqual([])
    handed.see('one', true)
    expect(handed.avoided).toEqual(['one'])
    now += 60_000
    expect(handed.avoided).toEqual([])
    handed.see('one', true)
    expect(handed.avoided).toEqual(['one'])
    expect(told).toEqual(['one'])
  })

  it('gets more once it has played one, and where it handed back many at once', () => {
    let now = 0
    const handed = new HandedBack(
      () => undefined,
      () => now,
    )
    for (let n = 0; n < 100; n++) handed.see('paused', true)
    for (let n = 0; n < 12; n++, now += 1000) handed.see('ends', n % 3 < 2)
    expect(handed.avoided).toEqual([])
  })
})

describe.runIf(PROGRAMS !== undefined)('a run whose batches one worker hands back', { timeout: 60_000 }, () => {
  beforeAll(async () => {
    await testServer()
  }, 300_000)

  it('has others play them', async () => {
    const queue = await TestQueue.open()
    try {
      await queue.store.addRun(runOf('run'), entrantsOf())
      const run = await queue.run('run')
      const card = { host: '', pid: 1, agon: '', cores: 1, slots: 1, labels: [], toolchains: {} }
      // Another one is there, and takes nothing yet.
      for (const id of ['idle', 'other']) await queue.board.announce({ ...card, id, isolation: 'none' })
      const asked = run.play([requestOf('a')]).catch((error: unknown) => error)
      // It takes all that it may take, plays nothing of it, and lives.
      let taken = 0
      const isBack = new AbortController()
      const handsBack = (async () => {
        while (!isBack.signal.aborted) {
          for (const id of ['idle', 'other']) await queue.board.beat(id, [])
          for (const { queue: name, needs } of await queue.board.lanes('run')) {
            const batch = needs.includes('not idle') ? undefined : await queue.batches.fetch(name, 'run')
            if (batch === undefined) continue
            taken++
            const jobs = batch.jobs.map(() => ({ back: true as const }))
            await queue.store.transaction((tx) => queue.batches.end(tx, batch, { worker: 'idle', ms: 0, jobs }))
          }
          await new Promise((done) => setTimeout(done, 20))
        }
      })()
      await until(async () => (await queue.board.lanes('run')).some(({ needs }) => needs.includes('not idle')))
      const before = taken
      expect(before).toBeGreaterThan(4)
      for (const id of ['other', 'third'])
        await queue.worker(id, async () => ({ failure: 'mistake', why: 'it came to another' }))
      expect(await asked).toMatchObject([{ why: 'it came to another' }])
      expect(taken).toBe(before)
      expect(queue.notes.filter((note) => note.includes('hands back'))).toHaveLength(1)
      isBack.abort()
      await handsBack
    } finally {
      await queue.close()
    }
  })
})
