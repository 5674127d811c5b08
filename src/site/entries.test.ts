import { existsSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { contestOf } from '../../test/site/site.js'
import type { EntryInfo } from './db/data.js'
import { addContestant } from './contestants.js'
import type { SiteContext } from './context.js'
import {
  type EntryFacts,
  enterBot,
  entriesOf,
  entryById,
  factsOfEntries,
  foundEntry,
  maySee,
  maySeeEntrant,
  owns,
} from './entries.js'
import type { EntryBuilder } from './play/entry-builder.js'
import { createContest } from './hosting.js'
import { hostedContest } from './contests.js'
import { openSite } from './open-site.js'
import { sentFolder } from './site-files.js'
import { type Caller, callerOf } from './tokens.js'

const HOST: Caller = { role: 'host' }
const ANYONE: Caller = { role: 'anonymous' }
let workspace: string
let site: Awaited<ReturnType<typeof openSite>>
let id: string
let [ada, bob]: [Caller, Caller] = [ANYONE, ANYONE]
let built: EntryInfo[]

/** Takes what is to be built, and builds nothing. */
const builder = {
  within: (_: string, __: number, work: () => Promise<unknown>) => work(),
  build: async (entry: EntryInfo) => void built.push(entry),
} as unknown as EntryBuilder
const files = [{ path: 'bot.sh', data: Buffer.from('echo B\n') }]
const enter = (name: string, caller: Caller, more: object = {}, context: SiteContext = site) =>
  enterBot(context, builder, id, { words: { name, command: 'sh bot.sh', ...more }, files }, caller)

beforeEach(async () => {
  built = []
  workspace = mkdtempSync(join(tmpdir(), 'agon-entries-'))
  site = await openSite({ workspace, notice: () => undefined })
  id = (await createContest(site, contestOf(1, 'publish = true'))).id
  const known = async (name: string): Promise<Caller> =>
    (await callerOf(site.site, (await addContestant(site, id, name, HOST)).token)) ?? ANYONE
  ;[ada, bob] = [await known('Ada'), await known('Bob')]
})
afterEach(async () => {
  await site.close()
  rmSync(workspace, { recursive: true, force: true })
})

describe('a bot that is entered', () => {
  it('has its files written, and is built; each time it is another version', async () => {
    const first = await enter('Heron', ada, { synopsis: 'waits' })
    expect(first.version).toBe(1)
    expect(existsSync(join(sentFolder(site, first.id), 'bot.sh'))).toBe(true)
    expect((await enter('Heron', ada)).version).toBe(2)
    expect(built.map(({ name, version, state }) => [name, version, state])).toEqual([
      ['Heron', 1, 'building'],
      ['Heron', 2, 'building'],
    ])
  })

  it('is refused for another contest, a name that is taken, and words that are wrong; nothing of it is kept', async () => {
    await enter('Heron', ada)
    await expect(enter('heron', bob)).rejects.toThrow('another’s bot')
    await expect(enter('Stork', ANYONE)).rejects.toThrow('another contest')
    await expect(enter('Stork', bob, { wire: 'morse' })).rejects.toThrow('morse')
    expect((await site.site.entries(id)).map(({ name }) => name)).toEqual(['Heron'])
    expect(built).toHaveLength(1)
  })

  it('is refused where another took the name in the same moment', async () => {
    // Bob's look finds the name free: Ada's entry comes between that and his own.
    const before = await site.site.entries(id)
    let isEntered = false
    const entries = async () => {
      if (!isEntered) {
        isEntered = true
        await enter('Heron', ada)
      }
      return before
    }
    const slow: SiteContext = {
      ...site,
      site: Object.assign(Object.create(site.site) as typeof site.site, { entries }),
    }
    // It is another's by its looks: the store alone would take it.
    await expect(enter('Нerоn', bob, {}, slow)).rejects.toThrow('another’s bot')
    expect((await site.site.entries(id)).map(({ contestant }) => contestant)).toHaveLength(1)
  })
})

describe('what is told of a version', () => {
  let heron: string
  const told = (caller: Caller) => entryById(site, heron, caller)
  beforeEach(async () => {
    heron = (await enter('Heron', ada, { synopsis: 'waits', language: 'shell' })).id
    await site.site.changeEntry(heron, { log: 'built\n' })
  })

  it('is its name to its owner and the host alone, until it is taken', async () => {
    expect(await told(ada)).toMatchObject({ name: 'Heron', contestant: 'Ada', synopsis: 'waits', log: 'built\n' })
    expect(await told(HOST)).toMatchObject({ name: 'Heron', log: 'built\n' })
    for (const caller of [bob, ANYONE])
      expect(Object.keys(await told(caller)).sort()).toEqual(['contest', 'created', 'id', 'state'])
    expect(await entriesOf(site, id, bob)).toEqual([])
    expect((await entriesOf(site, id, ada)).map(({ name }) => name)).toEqual(['Heron'])
  })

  it('is its name to all once it is taken, and its log once the contest is over and publishes', async () => {
    await site.site.changeEntry(heron, { state: 'placed' })
    expect(await told(bob)).toMatchObject({ name: 'Heron', contestant: 'Ada' })
    expect(((await told(bob)) as EntryFacts).log).toBeUndefined()
    expect((await entriesOf(site, id, ANYONE)).map(({ name }) => name)).toEqual(['Heron'])
    await site.site.changeContest(id, { state: 'finished' })
    expect(((await told(ANYONE)) as EntryFacts).log).toBe('built\n')
  })

  it('is nothing where there is none', async () => {
    await expect(entryById(site, 'none', HOST)).rejects.toThrow('there is no such entry')
    await expect(foundEntry(site, 'none')).rejects.toThrow('there is no such entry')
    await expect(entriesOf(site, 'none', HOST)).rejects.toThrow('no such contest')
  })

  it('comes the newest first; the host’s own has no contestant', async () => {
    await enter('Stork', HOST)
    const all = await entriesOf(site, id, HOST)
    expect(all.map(({ name }) => name)).toEqual(['Stork', 'Heron'])
    const [stork, own] = await factsOfEntries(site, id, all)
    expect(stork?.contestant).toBeUndefined()
    expect(own).toMatchObject({ contestant: 'Ada', language: 'shell' })
  })
})

describe('who may read its source and log', () => {
  it('is its owner and the host, and all once the contest is over and publishes', async () => {
    const { entry } = await foundEntry(site, (await enter('Heron', ada)).id)
    expect([ada, bob, HOST, ANYONE].map((caller) => owns(entry, caller))).toEqual([true, false, true, false])
    // The same number in another contest is another person.
    expect(owns(entry, { ...ada, contest: 'other' } as Caller)).toBe(false)
    const seen = async (caller: Caller) => maySee(site, await hostedContest(site, id), entry, caller)
    const met = async (caller: Caller) =>
      maySeeEntrant(site, { hosted: await hostedContest(site, id) }, 'Heron', caller)
    expect([await seen(ada), await seen(bob), await met(HOST), await met(bob)]).toEqual([true, false, true, false])
    await site.site.changeContest(id, { state: 'finished' })
    expect([await seen(bob), await seen(ANYONE)]).toEqual([true, true])
    // Not where the contest does not say so.
    await site.site.changeContest(id, { toml: contestOf(1) })
    expect([await seen(ada), await seen(bob)]).toEqual([true, false])
  })
})
