import { wasBuilt } from './prepared.js'
import { execFileSync, spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, dirname, join } from 'node:path'
import { afterAll, describe, expect, test } from 'vitest'
import { UserError } from '../core/index.js'
import { TreeFault } from '../files/index.js'
import { contestOf } from '../../test/kit/contest.js'
import { CLASS_FILES, classFiles, className } from './class-entry.js'
import { prepareEntrants } from './prepare.js'

const folder = mkdtempSync(join(tmpdir(), 'agon-class-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))
function write(name: string, text: string): string {
  mkdirSync(dirname(join(folder, name)), { recursive: true })
  writeFileSync(join(folder, name), text)
  return join(folder, name)
}
const player = (name: string, body: string): string =>
  `#pragma once\n#include "Player.hpp"\nclass ${name} : public Player {\npublic:\n  ${name}(size_t opponent = -1) : Player(opponent) {}\n  ${body}\n};\n`
write('many/Player.hpp', '#error "the copy that an author left beside his class"')
write('many/Ant.hpp', `#include "Bee.hpp"\n${player('Ant', 'Action fight();\n  Bee other;')}`)
write('many/Ant.cpp', '#include "Ant.hpp"\nPlayer::Action Ant::fight() { return help() ? load() : metal(); }')
write('many/AntHelp.cpp', 'bool help() { return true; }')
write('many/AntLion.hpp', player('AntLion', 'Action fight() { return load(); }'))
write('many/AntLion.cpp', '#error "another entry"')
write('many/Bee.hpp', `#include "sub/tools.hpp"\nbool help();\n${player('Bee', 'Action fight() { return bullet(); }')}`)
write('many/sub/tools.hpp', 'int tool();')
write('many/sub/tools.cpp', '#include "secret.hpp"\nint tool() { return SECRET; }')
write('many/sub/secret.hpp', '#define SECRET 7')
write('many/unrelated.cpp', '#error "not its own"')
const provided = new Set(['Player.hpp'])
const names = (files: readonly string[]): string[] =>
  files.map((file) => file.slice(join(folder, 'many/').length)).sort()

test('a class is called as its header, unless that has just one of another name', () => {
  const called = (name: string, text: string): string => className(write(`called/${name}`, text))
  expect(called('Ant.hpp', 'class Ant : public Player {};')).toBe('Ant')
  expect(
    called('ant.hpp', '// class No : public Player\nclass Helper {};\nclass AntPlayer final\n  : public Player {};'),
  ).toBe('AntPlayer')
  expect(called('Two.hpp', 'class One : public Player {}; class Two : public Player {};')).toBe('Two')
  expect(called('Macro.hpp', 'PLAYER(Macro)')).toBe('Macro')
})

describe('the files of a class', () => {
  test('are its header, all it includes, and the sources of both; never those of another entry', async () => {
    expect(names(await classFiles(join(folder, 'many/Ant.hpp'), undefined, provided))).toEqual([
      'Ant.cpp',
      'Ant.hpp',
      'AntHelp.cpp',
      'Bee.hpp',
      'sub/secret.hpp',
      'sub/tools.cpp',
      'sub/tools.hpp',
    ])
    expect(names(await classFiles(join(folder, 'many/AntLion.hpp'), undefined, provided))).toEqual([
      'AntLion.cpp',
      'AntLion.hpp',
    ])
    expect(names(await classFiles(join(folder, 'many/Bee.hpp'), undefined, provided))).toEqual([
      'Bee.hpp',
      'sub/secret.hpp',
      'sub/tools.cpp',
      'sub/tools.hpp',
    ])
  })
  test('are found anywhere in its folder, where it has one', async () => {
    write('own/Cat.hpp', player('Cat', 'Action fight();'))
    write('own/src/CatFight.cpp', '')
    const found = await classFiles(join(folder, 'own/Cat.hpp'), join(folder, 'own'), provided)
    expect(found.map((file) => basename(file))).toEqual(['Cat.hpp', 'CatFight.cpp'])
  })
  test('are all found, each once, however one brings in the next', async () => {
    const header = write('chain/Chain.hpp', `#include "H1.hpp"\n${player('Chain', 'Action fight();')}`)
    for (let i = 1; i <= 100; i++) {
      write(`chain/H${i}.hpp`, '#include "Chain.hpp"\n#include "gone.hpp"\n')
      write(`chain/H${i}.cpp`, `#include "H${i}.hpp"\n${i < 100 ? `#include "H${i + 1}.hpp"` : ''}\n`)
    }
    const files = await classFiles(header, undefined, provided)
    expect([files.length, new Set(files).size]).toEqual([201, 201])
  })
  test('are few: what a source names counts, there or not, and so do files that bear its name', async () => {
    const wide = (name: string, count: number): string => {
      const named = Array.from({ length: count }, (_, i) => `#include "gone${i}.hpp"\n`)
      return write(`wide/${name}.hpp`, `${named.join('')}${named.join('')}${player(name, '')}`)
    }
    expect(names(await classFiles(wide('Most', CLASS_FILES - 1), undefined, provided))).toHaveLength(1)
    await expect(classFiles(wide('More', CLASS_FILES), undefined, provided)).rejects.toThrow(
      'More.hpp is a class of more than 1000 files: put several of them into one',
    )
    const bare = write('bare/Own.hpp', player('Own', ''))
    for (let i = 0; i < CLASS_FILES; i++) write(`bare/sub/Own${i}.cpp`, '')
    await expect(classFiles(bare, join(folder, 'bare'), provided)).rejects.toThrow(TreeFault)
    expect(await classFiles(bare, undefined, provided)).toEqual([bare])
  })
  test('are refused in one line where they are too many', async () => {
    const text =
      'game = "gunduel"\n[[entrants]]\nname = "More"\nclass = "wide/More.hpp"\n[[entrants]]\nhouse = "Tightrope"\n'
    const loaded = await contestOf(text, join(folder, 'c.toml'))
    const refused = prepareEntrants(loaded, { workspace: join(folder, 'workspace') })
    await expect(refused).rejects.toThrow(UserError)
    await expect(refused).rejects.toThrow(
      /More\.hpp of "More" is a class of more than 1000 files: put several of them into one$/,
    )
  })
})

test.runIf(spawnSync('c++', ['--version']).status === 0)(
  'a class of several files becomes a program of the wire, unmodified',
  async () => {
    const text = `game = "gunduel"
[[entrants]]
name = "Ant"
class = "many/Ant.hpp"
[[entrants]]
name = "Whole"
class = "many/Ant.hpp"
folder = "many"
[[entrants]]
name = "Broken"
class = "broken.hpp"
`
    write('broken.hpp', player('broken', 'Action fight() { return nonsense; }'))
    const loaded = await contestOf(text, join(folder, 'c.toml'))
    const prepared = await prepareEntrants(loaded, { workspace: join(folder, 'workspace') })
    expect(
      prepared.map((bot) => (wasBuilt(bot) ? [bot.wire, bot.memory, bot.facts.language] : bot.why.replace(/: .*/, ''))),
    ).toEqual([['class', 'series', 'C++'], ['class', 'series', 'C++'], 'its build failed'])
    expect(prepared[2]).toMatchObject({ log: expect.stringContaining('nonsense') as string })
    const [ant] = prepared
    if (ant === undefined || !wasBuilt(ant) || ant.program.kind !== 'process') throw new Error('not built')
    expect(readdirSync(ant.program.cwd).sort()).toEqual([
      'Ant.cpp',
      'Ant.hpp',
      'Ant.player',
      'AntHelp.cpp',
      'Bee.hpp',
      'sub',
    ])
    const [file = '', ...args] = ant.program.argv
    expect(execFileSync(file, args, { input: 'I3 0\nF\n', encoding: 'utf8' })).toBe('0\n')
  },
)
