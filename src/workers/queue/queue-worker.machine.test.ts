import { randomUUID } from 'node:crypto'
import { mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { PROGRAMS } from '../../../test/kit/postgres.js'
import { duelArena } from '../../../test/kit/published.js'
import { type Play, TestQueue, poolOf, publishedRun, requestOf } from '../../../test/kit/queue.js'
import { until } from '../../../test/kit/until.js'
import { UserError } from '../../core/index.js'
import type { JobRequest, JobResponse } from '../../engine/index.js'
import type { ServerStore } from '../../store/index.js'
import type { FetchedBatch } from './queues.js'

/** What a worker of these tests answers: its name. */
const by = (name: string): JobResponse => ({ failure: 'mistake', why: name })
const named =
  (name: string): Play =>
  () =>
    Promise.resolve(by(name))
const whoOf = (responses: readonly JobResponse[]): string[] => responses.map((one) => ('why' in one ? one.why : ''))
async function withQueue(test: (queue: TestQueue) => Promise<void>): Promise<void> {
  const queue = await TestQueue.open()
  try {
    await test(queue)
  } finally {
    await queue.close()
  }
}

/** A worker that plays nothing. */
const IDLE = {
  host: '',
  pid: 1,
  agon: '',
  cores: 1,
  slots: 1,
  labels: [],
  toolchains: {},
  isolation: 'none' as const,
}

const never = new Promise<never>(() => undefined)
const jobs = (run: string, n: number, seats: readonly number[] = [0, 1]): JobRequest[] =>
  Array.from({ length: n }, (_, i) => requestOf(`${run}-${i}`, seats))

// They wait more than they work: side by side they wait once.
describe.runIf(PROGRAMS !== undefined).concurrent('workers that share a queue', { timeout: 120_000 }, () => {
  it('play what needs their labels, and nothing else', () =>
    withQueue(async (queue) => {
      const { notes } = queue
      const run = await queue.run('run', { labels: [[], ['gpu']] })
      await queue.worker('plain', named('plain'))
      const waiting = run.play([...jobs('both', 5), ...jobs('second', 5, [1, 1]), ...jobs('first', 5, [0, 0])])
      await until(() => notes.join().includes('no worker has the label "gpu", which Two needs'))
      await queue.worker('labelled', named('labelled'), { labels: ['java', 'gpu'] })
      const who = whoOf(await waiting)
      expect(new Set(who.slice(0, 10))).toEqual(new Set(['labelled']))
      expect(who.slice(10)).not.toContain('')
    }))

  it('play the next batch while the server is slow to take the last one', () =>
    withQueue(async (queue) => {
      let [begun, finish] = [0, (): void => undefined]
      const held = new Promise<void>((done) => (finish = done))
      const slow: ServerStore = {
        ...queue.store,
        sql: {
          all: (text, values) => queue.store.sql.all(text, values),
          run: (text, values) => queue.store.sql.run(text, values),
          transaction: (work) => held.then(() => queue.store.sql.transaction(work)),
        },
      }
      await queue.worker('one', () => (begun++, Promise.resolve(by('one'))), { store: slow })
      const run = await queue.run('run')
      const waiting = run.play(jobs('run', 4))
      await until(() => begun === 2)
      finish()
      expect(whoOf(await waiting)).toEqual(['one', 'one', 'one', 'one'])
    }))

  it('play no more of a run at once than it allows, however many they are', () =>
    withQueue(async (queue) => {
      let [playing, most] = [0, 0]
      const play: Play = async () => {
        most = Math.max(most, ++playing)
        await new Promise((done) => setTimeout(done, 20))
        playing--
        return by('any')
      }
      for (const id of ['one', 'other', 'third']) await queue.worker(id, play, { slots: 6 })
      const run = await queue.run('run', { cap: 2 })
      expect(await run.play(jobs('run', 24))).toHaveLength(24)
      expect(most).toBeLessThanOrEqual(2)
    }))

  it('take turns between two runs, whatever their backlogs', () =>
    withQueue(async (queue) => {
      const played: string[] = []
      await queue.worker('one', (_, run) => {
        played.push(run)
        return Promise.resolve(by('one'))
      })
      const [large, small] = [await queue.run('large'), await queue.run('small')]
      const all = large.play(jobs('large', 40))
      await until(() => played.length > 0)
      await small.play(jobs('small', 4))
      expect(played.filter((run) => run === 'large').length).toBeLessThan(40)
      await all
      expect([played.indexOf('large'), played.filter((run) => run === 'large').length]).toEqual([0, 40])
    }))

  it('play urgent batches at once, also where all their slots are taken', () =>
    withQueue(async (queue) => {
      let begun = 0
      await queue.worker('one', (_, run) => (begun++, run === 'trial' ? Promise.resolve(by('one')) : never), {
        slots: 2,
      })
      const backlog = await queue.run('backlog')
      const waiting = backlog.play(jobs('backlog', 200)).catch((error: unknown) => error)
      await until(() => begun === 2)
      const trial = await queue.run('trial', { urgent: true })
      expect(whoOf(await trial.play(jobs('trial', 1)))).toEqual(['one'])
      expect(begun).toBe(3)
      await backlog.close()
      await waiting
    }))

  it('give up a batch that is withdrawn, which no worker plays any more, and go on with another run', () =>
    withQueue(async (queue) => {
      let begun = 0
      await queue.worker('one', (_, run) => (begun++, run === 'next' ? Promise.resolve(by('one')) : never))
      const withdrawn = await queue.run('withdrawn')
      const asked = withdrawn.play(jobs('withdrawn', 20)).catch((error: unknown) => error)
      await until(() => begun === 1)
      expect(await queue.underWay()).toBeGreaterThan(0)
      await withdrawn.close()
      expect(await asked).toBeInstanceOf(Error)
      expect(await queue.underWay()).toBe(0)
      const next = await queue.run('next')
      expect(whoOf(await next.play(jobs('next', 1)))).toEqual(['one'])
    }))

  it('hand back what they cannot play, and others get it', () =>
    withQueue(async (queue) => {
      const run = await queue.run('run')
      const [name] = await takenBy(queue, 'idle', run.play(jobs('run', 1)), async (batch) => {
        const answers = batch.jobs.map(({ key }) => ({ key, back: true as const }))
        await queue.queues.end(batch, { batch: batch.id, worker: 'idle', agon: 'test', ms: 0, answers })
        await queue.registry.leave('idle')
        await queue.worker('other', named('other'))
      })
      expect(name).toBe('other')
    }))

  it('say of a job whose records are too long to be sent which it is, and how long, and nobody plays it again', () =>
    withQueue(async (queue) => {
      const run = await queue.run('run')
      const asked = run.play(jobs('run', 1)).catch((error: unknown) => error)
      const batch = await firstBatch(queue, 'one')
      const answers = batch.jobs.map(({ key }) => ({ key, tooLong: 300 * 1024 ** 2 }))
      await queue.queues.end(batch, { batch: batch.id, worker: 'one', agon: 'test', ms: 0, answers })
      const error = await asked
      expect(error).toBeInstanceOf(UserError)
      expect(String(error)).toContain('the matches of run-0 are played together and take 300 MB to send')
      expect(await queue.underWay()).toBe(0)
    }))

  it('lose a batch if they fall silent: another one gets it', () =>
    withQueue(async (queue) => {
      const run = await queue.run('run')
      const [name] = await takenBy(queue, 'silent', run.play(jobs('run', 1)), async () => {
        await queue.worker('other', named('other'))
      })
      expect(name).toBe('other')
    }))

  it('lose a batch that they hold far too long, whatever their heartbeats say', () =>
    withQueue(async (queue) => {
      const run = await queue.run('run')
      const [name] = await takenBy(
        queue,
        'stuck',
        run.play(jobs('run', 1)),
        async ({ id, queue: from, retryCount, jobs: sent }) => {
          await queue.worker('other', named('other'))
          const held = { run: 'run', batch: id, ms: 10 * 3_600_000 }
          await until(async () => {
            await queue.registry.beat({ ...IDLE, id: 'stuck' }, { playing: [held], runs: [] })
            return queue.notes.some((note) => note.startsWith('stuck has held a batch for 36000 s'))
          })
          // What it brings afterwards is nobody's.
          const answers = sent.map(({ key }) => ({ key, failure: 'mistake' as const, why: 'stuck' }))
          const late = { batch: id, worker: 'stuck', agon: 'test', ms: 0, answers }
          expect(await queue.queues.end({ run: 'run', jobs: sent, id, queue: from, retryCount }, late)).toBe(false)
        },
      )
      expect(name).toBe('other')
    }))

  it('get nothing more when three of their batches in a row do not replay; others play these', () =>
    withQueue(async (queue) => {
      const { notes } = queue
      const run = await queue.run('run')
      await queue.worker('bad', () => Promise.resolve({ records: [] }))
      const waiting = run.play(jobs('run', 5))
      await until(() => notes.some((note) => note.startsWith('bad gets nothing more')))
      expect(
        notes.filter((note) => note.startsWith('bad (agon test) brings a match that does not replay')).length,
      ).toBeGreaterThanOrEqual(3)
      expect((await queue.registry.workers())[0]?.aside).toBe('3 of its batches in a row did not replay')
      await queue.worker('good', named('good'))
      expect(new Set(whoOf(await waiting))).toEqual(new Set(['good']))
    }))

  it('have played for a coordinator that was killed: what they brought meanwhile is not played again', () =>
    withQueue(async (queue) => {
      const request = requestOf('run-0')
      const published = publishedRun('run')
      const arena = duelArena(published, mkdtempSync(join(tmpdir(), 'agon-early-')))
      const records = await arena.job(request.job, 0)
      await arena.close()
      await queue.queues.make('old')
      await queue.queues.make('run-results')
      const key = request.key ?? ''
      await queue.queues.send('old', [
        { id: randomUUID(), data: { run: 'run', jobs: [{ key, job: request.job, disturbed: 0 }] } },
      ])
      const batch = await queue.queues.fetch('old')
      if (batch === undefined) throw new Error('nothing was sent')
      const result = { batch: batch.id, worker: 'one', agon: 'test', ms: 1, answers: [{ key, records }] }
      expect(await queue.queues.end(batch, result)).toBe(true)
      const run = await queue.run('run')
      await until(async () => (await queue.underWay()) === 0)
      expect(await run.play([request])).toMatchObject([{ records, judged: [{ record: records[0] }] }])
    }))

  it('share a run with its own process, which plays nothing that needs a label', () =>
    withQueue(async (queue) => {
      const pool = poolOf(() => Promise.resolve(by('here')))
      const run = await queue.run('run', { labels: [[], ['gpu']], local: { pool, slots: 1 } })
      expect(new Set(whoOf(await run.play(jobs('run', 20, [0, 0]))))).toEqual(new Set(['here']))
      const waiting = run.play(jobs('labelled', 2))
      await queue.worker('labelled', named('labelled'), { labels: ['gpu'] })
      expect(whoOf(await waiting)).toEqual(['labelled', 'labelled'])
    }))
})

/** Announces a worker, takes the first batch of the run 'run' in its name, and does this with it. Resolves with who answered the jobs. */
async function takenBy(
  queue: TestQueue,
  id: string,
  asked: Promise<readonly JobResponse[]>,
  take: (batch: FetchedBatch) => Promise<void>,
): Promise<readonly string[]> {
  await take(await firstBatch(queue, id))
  return whoOf(await asked)
}

/** Announces a worker, and takes the first batch of the run 'run' in its name. */
async function firstBatch(queue: TestQueue, id: string): Promise<FetchedBatch> {
  await queue.registry.beat({ ...IDLE, id }, { playing: [], runs: [] })
  let batch: FetchedBatch | undefined
  await until(async () => {
    for (const { queues } of await queue.registry.runs())
      for (const one of queues) batch ??= await queue.queues.fetch(one.queue)
    return batch !== undefined
  })
  return batch as unknown as FetchedBatch
}
