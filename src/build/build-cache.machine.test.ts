import { wasBuilt } from './prepared.js'
import {
  chmodSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  readdirSync,
  rmSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeEach, describe, expect, it, vi } from 'vitest'
import { parseContest } from '../contest/parse.js'
import { findIsolation } from '../sandbox/index.js'
import { BuildCache, cacheKey } from './build-cache.js'
import { prepareEntrants } from './prepare.js'
import { machineMark } from './toolchain.js'

const top = mkdtempSync(join(tmpdir(), 'agon-build-cache-'))
afterAll(() => rmSync(top, { recursive: true, force: true }))
let folder = top
let n = 0
beforeEach(() => {
  folder = join(top, `case-${n++}`)
  mkdirSync(folder)
})
const at = (...names: string[]): string => join(folder, ...names)
const write = (path: string, text: string, mode = 0o644): void => {
  mkdirSync(join(at(path), '..'), { recursive: true })
  writeFileSync(at(path), text)
  chmodSync(at(path), mode)
}
const PLENTY = 1e6
const key = cacheKey(['a build'])
const kept = (): string[] => readdirSync(at('cache/builds')).sort()

describe('what a build made', () => {
  const made = async (cache: BuildCache, name = key): Promise<void> => {
    write('made/bin/bot', '#!/bin/sh\necho built\n', 0o755)
    write('made/data.txt', 'data')
    rmSync(at('made/link'), { force: true })
    symlinkSync('data.txt', at('made/link'))
    await cache.keep(name, at('made'))
  }
  let taken = 0
  const take = async (cache: BuildCache, bytes = PLENTY): Promise<string | undefined> => {
    const to = at(`taken-${taken++}`)
    const found = await cache.take(key, to, bytes)
    expect(readdirSync(folder).includes(to.slice(folder.length + 1)), 'a folder that holds half of it').toBe(found)
    return found ? to : undefined
  }

  it('is there for another workspace: files, modes and links', async () => {
    const cache = new BuildCache(at('cache'))
    expect(await take(cache)).toBeUndefined()
    await made(cache)
    const there = (await take(new BuildCache(at('cache')))) ?? ''
    expect(readFileSync(join(there, 'link'), 'utf8')).toBe('data')
    expect(statSync(join(there, 'bin/bot')).mode & 0o777).toBe(0o755)
    expect(kept()).toEqual([key])
  })

  it('is not believed once anything in it is another one', async () => {
    const entry = at('cache/builds', key)
    const changes: Readonly<Record<string, () => void>> = {
      'a file': () => writeFileSync(join(entry, 'files/bin/bot'), '#!/bin/sh\necho other\n'),
      'one more file': () => writeFileSync(join(entry, 'files/more'), ''),
      'a link': () => (rmSync(join(entry, 'files/link')), symlinkSync('bin/bot', join(entry, 'files/link'))),
      'a link out of it': () => (
        rmSync(join(entry, 'files/link')),
        symlinkSync('/etc/passwd', join(entry, 'files/link'))
      ),
      'no seal': () => rmSync(join(entry, 'seal')),
      'another seal': () => writeFileSync(join(entry, 'seal'), `${'0'.repeat(64)} 5\n`),
    }
    for (const [what, change] of Object.entries(changes)) {
      const cache = new BuildCache(at('cache'))
      rmSync(at('cache/builds', key), { recursive: true, force: true })
      await made(cache)
      expect(await take(cache), 'before').toBeDefined()
      change()
      expect(await take(cache), what).toBeUndefined()
    }
  })

  it('is not believed where others may write', async () => {
    const cache = new BuildCache(at('cache'))
    await made(cache)
    chmodSync(at('cache/builds', key), 0o777)
    expect(await take(cache)).toBeUndefined()
  })

  it('is not taken where it is more than the contest allows', async () => {
    const cache = new BuildCache(at('cache'))
    await made(cache)
    expect(await take(cache, 10)).toBeUndefined()
    expect(await take(cache)).toBeDefined()
  })

  it('goes where there is more than is kept, the longest unused first', async () => {
    const cache = new BuildCache(at('cache'), 50_000)
    const keys = ['a', 'b', 'c'].map((name) => cacheKey([name]))
    for (const [i, name] of keys.entries()) {
      await made(cache, name)
      const then = new Date(Date.now() - (10 - i) * 60_000)
      utimesSync(at('cache/builds', name, 'seal'), then, then)
    }
    const [a = '', b = '', c = ''] = keys
    expect(await cache.take(a, at('used'), PLENTY)).toBe(true)
    await made(cache, key)
    expect(kept()).toEqual([a, c, key].sort())
    expect(kept()).not.toContain(b)
  })

  it('is kept once, whichever is first', async () => {
    const caches = [1, 2, 3].map(() => new BuildCache(at('cache')))
    write('made/bot', 'x'.repeat(10))
    await Promise.all(caches.map((cache) => cache.keep(key, at('made'))))
    expect(kept()).toEqual([key])
    expect(await take(new BuildCache(at('cache')))).toBeDefined()
  })
})

it('a machine on which a program is another one is another machine', () => {
  write('cc', '#!/bin/sh\n', 0o755)
  const before = machineMark([at('cc')])
  expect(machineMark([at('cc')])).toBe(before)
  write('cc', '#!/bin/sh\necho 2\n', 0o755)
  expect(machineMark([at('cc')])).not.toBe(before)
})

const { launcher = '', program: bubblewrap } = await findIsolation()

describe.runIf(bubblewrap !== undefined)('a build in a sandbox', () => {
  /** Prepares an entrant of this source and build in a workspace; gives what was noted and what its program says. */
  async function prepare(workspace: string, source: string, build: string) {
    write(`contest-${workspace}/bot.c`, source, 0o755)
    const text = `game = "samurai"\n[[entrants]]\nname = "Ant"\nfolder = "."\nbuild = ${JSON.stringify(build)}\ncommand = "./bot"\n[[entrants]]\nname = "Bee"\ncommand = "true"\n`
    const loaded = await parseContest(text, at(`contest-${workspace}`, 'c.toml'))
    const notes: string[] = []
    const isolation = { trust: false, maker: { launcher, bubblewrap: bubblewrap ?? '' } }
    const options = { workspace: at(workspace), isolation, onNote: (note: string) => notes.push(note) }
    const [one] = await prepareEntrants(loaded, options)
    if (one === undefined || !wasBuilt(one) || one.program.kind !== 'process')
      throw new Error(`not prepared: ${JSON.stringify(one)}`)
    return { notes, made: readFileSync(join(one.program.cwd, 'bot'), 'utf8'), cwd: one.program.cwd }
  }

  it('is there for each workspace of the user, for the same source and commands alone', async () => {
    vi.stubEnv('XDG_CACHE_HOME', at('home'))
    try {
      const build = 'cp bot.c bot'
      const first = await prepare('one', 'one', build)
      const second = await prepare('two', 'one', build)
      expect([first.notes, second.notes]).toEqual([['building Ant'], []])
      expect(second.cwd.startsWith(at('two'))).toBe(true)
      expect(second.made).toBe(first.made)
      expect((await prepare('three', 'other', build)).notes).toEqual(['building Ant'])
      expect((await prepare('four', 'one', 'cp -p bot.c bot')).notes).toEqual(['building Ant'])
      const builds = at('home/agon/builds')
      for (const name of readdirSync(builds)) writeFileSync(join(builds, name, 'files/bot'), 'bent')
      expect(await prepare('five', 'one', build)).toMatchObject({ notes: ['building Ant'], made: 'one' })
    } finally {
      vi.unstubAllEnvs()
    }
  })
})
