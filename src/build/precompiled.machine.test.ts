import { spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readFileSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, describe, expect, it } from 'vitest'
import { type Shim, runFree, shimCommand, stepOf } from './build.js'
import { precompiled } from './precompiled.js'
import { Stage } from './stage.js'

const folder = mkdtempSync(join(tmpdir(), 'agon-precompiled-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))
const at = (...names: string[]): string => join(folder, ...names)
const version = spawnSync('c++', ['--version'], { encoding: 'utf8' })
const isGcc = version.status === 0 && !version.stdout.includes('clang')

/** A shim in little. */
function shimOf(command: readonly string[]): Shim {
  mkdirSync(at('shim'), { recursive: true })
  writeFileSync(at('shim/Player.hpp'), '#pragma once\nstruct Player { virtual int fight() = 0; };\n')
  writeFileSync(at('shim/first.hpp'), '#include "Player.hpp"\n')
  writeFileSync(
    at('shim/main.cpp'),
    '#include "Player.hpp"\n#include AGON_HEADER\nint main() { AGON_CLASS one; return one.fight(); }\n',
  )
  const prelude = {
    header: 'first.hpp',
    command: ['c++', '-O1', '-x', 'c++-header', '{shim}/first.hpp', '-o', '{out}'],
  }
  const files = ['Player.hpp', 'first.hpp', 'main.cpp']
  return { folder: at('shim'), command, files, headers: new Set(['Player.hpp', 'first.hpp']), hash: 'x', prelude }
}
const COMMAND = [
  'c++',
  '-O1',
  '-I{shim}',
  '-I{folder}',
  '-include',
  '{shim}/Player.hpp',
  '-DAGON_HEADER="{header}"',
  '-DAGON_CLASS={class}',
  '{shim}/main.cpp',
  '{sources}',
  '-o',
  '{out}',
]

describe.runIf(isGcc)('headers that all classes include', () => {
  writeFileSync(at('Seven.hpp'), 'struct Seven : public Player { int fight() override { return 7; } };\n')
  const build = async (shim: Shim, out: string): Promise<Buffer> => {
    await runFree([await stepOf(shimCommand(shim, at('Seven.hpp'), [], out), folder)], folder)
    return readFileSync(out)
  }

  it('are precompiled once, and make the same program', async () => {
    const shim = shimOf(COMMAND)
    const one = await precompiled(shim, new Stage(at('cache')))
    expect(readdirSync(one.folder)).toContain('first.hpp.gch')
    const made = statSync(join(one.folder, 'first.hpp.gch')).mtimeMs
    const again = await precompiled(shim, new Stage(at('cache')))
    expect([again.folder, statSync(join(again.folder, 'first.hpp.gch')).mtimeMs]).toEqual([one.folder, made])
    expect((await build(again, at('quick'))).equals(await build(shim, at('plain')))).toBe(true)
    // The compiler takes it.
    const words = shimCommand({ ...again, command: [...again.command, '-H'] }, at('Seven.hpp'), [], at('quick'))
    expect(spawnSync(words[0] ?? '', words.slice(1), { encoding: 'utf8' }).stderr).toMatch(/^! .*first\.hpp\.gch$/m)
  })

  it('are made anew once they are others', async () => {
    const shim = shimOf(COMMAND)
    const { folder: place } = await precompiled(shim, new Stage(at('bent')))
    writeFileSync(join(place, 'Player.hpp'), '#error bent\n')
    await precompiled(shim, new Stage(at('bent')))
    expect(readFileSync(join(place, 'Player.hpp'), 'utf8')).toContain('struct Player')
  })

  it('are left as they are where they cannot be precompiled', async () => {
    const shim = shimOf(COMMAND)
    const prelude = { header: 'first.hpp', command: ['c++', '{shim}/none.hpp', '-o', '{out}'] }
    const broken = { ...shim, prelude, hash: 'y' }
    expect(await precompiled(broken, new Stage(at('cache')))).toBe(broken)
    const strange = { ...shim, command: ['no-such-compiler', ...COMMAND.slice(1)] }
    expect(await precompiled(strange, new Stage(at('cache')))).toBe(strange)
  })
})

it('the prelude of the gun duel is what its main program includes before a class, compiled with the same options', () => {
  const shim = fileURLToPath(new URL('../games/gunduel/shim/', import.meta.url))
  const includes = (name: string): string[] =>
    (readFileSync(join(shim, name), 'utf8').split('AGON_HEADER\n')[0] ?? '').match(/^#include ["<].*$/gm) ?? []
  const main = readFileSync(join(shim, 'main.cpp'), 'utf8')
  const before = main.slice(0, main.indexOf('#include AGON_HEADER')).match(/^#include ["<].*$/gm)
  expect(includes('agon-prelude.hpp')).toEqual(before)
  const { command, prelude } = JSON.parse(readFileSync(join(shim, 'build.json'), 'utf8')) as Shim
  const options = (words: readonly string[] = []) => words.filter((word) => /^-(?:std|O|f|m|p)/.test(word))
  expect(options(prelude?.command)).toEqual(options(command))
  expect(prelude?.command[0]).toBe(command[0])
})
