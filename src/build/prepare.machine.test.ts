import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { execFileSync } from 'node:child_process'
import { tmpdir } from 'node:os'
import { basename, dirname, join } from 'node:path'
import { afterAll, beforeEach, describe, expect, test } from 'vitest'
import { UserError, type Program } from '../core/index.js'
import { contestOf } from '../../test/kit/contest.js'
import { thisProcess } from '../files/index.js'
import { prepareEntrants } from './prepare.js'
import { type BuiltEntrant, type NotBuilt, wasBuilt } from './prepared.js'

const top = mkdtempSync(join(tmpdir(), 'agon-prepare-'))
afterAll(() => rmSync(top, { recursive: true, force: true }))
let folder = top
let workspace = top
let notes: string[] = []
let rooms = 0
beforeEach(() => {
  folder = join(top, `contest-${rooms}`)
  workspace = join(top, `workspace-${rooms++}`)
  mkdirSync(folder)
  notes = []
})
const at = (...names: string[]): string => join(folder, ...names)
function write(name: string, text: string, mode = 0o644): string {
  mkdirSync(dirname(at(name)), { recursive: true })
  writeFileSync(at(name), text)
  chmodSync(at(name), mode)
  return at(name)
}

/** Prepares one entrant with these keys, beside one that always plays. */
async function prepare(keys: string, game = 'samurai', head = ''): Promise<BuiltEntrant | NotBuilt> {
  const text = `game = "${game}"\n${head}\n[[entrants]]\nname = "Ant"\n${keys}\n[[entrants]]\nname = "Bee"\ncommand = "sh -c 'echo Bow'"\nwire = "jsonl"\n`
  const loaded = await contestOf(text, at('c.toml'))
  const [first, second] = await prepareEntrants(loaded, { workspace, onNote: (note) => notes.push(note) })
  expect(second).toMatchObject({ name: 'Bee', program: {} })
  if (first === undefined) throw new Error('nothing prepared')
  return first
}
async function admitted(keys: string, game?: string, head?: string): Promise<BuiltEntrant> {
  const prepared = await prepare(keys, game, head)
  if (!wasBuilt(prepared)) throw new Error(`${prepared.why}\n${prepared.log}`)
  return prepared
}
async function processOf(keys: string, game?: string): Promise<{ argv: readonly string[]; cwd: string; hash: string }> {
  const { program: run, source: hash } = await admitted(keys, game)
  if (run.kind !== 'process') throw new Error('a module')
  return { ...run, hash }
}
async function mistake(keys: string, game?: string): Promise<string> {
  try {
    await prepare(keys, game)
  } catch (error) {
    if (error instanceof UserError) return error.message.replaceAll(folder, '<folder>').replace(/^\S*c\.toml/, 'c.toml')
    throw error
  }
  return 'no mistake'
}
/** What a prepared program prints. */
function output({ argv, cwd }: { argv: readonly string[]; cwd: string }): string {
  const [file = '', ...args] = argv
  return execFileSync(file, args, { cwd, encoding: 'utf8' })
}
function staged(cwd: string): string[] {
  return readdirSync(cwd, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name).slice(cwd.length + 1))
    .sort()
}

