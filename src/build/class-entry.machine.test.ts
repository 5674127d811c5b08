import { execFileSync, spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, dirname, join } from 'node:path'
import { afterAll, describe, expect, test } from 'vitest'
import { classFiles, className } from './class-entry.js'
import { parseContest } from '../contest/parse.js'
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
  test('are its header, all it includes, and the sources of both; never those of another entry', () => {
    expect(names(classFiles(join(folder, 'many/Ant.hpp'), undefined, provided))).toEqual([
      'Ant.cpp',
      'Ant.hpp',
      'AntHelp.cpp',
      'Bee.hpp',
      'sub/secret.hpp',
      'sub/tools.cpp',
      'sub/tools.hpp',
    ])
    expect(names(classFiles(join(folder, 'many/AntLion.hpp'), undefined, provided))).toEqual([
      'AntLion.cpp',
      'AntLion.hpp',
    ])
    expect(names(classFiles(join(folder, 'many/Bee.hpp'), undefined, provided))).toEqual([
      'Bee.hpp',
      'sub/secret.hpp',
      'sub/tools.cpp',
      'sub/tools.hpp',
    ])
  })
  test('are found anywhere in its folder, where it has one', () => {
    write('own/Cat.hpp', player('Cat', 'Action fight();'))
    write('own/src/CatFight.cpp', '')
    expect(
      classFiles(join(folder, 'own/Cat.hpp'), join(folder, 'own'), provided).map((file) => basename(file)),
    ).toEqual(['Cat.hpp', 'CatFight.cpp'])
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
    const loaded = await parseContest(text, join(folder, 'c.toml'))
    const prepared = await prepareEntrants(loaded, { workspace: join(folder, 'workspace') })
    expect(
      prepared.map((bot) => (bot.admitted ? [bot.wire, bot.memory, bot.language] : bot.why.replace(/: .*/, ''))),
    ).toEqual([['class', 'series', 'C++'], ['class', 'series', 'C++'], 'its build failed'])
    expect(prepared[2]).toMatchObject({ log: expect.stringContaining('nonsense') as string })
    const [ant] = prepared
    if (!ant?.admitted || ant.run.kind !== 'process') throw new Error('not built')
    expect(readdirSync(ant.run.cwd).sort()).toEqual([
      'Ant.cpp',
      'Ant.hpp',
      'Ant.player',
      'AntHelp.cpp',
      'Bee.hpp',
      'sub',
    ])
    const [file = '', ...args] = ant.run.argv
    expect(execFileSync(file, args, { input: 'I3 0\nF\n', encoding: 'utf8' })).toBe('0\n')
  },
)
