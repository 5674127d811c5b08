import { execFileSync } from 'node:child_process'
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterAll, beforeEach, describe, expect, test } from 'vitest'
import { type GameDefinition, UserError } from '../core/index.js'
import { findIsolation } from '../sandbox/index.js'
import { commandBot } from '../contest/command-bot.js'
import { loadGame } from '../contest/load-game.js'
import { contestOf } from '../../test/kit/contest.js'
import { prepareBots, prepareEntrants } from './prepare.js'
import { type BuiltEntrant, type NotBuilt, wasBuilt } from './prepared.js'

/** What strangers hand in to get at the host: nothing of it is started, followed or shown there. */
const top = mkdtempSync(join(tmpdir(), 'agon-strangers-'))
const { PATH, here } = { PATH: process.env['PATH'], here: process.cwd() }
afterAll(() => {
  process.env['PATH'] = PATH
  process.chdir(here)
  rmSync(top, { recursive: true, force: true })
})
let folder = top
let n = 0
beforeEach(() => {
  folder = join(top, `case-${n++}`)
  mkdirSync(folder)
  process.env['PATH'] = PATH
  process.chdir(here)
})
const SECRET = 'b7c1e5-private'
const at = (...names: string[]): string => join(folder, ...names)
function write(name: string, text: string, mode = 0o644): string {
  mkdirSync(dirname(at(name)), { recursive: true })
  writeFileSync(at(name), text)
  chmodSync(at(name), mode)
  return at(name)
}
async function prepare(text: string, held = false): Promise<BuiltEntrant | NotBuilt> {
  const loaded = await contestOf(text, at('c.toml'))
  const { launcher, program } = held ? await findIsolation() : {}
  const isolation =
    launcher === undefined || program === undefined
      ? {}
      : { isolation: { trust: false, maker: { launcher, bubblewrap: program } } }
  const [first] = await prepareEntrants(loaded, { workspace: at('workspace'), ...isolation })
  if (first === undefined) throw new Error('nothing prepared')
  return first
}
const contest = (keys: string, game = 'samurai', head = ''): string =>
  `game = "${game}"\n${head}\n[[entrants]]\nname = "Ant"\n${keys}\n[[entrants]]\nname = "Bee"\ncommand = "true"\n${game === 'samurai' ? '' : 'wire = "lines"\n'}`
async function mistake(text: string): Promise<string> {
  try {
    return wasBuilt(await prepare(text)) ? 'admitted' : 'left out'
  } catch (error) {
    if (error instanceof UserError) return error.message.replaceAll(folder, '<folder>')
    throw error
  }
}
/** All files staged, with their contents. */
function staged(): Record<string, string> {
  const root = at('workspace/entrants')
  if (!existsSync(root)) return {}
  const files = readdirSync(root, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile())
  return Object.fromEntries(
    files.map((entry) => [
      join(entry.parentPath, entry.name),
      readFileSync(join(entry.parentPath, entry.name), 'utf8'),
    ]),
  )
}
const definition = (id: string): Promise<GameDefinition> => loadGame(id, folder)