describe('a source', () => {
  test('is exactly the files that a command names', async () => {
    write('bots/ant.sh', 'cat "$1"')
    write('bots/other.sh', 'exit')
    write('data/ant.txt', 'ant')
    const run = await processOf('command = "sh bots/ant.sh data/ant.txt"')
    expect(staged(run.cwd)).toEqual(['bots/ant.sh', 'data/ant.txt'])
    expect(output(run)).toBe('ant')
    expect(run.cwd.startsWith(join(workspace, 'entrants', run.hash))).toBe(true)
  })

  test('lies where its files lie, and stays usable when the originals go', async () => {
    write('bots/deep/ant.sh', 'echo "$0" here')
    const run = await processOf('command = ["sh", "bots/deep/ant.sh"]')
    expect(staged(run.cwd)).toEqual(['ant.sh'])
    rmSync(at('bots'), { recursive: true })
    expect(output(run)).toContain('here')
  })

  test('keeps files of the same name from different folders apart', async () => {
    write('a/x.sh', 'echo a; sh "$1"')
    write('b/x.sh', 'echo b')
    const run = await processOf('command = "sh a/x.sh b/x.sh"')
    expect(staged(run.cwd)).toEqual(['a/x.sh', 'b/x.sh'])
    expect(output(run)).toBe('a\nb\n')
  })

  test('may be named in an option, a list and by an absolute path; the system is no bot’s source', async () => {
    write('a.sh', 'echo "$@"')
    write('b.txt', '')
    write('lib/c.txt', '')
    const run = await processOf(
      `command = ["sh", "${at('a.sh')}", "--in=b.txt", "b.txt:lib/c.txt", "/etc/hostname", "7", "-x"]`,
    )
    expect(staged(run.cwd)).toEqual(['a.sh', 'b.txt', 'lib/c.txt'])
    expect(output(run)).toBe('--in=b.txt b.txt:lib/c.txt /etc/hostname 7 -x\n')
    expect(run.argv[1]).toBe(join(run.cwd, 'a.sh'))
  })

  test('is, of a Java class, its file with those of the classes within it', async () => {
    for (const name of ['Ant', 'Ant$Leg', 'Anteater']) write(`${name}.class`, '')
    expect(staged((await processOf('command = "java -Xmx9m Ant Anteater"')).cwd)).toEqual([
      'Ant$Leg.class',
      'Ant.class',
    ])
    expect(staged((await processOf('command = "java -cp x Ant"')).cwd)).toEqual([])
  })

  test('holds a folder that a word names, links within it as links, without what version control keeps', async () => {
    write('a.sh', 'cat "$1/x" "$1/link" "$1/loop/deep/up"')
    write('lib/x', 'x')
    write('lib/.git/config', 'secret')
    write('lib/deep/y', 'y')
    symlinkSync('deep/y', at('lib/link'))
    symlinkSync('../x', at('lib/deep/up'))
    symlinkSync(at('lib'), at('lib/loop'))
    const run = await processOf('command = "sh a.sh lib"')
    expect(staged(run.cwd)).toEqual(['a.sh', 'lib/deep/y', 'lib/x'])
    expect(['link', 'deep/up', 'loop'].map((name) => readlinkSync(join(run.cwd, 'lib', name)))).toEqual([
      'deep/y',
      '../x',
      '.',
    ])
    expect(output(run)).toBe('xyx')
  })

  test('is its folder, where it has one, with paths from there or from the contest', async () => {
    write('ant/bot.sh', '. ./lib.sh; echo "$1" "$2"; cat "$2"')
    write('ant/lib.sh', 'echo lib')
    write('ant/data.txt', 'data')
    const run = await processOf('command = "sh bot.sh data.txt ant/data.txt"\nfolder = "ant"')
    expect(staged(run.cwd)).toEqual(['bot.sh', 'data.txt', 'lib.sh'])
    expect(output(run)).toBe(`lib\ndata.txt ${join(run.cwd, 'data.txt')}\ndata`)
  })

  test('is empty where a command names no file', async () => {
    const run = await processOf(`command = "sh -c 'echo Bow'"`)
    expect(staged(run.cwd)).toEqual([])
    expect(output(run)).toBe('Bow\n')
  })

  test('of a Node program is taken for the same kind of module as where it lay', async () => {
    writeFileSync(join(top, 'package.json'), '{"type":"module"}')
    write('old/package.json', '{"type":"commonjs"}')
    write('old/bot.js', "console.log(typeof require, require('node:os').EOL)")
    write('new/bot.js', "import os from 'node:os'\nconsole.log(typeof require, os.EOL)")
    expect(output(await processOf('command = "node old/bot.js"'))).toContain('function')
    expect(output(await processOf('command = "node new/bot.js"'))).toContain('undefined')
    rmSync(join(top, 'package.json'))
  })
})

describe('a hash', () => {
  test('tells names, modes and contents, and nothing else', async () => {
    write('a/bot.sh', 'echo 1')
    const hash = async (): Promise<string> => (await processOf('command = "sh a/bot.sh"')).hash
    const first = await hash()
    expect(first).toMatch(/^[0-9a-f]{64}$/)
    write('a/other.txt', 'not named')
    expect(await hash()).toBe(first)
    write('b/bot.sh', 'echo 1')
    expect((await processOf('command = "sh b/bot.sh"')).hash).toBe(first)
    chmodSync(at('a/bot.sh'), 0o600)
    expect(await hash()).toBe(first)
    chmodSync(at('a/bot.sh'), 0o755)
    const executable = await hash()
    write('a/bot.sh', 'echo 2')
    const changed = await hash()
    write('a/bat.sh', 'echo 1')
    const renamed = (await processOf('command = "sh a/bat.sh"')).hash
    expect(new Set([first, executable, changed, renamed]).size).toBe(4)
  })

  test('of a folder tells all of it', async () => {
    write('a/bot.sh', 'echo 1')
    const hash = async (): Promise<string> => (await processOf('command = "sh bot.sh"\nfolder = "a"')).hash
    const first = await hash()
    write('a/sub/more.txt', 'x')
    expect(await hash()).not.toBe(first)
  })
})

