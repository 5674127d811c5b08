import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { PROGRAMS, testServer } from '../../../test/kit/postgres.js'
import { type Play, TestQueue, postedRun, requestOf } from '../../../test/kit/queue.js'
import { addRun, duelArena } from '../../../test/kit/posted.js'
import { entrantsOf, runOf } from '../../../test/kit/records.js'
import { until } from '../../../test/kit/until.js'
import { type Arena, type Failure, type JobResponse, MatchesTakenBack } from '../../engine/index.js'

const NAMES = ['One', 'Two']
const never = new Promise<never>(() => undefined)

describe.runIf(PROGRAMS !== undefined)('a worker that says that a job cannot be played', { timeout: 120_000 }, () => {
  let [folder, queue, arena]: [string, TestQueue, Arena] = ['', undefined as never, undefined as never]
  beforeAll(async () => {
    await testServer()
    folder = mkdtempSync(join(tmpdir(), 'agon-failures-'))
  }, 300_000)
  afterAll(() => rmSync(folder, { recursive: true, force: true }))
  beforeEach(async () => {
    arena = duelArena(postedRun('run'), folder)
    queue = await TestQueue.open()
    await addRun(queue.store, NAMES)
  })
  afterEach(async () => {
    await queue.close()
    await arena.close()
  })

  const honest: Play = async ({ job, disturbed }) => ({ records: await arena.job(job, disturbed) })
  const fails =
    (why: string, failure: Failure = 'mistake'): Play =>
    () =>
      Promise.resolve({ failure, why })

  it.each<Failure>(['mistake', 'busy'])('is not believed alone (%s): another one plays it', async (failure) => {
    const run = await queue.run('run')
    let [lied, isThere] = [0, (): void => undefined]
    const there = new Promise<void>((done) => (isThere = done))
    await queue.worker('liar', (request, of) => (lied++, isThere(), fails('I cannot', failure)(request, of)))
    // It does not take the jobs before the liar has had one.
    await queue.worker('honest', async (request, of) => there.then(() => honest(request, of)), { slots: 2 })
    const came = await run.play(Array.from({ length: 12 }, (_, i) => requestOf(`${i}`)))
    expect(lied).toBeGreaterThan(0)
    expect(came.filter((one) => 'records' in one)).toHaveLength(12)
  })

  it('is believed where a second one says so, and where it is the only one', async () => {
    const run = await queue.run('run')
    await queue.worker('one', fails('one cannot'))
    expect(await run.play([requestOf('a')])).toEqual([{ failure: 'mistake', why: 'one cannot' }])
    const asked: string[] = []
    await queue.worker('other', (request) => (asked.push(request.job.key), fails('other cannot')(request, 'run')))
    const came: JobResponse[] = []
    for (let n = 0; n < 6; n++) came.push(...(await run.play([requestOf(`b${n}`)])))
    expect(came.every((one) => 'failure' in one)).toBe(true)
    expect(new Set(asked).size).toBe(6)
  })

  it('is believed where the other one goes while the job waits for it', async () => {
    const run = await queue.run('run')
    const other = await queue.worker('other', () => never)
    const asked = run.play([requestOf('held'), requestOf('a')])
    await until(async () => (await queue.underWay()) > 0)
    await queue.worker('one', fails('one cannot'))
    await until(async () => {
      const lanes = await queue.board.lanes('run')
      return lanes.some(({ needs }) => needs.includes('not one'))
    })
    await other.stop()
    expect(await asked).toMatchObject([{ why: 'one cannot' }, { why: 'one cannot' }])
  })
})

describe.runIf(PROGRAMS !== undefined)('a run of which another run takes matches back', { timeout: 120_000 }, () => {
  it('ends what it asked for, to begin again with what is left', async () => {
    const queue = await TestQueue.open()
    try {
      for (const id of ['run', 'other']) await queue.store.addRun(runOf(id), entrantsOf())
      await queue.store.takeBack('run', 'liar', 'before it began')
      const run = await queue.run('run', { takenBack: await queue.board.takenBack('run') })
      const asked = run.play([requestOf('a')]).catch((error: unknown) => error)
      await queue.store.takeBack('other', 'liar', 'no matter of this run')
      await run.settle()
      await queue.store.note('run', 'took back', { worker: 'liar' })
      expect(await asked).toBeInstanceOf(MatchesTakenBack)
      await expect(run.settle()).rejects.toBeInstanceOf(MatchesTakenBack)
    } finally {
      await queue.close()
    }
  })
})