describe('the host starts nothing that an entry names', () => {
  const marked = (): string => `#!/bin/sh\necho ran >> '${at('ran')}'\necho 1.0\n`
  const shim = '#!/bin/sh\nexec "./payload" exec "$program" "$@"\n'
  test.each([
    ['a relative interpreter', '#!./payload\n', './evil'],
    ['an absolute one in its folder', '#!<folder>/bot/payload\n', './evil'],
    ['one behind env', '#!/usr/bin/env ./payload\n', './evil'],
    ['one behind env with a folder', '#!/usr/bin/env -S <folder>/bot/payload x\n', './evil'],
    ['a shim of its own', '#!/usr/bin/env ./shim\n', './evil'],
    ['a path through /proc', '#!/usr/bin/env /proc/self/cwd/payload\n', './evil'],
    ['a path in the command', '', './payload evil'],
    ['an absolute path in the command', '', '<folder>/bot/payload evil'],
    ['a path through /proc in the command', '', '/proc/self/cwd/payload evil'],
    ['a program of an installation that is its own', '', '<folder>/bot/bin/payload evil'],
    ['a program behind env', '', '/usr/bin/env ./payload evil'],
    ['a program of its folder in PATH', '', 'payload evil'],
    ['a name that PATH has in its folder', '', 'sh evil'],
  ])('by %s', async (_name, first, command) => {
    const filled = (text: string): string => text.replaceAll('<folder>', folder)
    for (const name of ['payload', 'bin/payload', 'sh', 'cc', 'bwrap', 'mkfifo']) write(`bot/${name}`, marked(), 0o755)
    write('bot/lib/x', '')
    write('bot/shim', shim, 0o755)
    write('bot/evil', `${filled(first)}echo B\n`, 0o755)
    process.chdir(at('bot'))
    process.env['PATH'] = `.:${at('bot')}:${at('bot/bin')}:${PATH}`
    await mistake(contest(`folder = "bot"\ncommand = "${filled(command)}"`))
    await mistake(contest(`folder = "bot"\nbuild = "${filled(command)}"\ncommand = "./evil"`)).catch(() => undefined)
    rmSync(at('ran'), { force: true })
    await mistake(contest(`folder = "bot"\ncommand = "${filled(command)}"`))
    const entry = commandBot(filled(command), await definition('samurai'))
    await prepareBots([entry], await definition('samurai'), { workspace: at('workspace') }).catch((error: unknown) => {
      if (!(error instanceof UserError)) throw error
    })
    expect(existsSync(at('ran'))).toBe(false)
  })

  test('a version file chooses among installed versions alone', async () => {
    const tools = mkdtempSync(join(top, 'pyenv-'))
    const tool = (name: string, text: string): string => {
      mkdirSync(dirname(join(tools, name)), { recursive: true })
      writeFileSync(join(tools, name), text, { mode: 0o755 })
      return join(tools, name)
    }
    const manager = tool('libexec/pyenv', '#!/bin/sh\necho /bin/echo\n')
    tool('versions/3.1/bin/python7', marked())
    // What a version called '..' would lead to.
    tool('bin/python8', marked())
    for (const name of ['python7', 'python8']) {
      tool(`shims/${name}`, `#!/bin/sh\nexec "${manager}" exec "$program" "$@"\n`)
      write(`bot/versions/bin/${name}`, marked(), 0o755)
    }
    process.env['PATH'] = `${tools}/shims:${PATH}`
    const argv = async (name: string): Promise<readonly string[]> => {
      const one = await prepare(contest(`command = "${name} x"`))
      return wasBuilt(one) && one.program.kind === 'process' ? one.program.argv : []
    }
    process.chdir(at('bot'))
    delete process.env['PYENV_VERSION']
    for (const version of ['../../bot/versions', `../../${folder}/bot/versions`, '..', '.', '3.1/..', '']) {
      write('bot/.python-version', version)
      expect([version, await argv('python8')]).toEqual([version, ['/bin/echo', 'x']])
    }
    rmSync(at('bot/.python-version'))
    execFileSync('mkfifo', [at('bot/.python-version')])
    expect(await argv('python8')).toEqual(['/bin/echo', 'x'])
    rmSync(at('bot/.python-version'))
    write('bot/.python-version', '3.1')
    expect(await argv('python7')).toEqual([join(tools, 'versions/3.1/bin/python7'), 'x'])
  })
})

describe('no version manager that others can write decides what is started', () => {
  test.each([0o755, 0o777])('in a folder of the mode %o', async (mode) => {
    const tools = mkdtempSync(join(top, 'shims-'))
    chmodSync(tools, 0o755)
    const manager = join(tools, 'manager', 'asdf')
    mkdirSync(dirname(manager))
    writeFileSync(manager, '#!/bin/sh\necho /bin/echo\n', { mode: 0o755 })
    writeFileSync(join(tools, `tool${mode}`), `#!/bin/sh\nexec "${manager}" exec "$program" "$@"\n`, { mode: 0o755 })
    chmodSync(dirname(manager), mode)
    process.env['PATH'] = `${tools}:${PATH}`
    const one = await prepare(contest(`command = "tool${mode} x"`))
    const isSafe = mode === 0o755
    expect(wasBuilt(one) && one.program.kind === 'process' && one.program.argv[0]).toBe(
      isSafe ? '/bin/echo' : join(tools, `tool${mode}`),
    )
  })
})

