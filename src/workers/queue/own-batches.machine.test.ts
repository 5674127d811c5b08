import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { PROGRAMS, testServer } from '../../../test/kit/postgres.js'
import { TestQueue, postedRun, requestOf } from '../../../test/kit/queue.js'
import { addRun, duelArena } from '../../../test/kit/posted.js'
import { OwnBatches } from './own-batches.js'

const NAMES = ['One', 'Two']

describe.runIf(PROGRAMS !== undefined)('what a run plays itself', () => {
  let folder = ''
  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'agon-own-'))
    await testServer()
  }, 300_000)
  afterAll(() => rmSync(folder, { recursive: true, force: true }))

  /** A run, with a worker that plays its matches; `own`: it is the run's own. */
  async function scene(own: boolean) {
    const queue = await TestQueue.open()
    await addRun(queue.store, NAMES)
    const mine = new OwnBatches(() => pool.stir())
    const pool = await queue.run('run', own ? { mine } : {})
    const arena = duelArena(postedRun('run'), folder)
    const read = vi.spyOn(queue.store, 'readJobs')
    const outcomes = vi.spyOn(queue.batches, 'outcomes')
    const worker = () =>
      queue.worker('one', async ({ job }) => ({ records: await arena.job(job, 0) }), own ? { mine } : {})
    const close = async () => {
      await queue.close()
      await arena.close()
    }
    return { queue, pool, mine, read, outcomes, worker, close }
  }

  it('is neither read nor judged again', async () => {
    const { queue, pool, read, outcomes, worker, close } = await scene(true)
    try {
      // Whatever the table of batches says.
      outcomes.mockResolvedValue({ ended: [], waiting: 0, gone: [] })
      await worker()
      const responses = await pool.play(['a', 'b', 'c'].map((key) => requestOf(key)))
      expect(read).not.toHaveBeenCalled()
      const stored = new Map((await queue.store.matches('run')).map(({ place, outcome }) => [place, outcome] as const))
      for (const [i, key] of ['a', 'b', 'c'].entries()) {
        const {
          records,
          judged,
          stored: isStored,
        } = responses[i] as Extract<(typeof responses)[number], { records: unknown }>
        expect(isStored).toBe(true)
        expect(judged?.map(({ record }) => record)).toEqual(records)
        expect(records.map((record) => [record.key, record.outcome])).toEqual([[key, stored.get(key)]])
      }
    } finally {
      await close()
    }
  })

  it('is played as the run has sent it, whatever the table of batches says', async () => {
    const { queue, pool, mine, worker, close } = await scene(true)
    try {
      const send = vi.spyOn(queue.batches, 'send')
      const playing = pool.play([requestOf('a')])
      await expect.poll(() => queue.underWay()).toBe(1)
      await queue.store.query(`UPDATE agon_queue.job SET data = '{"run": "another", "jobs": []}' WHERE name !~ '^__'`)
      const [id = ''] = send.mock.calls.flatMap(([, batches]) => batches.map((one) => one.id))
      expect(mine.dataOf(id)?.jobs).toMatchObject([{ job: requestOf('a').job }])
      await worker()
      expect(await playing).toMatchObject([{ stored: true }])
      expect(send).toHaveBeenCalledTimes(1)
      await expect.poll(() => mine.dataOf(id)).toBeUndefined()
    } finally {
      await close()
    }
  })

  it('is read where another worker played it, and judged again', async () => {
    const { pool, read, worker, close } = await scene(false)
    try {
      await worker()
      const [response] = await pool.play([requestOf('a')])
      expect(read).toHaveBeenCalled()
      expect(response).toMatchObject({ stored: true, judged: [{ faults: [] }] })
    } finally {
      await close()
    }
  })

  it('is forgotten once it is known, and where it was not stored', () => {
    let told = 0
    const outcome = { worker: 'one', ms: 1, jobs: [{ key: 'k' }] }
    const mine = new OwnBatches(() => told++)
    mine.ending('a')
    expect([mine.isEnding('a'), mine.of('a')]).toEqual([true, undefined])
    mine.stored('a', outcome, [{ key: 'k', matches: [] }])
    expect([mine.isEnding('a'), mine.of('a'), told]).toEqual([false, { outcome, matches: new Map([['k', []]]) }, 1])
    mine.forget('a')
    expect(mine.of('a')).toBeUndefined()
    mine.ending('b')
    mine.forget('b')
    mine.stored('b', outcome, [{ key: 'k', matches: [] }])
    expect([mine.isEnding('b'), mine.of('b')]).toEqual([false, undefined])
  })
})
