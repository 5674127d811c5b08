import { join } from 'node:path'
import { afterEach, describe, expect, it } from 'vitest'
import { PROGRAMS, testServer } from '../../test/kit/postgres.js'
import { TestSite } from '../../test/site/site.js'
import { type Contest as ContestFacts, findContest, scrimmageFile } from './contests.js'
import type { Entry } from './entries.js'
import { SeenWorkers } from '../workers/queue/seen-workers.js'
import type { Scrimmage } from './scrimmages.js'
import type { Workers } from './workers.js'
import { VERSION } from '../app/version.js'
import { findIsolation } from '../sandbox/index.js'
import { isOnServer } from '../store/index.js'
import { QueueWorker } from '../workers/queue/queue-worker.js'

let site: TestSite | undefined
afterEach(async () => {
  await site?.remove()
  site = undefined
})

const workersOf = async (of: TestSite) => (await of.ask<Workers>('GET', '/workers', { token: of.host })).body

describe('a site whose store is a file', () => {
  it('has no workers', async () => {
    site = await TestSite.open()
    expect(await workersOf(site)).toEqual({ items: [], next: null, server: false })
  })

  it('is not left to workers alone', async () => {
    await expect(TestSite.open({ workersOnly: true })).rejects.toThrow('needs a store on a server')
  })
})

const { launcher, program } = await findIsolation()

/** A worker of one slot, in this process. */
async function workerOf({ services, workspace }: TestSite): Promise<QueueWorker> {
  const { store } = services.site
  if (!isOnServer(store)) throw new Error('the store is a file')
  const maker = launcher === undefined || program === undefined ? {} : { maker: { launcher, bubblewrap: program } }
  const about = { id: 'one', host: 'here', pid: 1, agon: VERSION, cores: 1, slots: 1, labels: [], toolchains: {} }
  return QueueWorker.start({
    store,
    workspace: services.site.workspace,
    isolation: { trust: false, ...maker },
    slots: 1,
    agon: VERSION,
    note: () => undefined,
    rooms: join(workspace, 'rooms-of-one'),
    info: { ...about, isolation: 'maker' in maker ? 'cells' : 'none' },
  })
}

describe.runIf(PROGRAMS !== undefined)('a site whose store is on a server', { timeout: 300_000 }, () => {
  it('says that a contest waits for a worker, lists who plays, and comes to its end by them', async () => {
    site = await TestSite.open({ server: await (await testServer()).database(), workersOnly: true })
    const own = site
    const id = await own.contest(2)
    await own.ask('POST', `/contests/${id}/start`, { token: own.host })
    const workers = new SeenWorkers(own.services.site.store)
    const said: (string | undefined)[] = []
    const look = () => workers.look((_, why) => void said.push(why))
    const run = async () => own.services.site.site.contest(id)?.run ?? ''
    await own.until(async () => {
      await look()
      return said.length > 0
    })
    await look()
    expect(said).toEqual([expect.stringContaining('no worker is there')])
    const seen = await findContest({ ...own.services.site, workers }, id)
    expect(seen.facts.waits).toBe(said[0])
    expect((await workersOf(own)).items).toEqual([])

    const worker = await workerOf(own)
    await own.until(async () => (await own.ask<ContestFacts>('GET', `/contests/${id}`)).body.state === 'finished')
    await look()
    expect([said.length, said[1], workers.waits(await run())]).toEqual([2, undefined, undefined])
    const { items, server } = await workersOf(own)
    expect(server).toBe(true)
    expect(items).toMatchObject([{ id: 'one', matches: 2, faults: 0 }])
    await worker.stop()
  })

  it.skipIf(launcher === undefined || program === undefined)(
    'has a scrimmage played by workers before all that waits for them, and keeps nothing of it',
    async () => {
      site = await TestSite.open({ server: await (await testServer()).database(), workersOnly: true })
      const own = site
      const by = { token: own.host }
      const worker = await workerOf(own)
      const id = await own.contest(5000)
      await own.ask('POST', `/contests/${id}/start`, by)
      const facts = async () => (await own.ask<ContestFacts>('GET', `/contests/${id}`)).body
      await own.until(async () => (await facts()).matches > 0)
      const form = new FormData()
      form.set('name', 'Heron')
      form.set('command', 'sh bot.sh')
      form.set('files', new Blob(['echo noted >&2; echo B\n']), 'bot.sh')
      const entered = await own.ask<{ id: string }>('POST', `/contests/${id}/entries`, { ...by, form })
      const entry = async () => (await own.ask<Entry>('GET', `/entries/${entered.body.id}`, by)).body
      await own.until(async () => (await entry()).state !== 'building')
      const body = { bots: ['Heron', 'Abacus'] }
      const asked = await own.ask<{ id: string }>('POST', `/contests/${id}/scrimmages`, { ...by, body })
      const scrimmage = async () => (await own.ask<Scrimmage>('GET', `/scrimmages/${asked.body.id}`, by)).body
      await own.until(async () => /over|failed/.test((await scrimmage()).state))
      const { record, stderr } = await scrimmage()
      expect(record?.seats.map(({ entrant }) => entrant).sort()).toEqual(['Abacus', 'Heron'])
      expect(stderr?.find(({ name }) => name === 'Heron')?.text).toContain('noted')
      const { state, matches, planned } = await facts()
      expect([state, matches < (planned ?? 0)]).toEqual(['playing', true])
      const { items } = (await own.ask<{ items: ContestFacts[] }>('GET', '/contests')).body
      expect(items.map((one) => one.id)).toEqual([id])
      const files = (await own.services.site.store.runs()).map(({ file }) => file)
      expect(files).not.toContain(scrimmageFile(own.services.site))
      await own.ask('POST', `/contests/${id}/pause`, by)
      await worker.stop()
    },
  )
})