describe('nothing outside is copied or shown', () => {
  beforeEach(() => {
    write('private/secret.txt', SECRET)
    write('private/secret.hpp', `#define X "${SECRET}"\n`)
    write('bot/bot.sh', 'echo B')
  })
  test.each([
    ['a file', (path: string) => symlinkSync(at('private/secret.txt'), path)],
    ['a folder', (path: string) => symlinkSync('../private', path)],
    ['a pipe', (path: string) => execFileSync('mkfifo', [path])],
  ])('of a folder with %s', async (_name, plant) => {
    plant(at('bot/leak'))
    expect(await mistake(contest('folder = "bot"\ncommand = "sh bot.sh"'))).toMatch(
      /^<folder>\/c\.toml:5: <folder>\/bot\/leak of "Ant" is a (link that leads out of its folder|pipe): (put|remove)/,
    )
    expect(await mistake(contest('command = "sh bot/bot.sh bot"'))).toMatch(/bot\/leak of "Ant" is a/)
    expect(Object.values(staged()).join('')).not.toContain(SECRET)
  })

  test('of a script that is a link', async () => {
    symlinkSync('../private/secret.txt', at('bot/link.sh'))
    expect(await mistake(contest('command = "sh bot/link.sh"').replaceAll(folder, ''))).toBe('admitted')
    symlinkSync('/etc/hostname', at('bot/out.sh'))
    expect(await mistake(contest('command = "sh bot/out.sh"'))).toMatch(/out\.sh of "Ant" is a link that leads out/)
    execFileSync('mkfifo', [at('bot/pipe.sh')])
    expect(await mistake(contest('command = "sh bot/pipe.sh"'))).toMatch(/pipe\.sh of "Ant" is not a regular file/)
  })

  test('of what a class includes', async () => {
    const header = (more: string): string =>
      `#if 0\n${more}\n#endif\n#include "Player.hpp"\nclass C : public Player { public: C(size_t o = -1) : Player(o) {} Action fight() override { return load(); } };\n`
    symlinkSync('../private', at('bot/way'))
    symlinkSync('../private/secret.hpp', at('bot/link.hpp'))
    symlinkSync('../private/secret.txt', at('bot/C.txt'))
    execFileSync('mkfifo', [at('bot/pipe.hpp'), at('bot/C.dat')])
    const wanted = [
      '../private/secret.hpp',
      at('private/secret.txt'),
      'way/secret.hpp',
      'link.hpp',
      'pipe.hpp',
      'sub/own.hpp',
    ]
    write('bot/sub/own.hpp', '// own\n')
    write('bot/C.hpp', header(wanted.map((name) => `#include "${name}"`).join('\n')))
    write('bot/C.map', 'data\n')
    write('bot/Cat.map', 'not its own\n')
    const one = await prepare(contest('class = "bot/C.hpp"', 'gunduel'))
    expect(one).toHaveProperty('program')
    const cwd = wasBuilt(one) && one.program.kind === 'process' ? one.program.cwd : ''
    const names = readdirSync(cwd, { recursive: true, encoding: 'utf8' })
    expect(names.sort()).toEqual(['C.hpp', 'C.map', 'C.player', 'sub', 'sub/own.hpp'])
    expect(Object.values(staged()).join('')).not.toContain(SECRET)
  })

  test('of what a build’s sources include', async () => {
    write('bot/ant.c', '#include "../private/secret.hpp"\n#include "own.h"\nint main(void) { return 0; }')
    write('bot/own.h', '')
    expect(await mistake(contest('build = "true bot/ant.c"\ncommand = "sh bot/bot.sh"'))).toBe('admitted')
    expect(Object.keys(staged()).filter((file) => file.endsWith('.hpp'))).toEqual([])
  })

  test('of an entry’s own file', async () => {
    const entries = 'game = "samurai"\nentrants = "entries/*/bot.toml"\n'
    write('entries/bee/bot.toml', 'name = "Bee"\ncommand = "true"\n')
    const refusalOf = async (plant: () => void): Promise<string> => {
      rmSync(at('entries/ant'), { recursive: true, force: true })
      mkdirSync(at('entries/ant'), { recursive: true })
      plant()
      return mistake(entries)
    }
    const own = (keys: string): string => write('entries/ant/bot.toml', `name = "Ant"\n${keys}\n`)
    const outside = /ant\/bot\.toml:2: .* of "Ant" lies outside the folder of this file/
    for (const keys of [
      'folder = "../.."\ncommand = "sh x"',
      'folder = "/etc"\ncommand = "sh x"',
      'command = "cat ../../private/secret.txt"',
      `command = "cat ${at('private/secret.txt')}"`,
      `command = "cat --file=${at('private')}"`,
      `command = "cc -I${at('private')}"`,
      `command = "${at('private/secret.txt')}"`,
      'command = "/opt/tool/bin/x"',
      'command = "/usr/bin/env /etc/shadow"',
      'module = "/etc/passwd"',
      'module = "../../private/secret.txt"',
    ]) {
      expect([keys, await refusalOf(() => own(keys))]).toEqual([keys, expect.stringMatching(outside) as string])
    }
    expect(await refusalOf(() => own('build = "sh ../../private/secret.txt"\ncommand = "./x"'))).toMatch(/lies outside/)
    expect(await refusalOf(() => symlinkSync(at('private/secret.txt'), at('entries/ant/bot.toml')))).toMatch(
      /is not a regular file/,
    )
    expect(await refusalOf(() => execFileSync('mkfifo', [at('entries/ant/bot.toml')]))).toMatch(/is not a regular file/)
    expect(
      await refusalOf(() => {
        rmSync(at('entries/ant'), { recursive: true })
        write('private/bot.toml', SECRET)
        symlinkSync('/etc', at('entries/ant'))
        symlinkSync('/etc/hostname', at('entries/bot.toml'))
      }),
    ).not.toContain(SECRET)
    expect(await refusalOf(() => own('command = "/usr/bin/env sh bot.sh"') && write('entries/ant/bot.sh', ''))).toBe(
      'admitted',
    )
    expect(Object.values(staged()).join('')).not.toContain(SECRET)
    // The same of a folder that the command line names.
    own('folder = "../.."\ncommand = "sh x"')
    const game = await definition('samurai')
    await expect(
      prepareBots([commandBot(at('entries/ant'), game)], game, { workspace: at('workspace') }),
    ).rejects.toThrow(/lies outside the folder of this file/)
  })

  test('past the limit source', async () => {
    write('bot/data', 'x'.repeat(5000))
    const keys = 'folder = "bot"\ncommand = "sh bot.sh"'
    expect(await mistake(contest(keys, 'samurai', '[limits]\nsource = 5000'))).toMatch(
      /bot\/data of "Ant" goes beyond 5000 bytes/,
    )
    expect(await mistake(contest(keys, 'samurai', '[limits]\nsource = 6000'))).toBe('admitted')
  })
})