describe('a program', () => {
  test('is found once, behind a version manager’s shim too', async () => {
    const asked = join(top, 'asked')
    const tools = mkdtempSync(join(top, 'tools-'))
    const tool = (name: string, text: string): string => {
      mkdirSync(dirname(join(tools, name)), { recursive: true })
      writeFileSync(join(tools, name), text, { mode: 0o755 })
      return join(tools, name)
    }
    const manager = tool('manager/pyenv', `#!/bin/sh\necho "$@" >> ${asked}\necho /bin/echo\n`)
    tool(
      'shims/fakepython',
      `#!/usr/bin/env bash\nset -e\nprogram="\${0##*/}"\nexec "${manager}" exec "$program" "$@"\n`,
    )
    tool('shims/lost', `#!/bin/sh\nexec "${tools}/manager/gone" exec "$program" "$@"\n`)
    const path = process.env['PATH']
    process.env['PATH'] = `${tools}/shims:${path}`
    try {
      expect((await processOf('command = ["fakepython", "x"]')).argv).toEqual(['/bin/echo', 'x'])
      expect((await processOf('command = ["fakepython", "y"]')).argv).toEqual(['/bin/echo', 'y'])
      expect(readFileSync(asked, 'utf8')).toBe('which fakepython\n')
      expect((await processOf('command = ["lost"]')).argv).toEqual([`${tools}/shims/lost`])
      write('script.py', '#!/usr/bin/env fakepython\n', 0o755)
      const { argv, cwd } = await processOf('command = ["./script.py", "z"]')
      expect(argv).toEqual(['/bin/echo', join(cwd, 'script.py'), 'z'])
      expect((await processOf('command = ["/usr/bin/env", "fakepython", "q"]')).argv).toEqual(['/bin/echo', 'q'])
    } finally {
      process.env['PATH'] = path
    }
  })

  test('of pyenv is found without asking where one version is chosen, and asked for where that is not there', async () => {
    const asked = join(top, 'asked-pyenv')
    const tools = mkdtempSync(join(top, 'tools-'))
    const tool = (name: string, text: string): string => {
      mkdirSync(dirname(join(tools, name)), { recursive: true })
      writeFileSync(join(tools, name), text, { mode: 0o755 })
      return join(tools, name)
    }
    const manager = tool('root/libexec/pyenv', `#!/bin/sh\necho "$@" >> ${asked}\necho /bin/echo\n`)
    for (const name of ['python7', 'python8', 'python9'])
      tool(`root/shims/${name}`, `#!/usr/bin/env bash\nexec "${manager}" exec "$program" "$@"\n`)
    for (const version of ['3.1.1', '3.2.2'])
      for (const name of ['python7', 'python8']) tool(`root/versions/${version}/bin/${name}`, '#!/bin/sh\n')
    tool('root/version', '3.1.1\n')
    const { PATH, PYENV_VERSION } = process.env
    process.env['PATH'] = `${join(tools, 'root/shims')}:${PATH}`
    try {
      delete process.env['PYENV_VERSION']
      expect((await processOf('command = ["python7"]')).argv).toEqual([join(tools, 'root/versions/3.1.1/bin/python7')])
      process.env['PYENV_VERSION'] = '3.2.2'
      expect((await processOf('command = ["python8"]')).argv).toEqual([join(tools, 'root/versions/3.2.2/bin/python8')])
      expect(existsSync(asked)).toBe(false)
      expect((await processOf('command = ["python9"]')).argv).toEqual(['/bin/echo'])
      expect(readFileSync(asked, 'utf8')).toBe('which python9\n')
    } finally {
      process.env['PATH'] = PATH
      if (PYENV_VERSION === undefined) delete process.env['PYENV_VERSION']
      else process.env['PYENV_VERSION'] = PYENV_VERSION
    }
  })

  test('that this machine does not have keeps the entrant out, with a reason', async () => {
    expect(await prepare('command = ["no-such-language", "-x"]')).toEqual({
      name: 'Ant',
      house: false,
      why: 'this machine has no no-such-language',
    })
    write('bot.xx', '#!/usr/bin/env no-such-language\n', 0o755)
    expect(await prepare('command = "./bot.xx"')).toMatchObject({
      why: 'this machine has no no-such-language, which the first line of ./bot.xx names',
    })
  })

  test('of the entrant’s own starts from its copy', async () => {
    write('bot', '#!/bin/sh\necho own $0', 0o755)
    const run = await processOf('command = "./bot"')
    expect(run.argv).toEqual([join(run.cwd, 'bot')])
    expect(output(run)).toBe(`own ${join(run.cwd, 'bot')}\n`)
  })
})

