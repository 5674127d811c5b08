import { wasBuilt } from './prepared.js'
import { chmodSync, mkdirSync, mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeEach, describe, expect, it, vi } from 'vitest'
import { contestOf } from '../../test/kit/contest.js'
import { findIsolation } from '../sandbox/index.js'
import { prepareEntrants } from './prepare.js'
import { machineMark } from './toolchain.js'

const top = mkdtempSync(join(tmpdir(), 'agon-held-builds-'))
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
    const loaded = await contestOf(text, at(`contest-${workspace}`, 'c.toml'))
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
