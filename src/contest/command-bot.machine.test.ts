import { wasBuilt } from '../build/index.js'
import { spawnSync } from 'node:child_process'
import { chmodSync, mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import gunduel from '../games/gunduel/index.js'
import samurai from '../games/samurai/index.js'
import { commandBot } from './command-bot.js'
import { houseBots } from './entries.js'
import { prepareBots } from '../build/prepare.js'

const folder = realpathSync(mkdtempSync(join(tmpdir(), 'agon-bots-')))
const from = process.cwd()
beforeAll(() => process.chdir(folder))
afterAll(() => {
  process.chdir(from)
  rmSync(folder, { recursive: true, force: true })
})
function write(name: string, text: string, mode = 0o644): void {
  writeFileSync(join(folder, name), text)
  chmodSync(join(folder, name), mode)
}
const spec = (word: string, definition = samurai, wire?: string): unknown => commandBot(word, definition, wire).spec
function specOrError(word: string, definition = samurai, wire?: string): string {
  try {
    return JSON.stringify(spec(word, definition, wire))
  } catch (error) {
    return String(error)
  }
}

test('a file is started by its kind, under its own name', () => {
  for (const name of ['a.py', 'a.pl', 'a.sh', 'a.rb', 'a.jar', 'a.ts', 'a.mjs', 'A.hpp']) write(name, '')
  write('prog', '', 0o755)
  expect(spec('a.py')).toEqual({ name: 'a.py', command: ['python3', join(folder, 'a.py')] })
  expect(spec('./a.pl')).toEqual({ name: 'a.pl', command: ['perl', join(folder, 'a.pl')] })
  expect(spec(join(folder, 'a.sh'))).toEqual({ name: 'a.sh', command: ['sh', join(folder, 'a.sh')] })
  expect(spec('a.rb')).toEqual({ name: 'a.rb', command: ['ruby', join(folder, 'a.rb')] })
  expect(spec('a.jar')).toEqual({ name: 'a.jar', command: ['java', '-jar', join(folder, 'a.jar')] })
  expect(spec('a.ts')).toEqual({ name: 'a.ts', module: join(folder, 'a.ts') })
  expect(spec('a.mjs', samurai, 'jsonl')).toEqual({ name: 'a.mjs', module: join(folder, 'a.mjs') })
  expect(spec('prog', samurai, 'jsonl')).toEqual({ name: 'prog', command: [join(folder, 'prog')], wire: 'jsonl' })
  expect(spec('A.hpp', gunduel)).toEqual({ name: 'A.hpp', class: join(folder, 'A.hpp') })
  expect(spec('A.hpp', gunduel, 'exit')).toEqual({ name: 'A.hpp', class: join(folder, 'A.hpp') })
  expect(spec('A.hpp', gunduel, 'class-original')).toMatchObject({ wire: 'class-original' })
  expect(specOrError('A.hpp')).toMatchInlineSnapshot(
    `"UserError: A.hpp: samurai takes no classes; name a program, a script or a module"`,
  )
})

test('what is compiled is linked with what its language has', () => {
  write('a.c', '')
  write('a.cpp', '')
  write('Ant.java', '/* package no; */\npackage ants.red; // and\nclass Ant {}')
  expect(spec('a.c')).toMatchObject({ build: [['cc', '-O2', '-pthread', '-o', 'a', join(folder, 'a.c'), '-lm']] })
  expect(spec('a.cpp')).toMatchObject({ build: [expect.arrayContaining(['c++', '-pthread', join(folder, 'a.cpp')])] })
  expect(spec('Ant.java')).toMatchObject({ command: expect.arrayContaining(['ants.red.Ant']) as unknown })
})

test.runIf(spawnSync('cc', ['--version']).status === 0)('a C program that calculates is built', async () => {
  // What a compiler works out by itself needs no library.
  write('sum.c', '#include <math.h>\nint main(int n, char **w) { return (int)pow(n, w[0][0] / 7.0); }\n')
  const [bot] = await prepareBots([commandBot('sum.c', samurai)], samurai, { workspace: join(folder, 'workspace') })
  expect(bot).toHaveProperty('program')
})

test('an entry file says it all', () => {
  write('bot.toml', 'name = "Ant"\ncommand = "sh a.sh"\nwire = "jsonl"\n')
  expect(spec('bot.toml')).toEqual({ name: 'Ant', command: ['sh', 'a.sh'], wire: 'jsonl' })
  expect(commandBot('.', samurai), 'that of a folder').toMatchObject({ spec: { name: 'Ant' }, base: folder })
})

test('a command is split, and called by its file', () => {
  expect(spec("sh -c 'exit 0'")).toEqual({ name: 'sh', command: ['sh', '-c', 'exit 0'] })
  expect(spec('sh a.sh --deep')).toEqual({ name: 'a.sh', command: ['sh', 'a.sh', '--deep'] })
  expect(spec('true')).toEqual({ name: 'true', command: ['true'] })
})

test('a house bot goes by its name, whatever its case', () => {
  const [bot] = houseBots(samurai)
  const name = bot?.spec.name ?? ''
  expect(commandBot(name.toUpperCase(), samurai)).toMatchObject({ house: true, spec: { name } })
})

test('what is none of these is refused', () => {
  write('notes.txt', '')
  expect(specOrError('./notes.tt')).toContain(
    'UserError: no bot "./notes.tt" (did you mean "notes.txt"?): name a house bot',
  )
  expect(specOrError('notes.txt')).toMatchInlineSnapshot(
    `"UserError: notes.txt cannot be started: make it executable (chmod +x), or give a command such as "python3 notes.txt""`,
  )
  mkdirSync('empty')
  expect(specOrError('empty')).toMatchInlineSnapshot(
    `"UserError: empty is a folder without a bot.toml: name the bot's file in it, or a command"`,
  )
  expect(specOrError("sh 'x")).toMatchInlineSnapshot(
    `"UserError: not a command: the quote ' is never closed in "sh 'x""`,
  )
  expect(specOrError('a.py', samurai, 'lines')).toMatchInlineSnapshot(
    `"UserError: unknown wire "lines"; samurai has turn, jsonl, module"`,
  )
})

test('Java, an absolute script and a quoted command are prepared from wherever they lie', async () => {
  write('Echo.java', 'class Echo { public static void main(String[] a) { System.out.println("B"); } }')
  process.chdir(tmpdir())
  const words = [join(folder, 'Echo.java'), join(folder, 'a.sh'), `sh ${join(folder, 'a.sh')}`]
  const prepared = await prepareBots(
    words.map((word) => commandBot(word, samurai)),
    samurai,
    { workspace: join(folder, 'workspace') },
  )
  process.chdir(folder)
  for (const bot of prepared) {
    if (!wasBuilt(bot)) expect(bot.why).toBe('this machine has no javac, which builds it')
    else expect(bot.program.kind === 'process' && bot.program.cwd.startsWith(join(folder, 'workspace'))).toBe(true)
  }
})

test('what a command needs beside its files is told to the user who typed it', async () => {
  write('m.ts', "import { x } from './x.js'\nexport default () => x\n")
  const refused = async (word: string): Promise<string> =>
    prepareBots([commandBot(word, samurai)], samurai, { workspace: join(folder, 'workspace') }).then(
      () => '',
      (error: unknown) => String(error),
    )
  expect(await refused('java -cp . Echo')).toMatch(
    /"\." is the whole folder that you are in: .* bot\.toml with folder = "\."$/,
  )
  expect(await refused('m.ts')).toMatch(/imports "\.\/x\.js".*: describe both in a bot\.toml with folder = "\."$/)
})
