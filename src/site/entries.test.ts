import { existsSync, mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { contestOf } from '../../test/site/site.js'
import type { SiteEntry } from './store.js'
import { addContestant } from './contestants.js'
import { openSite } from './context.js'
import { type Entry, enterBot, entriesOf, entryById, maySee, maySeeEntrant, owns } from './entries.js'
import { roomOf } from '../files/unpack.js'
import { createContest } from './hosting.js'
import { hostedContest } from './contests.js'
import { sentFolder } from './play/staged-versions.js'
import type { Form } from './http/uploads.js'
import { FullDisk } from '../store/index.js'
import { Refusal } from './http/answers.js'
import { type Caller, callerOf } from './http/callers.js'

const HOST: Caller = { role: 'host' }
const ANYONE: Caller = { role: 'anonymous' }
let workspace: string
let site: Awaited<ReturnType<typeof openSite>>
let id: string
let [ada, bob]: [Caller, Caller] = [ANYONE, ANYONE]
let built: SiteEntry[]

/** Takes what is to be built, and builds nothing. */
const builder = { build: (entry: SiteEntry) => void built.push(entry) }
const file = (name: string, text = 'echo B\n', field = 'files') => ({ field, name, data: Buffer.from(text) })
const formOf = (words: Readonly<Record<string, string>>, files = [file('bot.sh')]): Form => ({
  texts: new Map(Object.entries({ command: 'sh bot.sh', ...words }).map(([name, text]) => [name, [text]])),
  files,
})
const enter = (name: string, caller: Caller, more: Readonly<Record<string, string>> = {}) =>
  enterBot(site, builder, { contest: id, caller }, formOf({ name, ...more }))
const foundEntry = (one: string): SiteEntry => site.site.entry(one) ?? expect.fail(`there is no entry ${one}`)

beforeEach(async () => {
  built = []
  workspace = mkdtempSync(join(tmpdir(), 'agon-entries-'))
  site = await openSite({ workspace, notice: () => undefined })
  id = (await createContest(site, contestOf(1, 'publish = true'))).id
  const known = async (name: string): Promise<Caller> =>
    callerOf(site.site, (await addContestant(site, id, name, HOST)).token) ?? ANYONE
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
    expect(site.site.entries(id).map(({ name }) => name)).toEqual(['Heron'])
    expect(built).toHaveLength(1)
  })

  it('is refused where three of its owner wait to be built, and not once one of them is', async () => {
    const first = await enter('One', ada)
    await enter('Two', ada)
    await enter('Two', ada)
    await expect(enter('Four', ada)).rejects.toMatchObject({ status: 429, detail: { wait: 30 } })
    await enter('Heron', bob)
    site.site.changeEntry(first.id, { state: 'rejected' })
    await enter('Four', ada)
  })

  it('is refused where another took the name in the same moment', async () => {
    const both = await Promise.allSettled([enter('Heron', ada), enter('Нerоn', bob)])
    expect(both.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected'])
    expect(both.find(({ status }) => status === 'rejected')).toMatchObject({
      reason: { message: expect.stringContaining('another’s bot') as string },
    })
    expect(site.site.entries(id)).toHaveLength(1)
  })
})

describe('a bot’s files', () => {
  const sent = (files: readonly ReturnType<typeof file>[], words: Readonly<Record<string, string>> = {}) =>
    enterBot(site, builder, { contest: id, caller: ada }, formOf({ name: 'Heron', ...words }, [...files]))
  const uploads = (): readonly string[] => {
    const folder = join(workspace, 'uploads')
    return existsSync(folder) ? readdirSync(folder) : []
  }

  it('take whole blocks of the disk, as do their folders', () => {
    const at = (path: string, bytes: number) => ({ path, data: Buffer.alloc(bytes) })
    expect(roomOf([at('bot.py', 1)])).toBe(4096)
    expect(roomOf([at('a/b/c/f', 0), at('a/b/g', 4097)])).toBe(4096 * 6)
  })

  it('lie in their folder before the entry is kept, with the blocks that they take', async () => {
    const { id: entry } = await sent([file('bot.sh'), file('lib/x', '12')])
    expect(foundEntry(entry).bytes).toBe(3 * 4096)
    expect(existsSync(join(sentFolder(site, entry), 'lib', 'x'))).toBe(true)
  })

  it.each([
    ['a path that leads out of its folder', [file('../bot.sh')], {}, /bot\.sh/],
    [
      'more memory than the contest gives',
      [file('bot.sh'), file('bot.toml', '\nmemory = "series"\n')],
      {},
      /^bot\.toml:2: "Heron" may remember for a match at most/,
    ],
    [
      'what is the host’s to say',
      [file('bot.sh'), file('bot.toml', '\nstrict_memory = false\n')],
      {},
      /^bot\.toml:2: "strict_memory" is for the contest's file to say/,
    ],
    ['no archive', [file('bot.zip', 'none', 'archive')], {}, /the archive cannot be read/],
    ['a wire that the game has not', [file('bot.sh')], { wire: 'morse' }, /morse/],
  ])('leave no folder behind where they are refused for %s', async (_, files, words, why) => {
    const refused = sent(files, words)
    await expect(refused).rejects.toThrow(Refusal)
    await expect(refused).rejects.toThrow(why)
    await expect(refused).rejects.not.toThrow(workspace)
    expect(uploads()).toEqual([])
  })

  it('leave no folder behind where they cannot be kept; that error is passed on as it is', async () => {
    const error = new FullDisk('the disk is full')
    site.site.addEntry = () => {
      throw error
    }
    await expect(enter('Heron', ada)).rejects.toBe(error)
    expect(uploads()).toEqual([])
  })
})

