import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import type { GameDefinition } from '../core/index.js'
import { games } from '../games/index.js'
import { sentEntry } from './sent-entry.js'

let folder: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'agon-start-'))
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

/** How a bot of these files is started; a path that ends in * may be executed. */
function started(files: Readonly<Record<string, string>>, game = 'samurai', name = 'Heron'): unknown {
  for (const [path, text] of Object.entries(files)) {
    const file = join(folder, path.replace('*', ''))
    mkdirSync(join(file, '..'), { recursive: true })
    writeFileSync(file, text, { mode: path.endsWith('*') ? 0o755 : 0o644 })
  }
  const { command, build, module, class: header } = sentEntry({ name }, folder, gameOf(game)).spec
  return header ?? module ?? [...(build ?? []), command].map((words = []) => words.join(' '))
}
const gameOf = (id: string) => games.find(({ game }) => game.id === id) as GameDefinition

it('a bot whose command is left out is started by the file that starts, as agon check would', () => {
  expect(started({ 'heron.py': 'print("B")', 'README.md': '' })).toEqual(['python3 heron.py'])
})
it.each([
  ['a helper', { 'heron.py': 'from agon import run\nrun()', 'agon.py': 'def run(): ...' }, ['python3 heron.py']],
  ['helpers in one line', { 'h.py': 'import os, agon\n', 'agon.py': '' }, ['python3 h.py']],
  ['a folder of helpers', { 'h.py': 'import lib.x', 'lib/x.py': '' }, ['python3 h.py']],
  ['the usual name', { 'Bot.py': '', 'train.py': '' }, ['python3 Bot.py']],
  ['its own name', { 'heron.sh': '', 'bot.sh': '' }, ['sh heron.sh']],
  [
    'Java',
    { 'Bot.java': 'package b; class Bot { static void main(String[] a) {} }', 'Agon.java': 'class Agon {}' },
    ['javac -d . Bot.java', 'java -XX:TieredStopAtLevel=1 -XX:+UseSerialGC -cp . b.Bot'],
  ],
  [
    'C++',
    { 'a.cpp': '#include "agon.hpp"\nint main() {}', 'agon.hpp': '' },
    ['c++ -std=c++17 -O2 -pthread -o a a.cpp', './a'],
  ],
  ['a program', { 'heron*': 'ELF', 'README.md*': '' }, ['./heron']],
  ['a module', { 'h.ts': "import { view } from './view.js'", 'view.ts': '', 'view.d.ts': '' }, 'h.ts'],
  ['what bot.toml says beside it', { 'bot.toml': 'wire = "jsonl"', 'h.py': '' }, ['python3 h.py']],
] as const)('that it is, with %s', (_, files, start) => {
  expect(started(files)).toEqual(start)
})
it('of a game that has a wire for classes it may be a class', () => {
  const files = { 'Heron.hpp': '#include "Player.hpp"\nclass Heron : public Player {};', 'Player.hpp': '' }
  expect(started({ ...files, 'Heron.cpp': '#include "Heron.hpp"\n' }, 'gunduel')).toBe('Heron.hpp')
})

it('of a starter kit it speaks lines, as the kit’s helper does', () => {
  const agon = '// Reads agon’s questions and writes the answers: a line of JSON each way.'
  expect(started({ 'bot.mjs': "import { run } from './agon.mjs'", 'agon.mjs': agon })).toEqual(['node bot.mjs'])
  expect(sentEntry({ name: 'Heron' }, folder, gameOf('samurai')).spec.wire).toBe('jsonl')
})

it('where no file starts, or several could, the command is asked for', () => {
  expect(() => started({ 'notes.txt': '' })).toThrow(
    'no file here is known to start a bot (notes.txt): give the command',
  )
  expect(() => started({ 'a.py': '', 'b.py': '' })).toThrow('each of a.py, b.py could start the bot: give the command')
})
