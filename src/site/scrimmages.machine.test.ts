import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Problem, TestSite } from '../../test/site/site.js'
import { findIsolation } from '../sandbox/index.js'
import type { Entry } from './entries.js'
import type { Scrimmage } from './scrimmages.js'

const { launcher, program } = await findIsolation()

let site: TestSite
let id: string
let tokens: ReadonlyMap<string, string>
beforeAll(async () => {
  site = await TestSite.open()
  id = await site.contest(1)
  tokens = (await site.contestants(id, 'Ada', 'Bob')).set('Host', site.host)
})
afterAll(() => site.remove())

const by = (who: string) => ({ token: tokens.get(who) ?? '' })
const ask = (who: string, bots: readonly string[], seed?: string) =>
  site.ask<{ id: string } & Problem>('POST', `/contests/${id}/scrimmages`, { ...by(who), body: { bots, seed } })
const look = (who: string, one: string) => site.ask<Scrimmage & Problem>('GET', `/scrimmages/${one}`, by(who))
const standings = async () => (await site.ask('GET', `/contests/${id}/standings`)).text

/** Enters a bot, and waits until it was checked. */
async function enter(who: string, name: string, script: string): Promise<void> {
  const form = new FormData()
  form.set('name', name)
  form.set('command', 'sh bot.sh')
  form.set('files', new Blob([script]), 'bot.sh')
  const { body } = await site.ask<{ id: string }>('POST', `/contests/${id}/entries`, { ...by(who), form })
  const state = async () => (await site.ask<Entry>('GET', `/entries/${body.id}`, by(who))).body.state
  await site.until(async () => (await state()) !== 'building')
}

/** Plays one, and returns it as its owner sees it. */
async function played(who: string, bots: readonly string[], seed?: string): Promise<Scrimmage> {
  const { body } = await ask(who, bots, seed)
  await site.until(async () => /over|failed/.test((await look(who, body.id)).body.state))
  return (await look(who, body.id)).body
}

describe.skipIf(launcher === undefined || program === undefined)(
  'a scrimmage of bots that were entered',
  { timeout: 300_000 },
  () => {
    beforeAll(async () => {
      // A version of Bob's that cannot play has no name, which is Ada's then.
      await enter('Bob', 'Heron', 'exit 3\n')
      await enter('Bob', 'Stork', 'echo his >&2; echo G\n')
      await enter('Ada', 'Heron', 'echo hers >&2; echo B\n')
      await enter('Bob', 'Dud', 'exit 3\n')
    }, 120_000)

    it('has a record for its owner and the host, in whose standard error are the owner’s own bots; the table stays', async () => {
      const before = await standings()
      const scrimmage = await played('Ada', ['Heron', 'Stork'])
      expect(scrimmage).toMatchObject({ contest: id, bots: ['Heron', 'Stork'], state: 'over', faults: [] })
      expect(scrimmage.record?.seats.map(({ entrant }) => entrant)).toEqual(['Heron', 'Stork'])
      expect(scrimmage.stderr).toEqual([{ name: 'Heron', text: expect.stringContaining('hers') as unknown }])
      expect((await look('Host', scrimmage.id)).status).toBe(200)
      expect((await look('Bob', scrimmage.id)).status).toBe(404)
      expect(await standings()).toBe(before)
      expect((await site.services.site.store.runs()).length).toBe(0)
      // What the bot of another printed is the other's alone.
      const his = await played('Bob', ['Heron', 'Stork'])
      expect(his.stderr).toEqual([{ name: 'Stork', text: expect.stringContaining('his') as unknown }])
    })

    it('has no bot that was rejected', async () => {
      expect((await ask('Bob', ['Dud', 'Stork'])).body).toMatchObject({ status: 400 })
    })

    it('plays a bot against itself, and two of a house bot', async () => {
      const { record, stderr } = await played('Ada', ['Heron', 'Heron'])
      expect(record?.seats.map(({ entrant }) => entrant)).toEqual(['Heron', 'Heron (2)'])
      expect(stderr).toHaveLength(2)
    })
  },
)

describe('a scrimmage', () => {
  it('has the luck of its own seed again, and never the contest’s', async () => {
    const seeds = [undefined, 'a seed', 'a seed', 'a seed of more than sixteen characters']
    const luck: (string | undefined)[] = []
    for (const seed of seeds) luck.push((await played('Ada', ['Abacus', 'Hedgehog'], seed)).record?.luck.seed)
    expect(luck[1]).toBe(luck[2])
    expect(new Set(luck).size).toBe(3)
    // The contest has that seed, too.
    await site.finish(id)
    const { store, site: known } = site.services.site
    const run = await store.run(known.contest(id)?.run ?? '')
    // Even who knows the seed of its run has no match of it.
    luck.push((await played('Ada', ['Abacus', 'Hedgehog'], run?.seed)).record?.luck.seed)
    const matches = await store.browse(run?.id ?? '', { limit: 50 })
    expect(matches.matches).not.toEqual([])
    for (const { id: match } of matches.matches) expect(luck).not.toContain((await store.recordOf(match)).luck.seed)
  })

  it('is refused for bots that are none, too many of them, and people who are none', async () => {
    expect((await ask('Ada', ['Abacus', 'Hedgehg'])).body).toMatchObject({
      status: 400,
      detail: expect.stringContaining('no bot "Hedgehg" (did you mean "Hedgehog"?); there are') as string,
    })
    expect((await ask('Ada', ['Abacus'])).body).toMatchObject({
      status: 400,
      detail: 'samurai is played by 2: name as many bots',
    })
    const nobody = await site.ask('POST', `/contests/${id}/scrimmages`, { body: { bots: ['Abacus', 'Hedgehog'] } })
    expect(nobody.status).toBe(401)
  })

  it('is one at a time of each person, of whom the last twenty are kept', async () => {
    // Together: the second comes while the bots of the first are still looked up.
    const both = await Promise.all([1, 2].map(() => ask('Bob', ['Abacus', 'Hedgehog'])))
    expect(both.map(({ status }) => status).sort((a, b) => a - b)).toEqual([202, 429])
    const first = both.find(({ status }) => status === 202) ?? { body: { id: '' } }
    await site.until(async () => (await look('Bob', first.body.id)).body.state === 'over')
    const ids: string[] = []
    for (let n = 0; n < 20; n++) ids.push((await played('Bob', ['Abacus', 'Hedgehog'])).id)
    expect((await look('Bob', first.body.id)).status).toBe(404)
    expect((await look('Bob', ids[0] ?? '')).status).toBe(200)
  })
})