describe('a build in its sandbox', () => {
  const built = (script: string): Promise<BuiltEntrant | NotBuilt> => {
    write('bot/build.sh', script)
    write('bot/bot.sh', 'echo B')
    return prepare(contest('folder = "bot"\nbuild = "sh build.sh"\ncommand = "./run"'), true)
  }
  test('leaves programs, links within, and nothing else', async () => {
    const one = await built(
      'mkdir -p out/deep && printf "#!/bin/sh\\necho built" > out/run && chmod 700 out/run && ln -s out/run run && ln -s ../run out/deep/up && ln -s /bot/out abs && ln -s /usr/bin/env env && echo x > data',
    )
    expect(one).toHaveProperty('program')
    const place = wasBuilt(one) && one.program.kind === 'process' ? one.program.cwd : ''
    expect(['run', 'out/deep/up', 'abs', 'env'].map((name) => readlinkSync(join(place, name)))).toEqual([
      'out/run',
      '../run',
      'out',
      '/usr/bin/env',
    ])
    expect([statSync(join(place, 'out/run')).mode & 0o777, statSync(join(place, 'data')).mode & 0o777]).toEqual([
      0o755, 0o644,
    ])
    expect(execFileSync(join(place, 'run'), { encoding: 'utf8' })).toBe('built\n')
    expect(readdirSync(at('workspace/entrants')).filter((name) => name.startsWith('.'))).toEqual([])
  })

  test.each([
    ['a link to the root', 'ln -s / leak', /its build left leak, which is a link that leads out/],
    ['a link to a file of the host', 'ln -s /etc/shadow leak', /leak, which is a link that leads out/],
    ['a link up', 'mkdir a; ln -s ../../x a/leak', /a\/leak, which is a link that leads out/],
    ['a pipe', 'mkfifo p', /p, which is a pipe/],
    ['holes', 'for i in 1 2 3; do truncate -s 100000000 f$i; done', /f3, which goes beyond/],
    ['depth', 'i=0; while [ $i -lt 200 ]; do mkdir d; cd -P d; i=$((i+1)); done', /folders more than 64 deep/],
    [
      'more than fits',
      'head -c 1200000000 /dev/zero > a || exit 3; head -c 900000000 /dev/zero > b',
      /its build failed/,
    ],
    ['a file that nobody may read', 'echo x > a; chmod 0 a; exit 0', /./],
  ])('leaves the entrant out for %s', async (name, script, why) => {
    const one = await built(`cp bot.sh run; chmod +x run\n${script}\n`)
    // Root may read all; an ordinary user gets the reason.
    if (name === 'a file that nobody may read')
      return expect(wasBuilt(one) || /may not be read/.test(one.why)).toBe(true)
    expect(one).toMatchObject({ why: expect.stringMatching(why) as string })
    expect(readdirSync(at('workspace/entrants')).filter((each) => each.startsWith('.'))).toEqual([])
  })

  test.each(['state', 'nowhere', 'nowhere/x', '.', '/usr/lib'])(
    'leaves a link to %s where a state folder is to lie, and ends nothing by it',
    async (target) => {
      const before = readdirSync('/usr/lib')
      write('bot/build.sh', `ln -s ${target} state`)
      write('bot/bot.sh', 'echo ok')
      const keys = 'folder = "bot"\nbuild = "sh build.sh"\ncommand = "sh bot.sh"'
      for (const held of [true, false]) {
        const one = await prepare(contest(keys, 'stronger').replace('wire = "lines"', ''), held)
        expect(one).toHaveProperty('program')
        const place = wasBuilt(one) && one.program.kind === 'process' ? one.program.cwd : ''
        expect(readlinkSync(join(place, 'state'))).toBe(target)
        expect(readdirSync(place).sort()).toEqual(['bot.sh', 'build.sh', 'state'])
        rmSync(at('workspace'), { recursive: true })
      }
      expect(readdirSync('/usr/lib')).toEqual(before)
    },
  )

  test('of several commands finds what the first has made, and writes nothing of the host', async () => {
    write(
      'bot/tool.sh',
      '#!/bin/sh\necho "#!/bin/sh" > run; chmod +x run; touch ../escaped /staged/escaped; exit 0',
      0o755,
    )
    const one = await prepare(
      contest('folder = "bot"\nbuild = [["cp", "tool.sh", "made"], ["./made"]]\ncommand = "./run"'),
      true,
    )
    expect(one).toHaveProperty('program')
    expect([
      existsSync(at('escaped')),
      existsSync(at('bot/made')),
      existsSync(at('workspace/entrants/escaped')),
    ]).toEqual([false, false, false])
  })
})

