import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { TestSite } from '../../test/site/site.js'
import type { SiteContext } from './context.js'
import { Trials } from './trials.js'

let site: TestSite
let id: string
beforeAll(async () => {
  site = await TestSite.open()
  id = await site.contest(1)
  const entry = { contest: id, contestant: 0, log: '', spec: '{"name":"Heron","command":"sh bot.sh"}', bytes: 1 }
  const { site: store, workspace } = site.services.site
  const folder = join(workspace, 'uploads', 'heron')
  mkdirSync(folder, { recursive: true })
  writeFileSync(join(folder, 'bot.sh'), 'echo B\n')
  await store.addEntry({ ...entry, id: 'heron', name: 'Heron', state: 'placed', created: new Date().toISOString() })
})
afterAll(() => site.remove())

it('a contestant has one trial at a time, also while the bots of the first are still looked up', async () => {
  let go = (): void => undefined
  const held = new Promise<void>((done) => (go = done))
  const own = site.services.site
  const slow: SiteContext = {
    ...own,
    site: { ...own.site, contestants: async (contest) => (await held, own.site.contestants(contest)) },
  }
  const trials = new Trials(slow, site.services.drafts)
  const play = () => trials.play(id, 'heron', ['Nobody'], { role: 'host' })
  const first = play()
  for (let n = 0; n < 3; n++) await expect(play()).rejects.toThrow('a trial is under way')
  go()
  await expect(first).rejects.toThrow('no entrant "Nobody"')
  // Its place is free again.
  await expect(play()).rejects.toThrow('no entrant "Nobody"')
  trials.close()
})