describe('a build', () => {
  const made = 'build = "sh make.sh src/ant.txt out/ant"\ncommand = "./out/ant"'
  beforeEach(() => {
    write(
      'make.sh',
      `echo made >> ${at('log')}\nmkdir -p out\n(echo '#!/bin/sh'; echo echo $(cat $1)) > $2\nchmod +x $2`,
    )
    write('src/ant.txt', 'built')
  })
  const builds = (): number => (existsSync(at('log')) ? readFileSync(at('log'), 'utf8').trim().split('\n').length : 0)

  test('runs once for each source, in the copy', async () => {
    const run = await processOf(made)
    expect(output(run)).toBe('built\n')
    expect(existsSync(at('out'))).toBe(false)
    expect(notes).toEqual(['building Ant'])
    await processOf(made)
    expect([builds(), notes]).toEqual([1, ['building Ant']])
    write('src/ant.txt', 'changed')
    expect(output(await processOf(made))).toBe('changed\n')
    expect(builds()).toBe(2)
    await processOf(made.replace('ant"\ncommand', 'ant x"\ncommand'))
    expect(builds()).toBe(3)
  })

  test('of a house bot is every workspace’s, for as long as nothing of it changes', async () => {
    const before = process.env['XDG_CACHE_HOME']
    process.env['XDG_CACHE_HOME'] = at('cache')
    const loaded = await contestOf(
      'game = "stronger"\n[[entrants]]\nhouse = "Sniper"\n[[entrants]]\nhouse = "Grudge"\n',
      at('c.toml'),
    )
    const sniper = async (place: string): Promise<Program> => {
      const [one] = await prepareEntrants(loaded, { workspace: at(place), onNote: (note) => notes.push(note) })
      if (one === undefined || !wasBuilt(one)) throw new Error(one?.why)
      return one.program
    }
    try {
      const first = await sniper('one')
      expect(await sniper('two')).toEqual(first)
      expect(notes).toEqual(['building Sniper'])
      expect(first).toMatchObject({ cwd: expect.stringContaining(at('cache/agon/entrants/')) as string })
      // A program that is gone, or is not what was built, is built again.
      const program = join((first as { cwd: string }).cwd, 'sniper')
      for (const damage of [() => rmSync(program), () => writeFileSync(program, '')]) {
        notes = []
        damage()
        expect(await sniper('two')).toEqual(first)
        expect([notes, readFileSync(program).length > 1000]).toEqual([['building Sniper'], true])
      }
      // A folder that others may write is not one to run programs from.
      chmodSync(at('cache/agon'), 0o777)
      expect(await sniper('three')).not.toEqual(first)
      // Nor is one where nothing can be put.
      process.env['XDG_CACHE_HOME'] = at('full')
      write('full/agon/entrants', 'a file')
      chmodSync(at('full/agon'), 0o700)
      expect(await sniper('four')).not.toEqual(first)
    } finally {
      if (before === undefined) delete process.env['XDG_CACHE_HOME']
      else process.env['XDG_CACHE_HOME'] = before
    }
  })

  test('has several commands, one after the other', async () => {
    const run = await processOf(
      `build = [["sh", "make.sh", "src/ant.txt", "first"], ["cp", "first", "second"]]\ncommand = "./second"`,
    )
    expect(output(run)).toBe('built\n')
  })

  test('in a folder may name it or not', async () => {
    write('ant/ant.c', '#include <stdio.h>\nint main(void) { puts("C"); }')
    expect(output(await processOf('folder = "ant"\nbuild = "cc -o ant ant.c"\ncommand = "./ant"'))).toBe('C\n')
    expect(output(await processOf('folder = "ant"\nbuild = "cc -o ant/bot ant/ant.c"\ncommand = "ant/bot"'))).toBe(
      'C\n',
    )
  })

  test('of a C program has what it includes', async () => {
    write('c/ant.c', '#include <stdio.h>\n#include "ant.h"\nint main(void) { puts(NAME); }')
    write('c/ant.h', '#define NAME "ant"')
    write('c/unused.h', '')
    const run = await processOf('build = "cc -o ant c/ant.c"\ncommand = "./ant"')
    expect(output(run)).toBe('ant\n')
    expect(staged(run.cwd)).toEqual(['ant', 'c/ant.c', 'c/ant.h'])
  })

  test('that fails keeps the entrant out, with its log, and is tried again', async () => {
    write('bad.sh', 'echo hopeless >&2; exit 3')
    const keys = 'build = "sh bad.sh"\ncommand = "./x"'
    expect(await prepare(keys)).toMatchObject({
      why: 'its build failed: sh bad.sh ended with exit code 3',
      log: 'hopeless\n',
    })
    expect(await prepare('build = "no-such-compiler x"\ncommand = "./x"')).toMatchObject({
      why: 'this machine has no no-such-compiler, which builds it',
    })
    expect(await prepare('build = "true"\ncommand = "./x"')).toMatchObject({ why: 'its build made no ./x' })
    expect(readdirSync(join(workspace, 'entrants')).filter((name) => name.startsWith('.'))).toEqual([])
  })

  test('cut off by a kill is never taken for whole', async () => {
    const { hash } = await processOf(made)
    const folders = readdirSync(join(workspace, 'entrants'))
    const whole = folders.find((name) => name.startsWith(`${hash}-`)) ?? ''
    rmSync(join(workspace, 'entrants', whole), { recursive: true })
    const ended = thisProcess().replace(/^\d+/, '999999999')
    mkdirSync(join(workspace, 'entrants', `.${whole.slice(0, 16)}-${ended}-0`))
    expect(output(await processOf(made))).toBe('built\n')
    expect(readdirSync(join(workspace, 'entrants')).filter((name) => name.startsWith('.'))).toEqual([])
  })

  test('is shared by entrants of the same source', async () => {
    const two = `game = "samurai"\n[[entrants]]\nname = "A"\n${made}\n[[entrants]]\nname = "B"\n${made}\n`
    const prepared = await prepareEntrants(await contestOf(two, at('c.toml')), { workspace })
    expect(prepared.every((each) => wasBuilt(each))).toBe(true)
    expect(builds()).toBe(1)
  })
})

