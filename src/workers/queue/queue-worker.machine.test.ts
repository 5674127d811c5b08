import { describe, expect, it } from 'vitest'
import { PROGRAMS } from '../../../test/kit/postgres.js'
import { type Play, TestQueue, requestOf } from '../../../test/kit/queue.js'
import { until } from '../../../test/kit/until.js'
import type { JobRequest, JobResponse } from '../../engine/index.js'

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

  it('play the next batch while the server is slow to store the last one', () =>
    withQueue(async (queue) => {
      const { store } = queue
      let [begun, finish] = [0, (): void => undefined]
      const held = new Promise<void>((done) => (finish = done))
      await queue.worker('one', () => (begun++, held.then(() => by('one'))))
      const run = await queue.run('run')
      const waiting = run.play(jobs('run', 4))
      await until(() => begun === 1)
      await store.transaction(async (tx) => {
        // A worker that ends a batch reads this table.
        await tx.query('LOCK TABLE agon.worker IN ACCESS EXCLUSIVE MODE')
        finish()
        await until(() => begun === 2)
      })
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

  it('are none for a run where the only one plays for another run, and that is said', () =>
    withQueue(async (queue) => {
      const { notes } = queue
      await queue.worker('own', named('own'), { only: 'first' })
      const [first, second] = [await queue.run('first'), await queue.run('second')]
      expect(whoOf(await first.play(jobs('first', 1)))).toEqual(['own'])
      const waiting = second.play(jobs('second', 1))
      await until(() => notes.join().includes('no worker is there'))
      await queue.worker('other', named('other'))
      expect(whoOf(await waiting)).toEqual(['other'])
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
})