describe('what is told of a version', () => {
  let heron: string
  const told = (caller: Caller) => entryById(site, heron, caller)
  beforeEach(async () => {
    heron = (await enter('Heron', ada, { synopsis: 'waits', language: 'shell' })).id
    site.site.changeEntry(heron, { log: 'built\n' })
  })

  it('is its name to its owner and the host alone, until it is taken', async () => {
    expect(await told(ada)).toMatchObject({ name: 'Heron', contestant: 'Ada', synopsis: 'waits', log: 'built\n' })
    expect(await told(HOST)).toMatchObject({ name: 'Heron', log: 'built\n' })
    for (const caller of [bob, ANYONE])
      expect(Object.keys(await told(caller)).sort()).toEqual(['contest', 'created', 'id', 'state'])
    expect(await entriesOf(site, id, bob)).toEqual([])
    expect((await entriesOf(site, id, ada)).map(({ name }) => name)).toEqual(['Heron'])
  })

  it('is its name to all once it is taken, and its log once the contest has ended for good and publishes', async () => {
    site.site.changeEntry(heron, { state: 'placed' })
    expect(await told(bob)).toMatchObject({ name: 'Heron', contestant: 'Ada' })
    expect(((await told(bob)) as Entry).log).toBeUndefined()
    expect((await entriesOf(site, id, ANYONE)).map(({ name }) => name)).toEqual(['Heron'])
    site.site.changeContest(id, { state: 'finished' })
    expect(((await told(ANYONE)) as Entry).log).toBeUndefined()
    site.site.changeContest(id, { final: true })
    expect(((await told(ANYONE)) as Entry).log).toBe('built\n')
  })

  it('is nothing where there is none', async () => {
    await expect(entryById(site, 'none', HOST)).rejects.toThrow('there is no such entry')
    await expect(entriesOf(site, 'none', HOST)).rejects.toThrow('no such contest')
  })

  it('comes the newest first; the host’s own has no contestant', async () => {
    await enter('Stork', HOST)
    const all = await entriesOf(site, id, HOST)
    expect(all.map(({ name }) => name)).toEqual(['Stork', 'Heron'])
    const [stork, own] = await Promise.all(all.map((one) => entryById(site, one.id, HOST)))
    expect((stork as Entry).contestant).toBeUndefined()
    expect(own).toMatchObject({ contestant: 'Ada', language: 'shell' })
  })
})

describe('who may read its source and log', () => {
  it('is its owner and the host, and all once the contest has ended for good and publishes', async () => {
    const entry = foundEntry((await enter('Heron', ada)).id)
    expect([ada, bob, HOST, ANYONE].map((caller) => owns(entry, caller))).toEqual([true, false, true, false])
    // The same number in another contest is another person.
    expect(owns(entry, { ...ada, contest: 'other' } as Caller)).toBe(false)
    const seen = async (caller: Caller) => maySee(site, { entry, hosted: await hostedContest(site, id) }, caller)
    const met = async (caller: Caller) => maySeeEntrant(site, await hostedContest(site, id), 'Heron', caller)
    expect([await seen(ada), await seen(bob), await met(HOST), await met(bob)]).toEqual([true, false, true, false])
    // All that is there has been played, and another bot may still come.
    site.site.changeContest(id, { state: 'finished' })
    expect([await seen(bob), await met(ANYONE)]).toEqual([false, false])
    site.site.changeContest(id, { final: true })
    await expect(enter('Stork', bob)).rejects.toThrow('ended for good')
    expect([await seen(bob), await seen(ANYONE)]).toEqual([true, true])
    // Not where the contest does not say so.
    site.site.changeContest(id, { toml: contestOf(1) })
    expect([await seen(ada), await seen(bob)]).toEqual([true, false])
  })
})