describe('a module', () => {
  test('is staged alone', async () => {
    write('bot.ts', "import type { X } from './x.js'\nexport default () => 'W'\n")
    const {
      program: run,
      wire,
      memory,
      facts: { language },
    } = await admitted('module = "bot.ts"')
    expect([wire, memory, language, run.kind]).toEqual(['module', 'series', 'TypeScript', 'module'])
    if (run.kind === 'module') expect([basename(run.file), staged(dirname(run.file))]).toEqual(['bot.ts', ['bot.ts']])
  })
  test('with its folder brings what it imports', async () => {
    write('m/bot.ts', "import { x } from './lib/x.js'\nexport default () => x\n")
    write('m/lib/x.ts', "export const x = 'W'\n")
    const { program: run } = await admitted('module = "bot.ts"\nfolder = "m"')
    if (run.kind === 'module') expect(staged(dirname(run.file))).toEqual(['bot.ts', 'lib/x.ts'])
  })
})

describe('memory', () => {
  const remembers = async (keys: string, game: string, head = ''): Promise<string> =>
    (await admitted(keys, game, head)).memory
  const command = `command = "sh -c 'exit 48'"`
  test('is a series where a program could remember, and what the wire allows', async () => {
    expect(await remembers(`${command}\nwire = "lines"`, 'gunduel')).toBe('series')
    expect(await remembers(`${command}\nwire = "exit"`, 'gunduel')).toBe('turn')
    expect(await remembers(`${command}\nwire = "lines"\nmemory = "match"`, 'gunduel')).toBe('match')
  })
  test('of a contest is for all, as far as each wire allows', async () => {
    expect(await remembers(`${command}\nwire = "lines"`, 'gunduel', 'memory = "tournament"')).toBe('tournament')
    expect(await remembers(`${command}\nwire = "exit"`, 'gunduel', 'memory = "tournament"')).toBe('turn')
    expect(await remembers(`${command}\nwire = "lines"\nmemory = "turn"`, 'gunduel', 'memory = "tournament"')).toBe(
      'turn',
    )
  })

  test.each([
    ['wire = "lines"\nmemory = "match"', true],
    ['wire = "lines"\nmemory = "series"', true],
    ['wire = "exit"', true],
    ['wire = "lines"\nmemory = "tournament"', undefined],
  ])('is held strictly of all that do not live through the tournament: %j', async (keys, strict) => {
    const prepared = await admitted(`command = "sh -c 'echo 0'"\n${keys}`, 'gunduel', 'strict_memory = true')
    expect(prepared.strict).toBe(strict)
    expect((await admitted(`command = "sh -c 'echo 0'"\n${keys}`, 'gunduel')).strict).toBeUndefined()
  })
})