describe('what is the host’s in an entry’s folder', () => {
  const keys = 'folder = "."\ncommand = "sh bot.sh"'
  const stagedOf = (one: BuiltEntrant | NotBuilt): string => {
    if (!wasBuilt(one) || one.program.kind !== 'process') throw new Error('not staged')
    return one.program.cwd
  }

  test('a workspace and the contest file are no part of it: a later run finds the same source', async () => {
    write('bot.sh', 'echo B')
    write('c.toml', `seed = "${SECRET}"`)
    const first = await prepare(contest(keys))
    expect(readdirSync(stagedOf(first))).toEqual(['bot.sh'])
    write('workspace/entrants/other/rival.sh', SECRET)
    const second = await prepare(contest(keys))
    expect(wasBuilt(second) && second.source).toBe(wasBuilt(first) && first.source)
  })

  test('no link, word, include or pattern reaches it', async () => {
    write('bot.sh', 'echo B')
    write('c.toml', `seed = "${SECRET}"`)
    write('workspace/entrants/1/bot.toml', 'name = "Copy"\ncommand = "sh bot.sh"')
    symlinkSync('workspace/entrants/1/bot.toml', at('link.sh'))
    await prepare(contest('command = "sh bot.sh"'))
    await expect(prepare(contest(keys))).rejects.toThrow(/link\.sh.*leads out of its folder/)
    for (const word of ['./c.toml', 'workspace/entrants/1/bot.toml', 'link.sh'])
      await expect(prepare(contest(`command = "sh bot.sh ${word}"`))).rejects.toThrow(
        /belongs to the contest or to agon/,
      )
    for (const name of ['In', 'On']) write(`${name}/bot.toml`, `name = "${name}"\ncommand = "true"`)
    const { entries } = await contestOf('game = "samurai"\nentrants = "**/bot.toml"', at('c.toml'))
    expect(entries.map(({ spec }) => spec.name)).toEqual(['In', 'On'])
  })
})
