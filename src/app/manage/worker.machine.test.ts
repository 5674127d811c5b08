import { describe, expect, it } from 'vitest'
import { PROGRAMS, testServer } from '../../../test/kit/postgres.js'
import { TestContest } from '../../../test/kit/stored-run.js'
import type { WorkerInfo } from '../../workers/queue/registry.js'
import { runWorker, workersText, workersThere } from './workers.js'

const place = new TestContest()
const alone = { labels: [], slots: 1, noIsolation: true }
const ignored = (): void => undefined

describe.runIf(PROGRAMS !== undefined)('a worker', () => {
  it('plays what another process runs, is listed while it does, and leaves at the signal', async () => {
    const context = { ...place.context, server: await (await testServer()).database() }
    const stop = new AbortController()
    let info: WorkerInfo | undefined
    const own = { ...context, workspace: place.path('elsewhere'), signal: stop.signal }
    const worker = runWorker({ ...alone, labels: ['gpu'] }, own, (announced) => (info = announced))
    const { result, standings } = await place.playWith(context, { workersOnly: true, noIsolation: true })
    expect(result).toMatchObject({ played: 3, reused: 0, finished: true })
    expect(standings.rows.map(({ name }) => name)[0]).toBe('Strike')
    const there = await workersThere(context)
    expect(there).toMatchObject([{ id: info?.id, labels: ['gpu'], slots: 1, matches: 3 }])
    expect(workersText(there).split('\n')[2]).toContain(info?.id)
    stop.abort()
    await worker
    expect(workersText(await workersThere(context))).toBe('no workers: agon worker starts one')
  }, 300_000)
})

describe('a mistake', () => {
  it.each(['GPU', 'a b', '-a', ''])('is the label %j', async (label) => {
    await expect(runWorker({ ...alone, labels: [label] }, place.context, ignored)).rejects.toThrow(
      `the option "labels" (${label}): a label consists of lower-case letters`,
    )
  })

  it('is a store that no other machine can share', async () => {
    await expect(runWorker(alone, place.context, ignored)).rejects.toThrow('a worker needs a store on a server')
    await expect(workersThere(place.context)).rejects.toThrow('needs a store on a server')
  })
})