describe('a mistake of the contest file is reported', () => {
  test('before anything is built', async () => {
    write('bot.sh', '')
    write('m/bot.ts', "import { x } from './lib/x.js'\nexport default () => x\n")
    expect(await mistake('command = "sh bto.sh"')).toMatchInlineSnapshot(
      `"c.toml:5: "bto.sh" of "Ant" is not there (did you mean "bot.sh"?): it was looked for in <folder>"`,
    )
    expect(await mistake('command = "./bto"')).toMatchInlineSnapshot(
      `"c.toml:5: "./bto" of "Ant" is not there: it was looked for in <folder>"`,
    )
    expect(await mistake('module = "bto.ts"')).toMatchInlineSnapshot(
      `"c.toml:5: "bto.ts" of "Ant" is not there: it was looked for in <folder>"`,
    )
    expect(await mistake('command = "sh bot.sh"\nfolder = "nowhere"')).toMatchInlineSnapshot(
      `"c.toml:6: "nowhere" of "Ant" is not there: it was looked for in <folder>"`,
    )
    expect(await mistake('command = "sh bot.sh"\nfolder = "m"')).toMatchInlineSnapshot(
      `"c.toml:5: "bot.sh" of "Ant" lies outside its folder "m": move it there, or leave folder out"`,
    )
    expect(await mistake('module = "bot.sh"\nfolder = "m"')).toMatchInlineSnapshot(
      `"c.toml:5: "bot.sh" of "Ant" lies outside its folder "m": move it there, or leave folder out"`,
    )
    expect(await mistake('command = "cat ."')).toMatchInlineSnapshot(
      `"c.toml:5: "." of "Ant" is a whole folder with the contest in it: give folder = "…" for its own"`,
    )
    expect(await mistake('command = "cat .."')).toMatchInlineSnapshot(
      `"c.toml:5: ".." of "Ant" is a whole folder with the contest in it: give folder = "…" for its own"`,
    )
    expect(await mistake('command = "./bot.sh"')).toMatchInlineSnapshot(
      `"c.toml:5: the file "./bot.sh" of "Ant" cannot be started: make it executable (chmod +x) or name its interpreter"`,
    )
    expect(await mistake('module = "m/bot.ts"')).toMatchInlineSnapshot(
      `"c.toml:5: "m/bot.ts" imports "./lib/x.js", which is no part of its source: give folder = "…" for both"`,
    )
    expect(await mistake('build = "cc ant.c"\ncommand = "./ant"')).toMatchInlineSnapshot(
      `"c.toml:5: "ant.c" of "Ant" is not there: it was looked for in <folder>"`,
    )
    expect(await mistake('class = "Ant.hpp"')).toMatchInlineSnapshot(
      `"c.toml:5: samurai has no wire for classes: give a command or a module"`,
    )
    expect(await mistake('class = "Ant.hpp"', 'gunduel')).toMatchInlineSnapshot(
      `"c.toml:5: "Ant.hpp" of "Ant" is not there: it was looked for in <folder>"`,
    )
    expect(await mistake('class = "Ant.hpp"\nwire = "lines"', 'gunduel')).toMatchInlineSnapshot(
      `"c.toml:6: wire "lines" is not for classes; gunduel has class, class-original"`,
    )
    expect(await mistake('command = "sh bot.sh"\nwire = "class"', 'gunduel')).toMatchInlineSnapshot(
      `"c.toml:6: wire "class" is for classes: give class = "…", or leave the wire out"`,
    )
    expect(await mistake('command = "sh bot.sh"\nwire = "module"')).toMatchInlineSnapshot(
      `"c.toml:6: wire "module" is for modules: give module = "…", or leave the wire out"`,
    )
    expect(await mistake('module = "m/bot.ts"\nwire = "turn"')).toMatchInlineSnapshot(
      `"c.toml:6: a module speaks no wire: leave wire = "turn" out"`,
    )
    expect(await mistake('command = "sh bot.sh"\nmemory = "match"\nwire = "exit"', 'gunduel')).toMatchInlineSnapshot(
      `"c.toml:6: "Ant" cannot remember for a match: wire "exit" allows "turn" at most"`,
    )
  })
})
