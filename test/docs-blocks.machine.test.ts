import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, readFileSync, readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { Command } from 'commander'
import { beforeAll, describe, expect, it } from 'vitest'
import { parseHosted } from '../src/contest/parse.js'
import { contestOf } from './kit/contest.js'
import { entrantSchema } from '../src/contest/schema.js'
import { TomlFile } from '../src/contest/toml-file.js'
import { games } from '../src/games/index.js'
import { findIsolation } from '../src/sandbox/index.js'
import { MAIN, Place } from './cli/agon.js'

/**
 * Every command and every TOML block of README and docs/: blocks of shell are typed as they stand, page by page, in an empty folder; TOML is
 * read by what reads it; the commands within sentences name verbs and options that there are.
 */
const root = fileURLToPath(new URL('..', import.meta.url))
const pages = [
  'README.md',
  ...readdirSync(join(root, 'docs')).flatMap((file) => (file.endsWith('.md') ? [`docs/${file}`] : [])),
]
const textOf = (page: string): string => readFileSync(join(root, page), 'utf8')

interface Block {
  readonly page: string
  readonly language: string
  /** The name of the file that it is. */
  readonly file: string
  readonly text: string
}
const blocks = pages.flatMap((page) =>
  [...textOf(page).matchAll(/^```(\w*) ?([^\n]*)\n([^]*?)^```$/gm)].map(
    ([, language = '', file = '', text = '']): Block => ({ page, language, file, text }),
  ),
)
const of = (language: string): readonly Block[] => blocks.filter((block) => block.language === language)
const title = ({ page, text }: Block): string => `${page}: ${text.split('\n', 1)[0]}`

/** Pages whose commands a test of their own types: test/new-game.machine.test.ts, test/first-bot.machine.test.ts. */
const ELSEWHERE = new Set(['docs/new-game.md', 'docs/first-bot.md'])
/** What belongs to the machine, and not to agon. */
const MACHINE = /^(npm (ci|pack|install)|apt-get install|sqlite3|cp -r|systemctl|adduser)\b/

/** Every verb with its options, as `agon VERB` itself makes them. */
const verbs = new Map<string, Command>()
for (const file of readdirSync(join(root, 'src/cli'))) {
  if (!file.endsWith('.ts') || /^(main|start|conform)\.|\.test\./.test(file)) continue
  const module = (await import(`../src/cli/${file.slice(0, -3)}.ts`)) as Record<
    string,
    ((command: Command) => void) | undefined
  >
  for (const [name, configure] of Object.entries(module)) {
    const [, verb] = /^(\w+)Command$/.exec(name) ?? []
    if (verb === undefined || verb === 'resume' || typeof configure !== 'function') continue
    const command = new Command(verb)
    configure(command)
    verbs.set(verb, command)
  }
}

describe('the TOML blocks', () => {
  const TWO = '[[entrants]]\nhouse = "Hedgehog"\n[[entrants]]\nhouse = "Dice"\n'

  it.each(of('toml').map((block) => [title(block), block] as const))('%s', async (_, { page, text }) => {
    const place = join(root, page === 'README.md' ? 'README.toml' : 'docs/page.toml')
    if (text.startsWith('name = ')) {
      expect(new TomlFile(text, place).as(entrantSchema).name).not.toBe('')
      return
    }
    // A part of a contest stands for itself; life is what `stronger` counts.
    const whole = /^(title|game) = /.test(text)
      ? text
      : `game = "stronger"\n${text}\n${TWO.replace('Hedgehog', 'Gadfly').replace('Dice', 'Actuary')}`
    if (/^game = "\.\//m.test(whole) || /^entrants = /m.test(whole)) {
      // Files that the page itself makes: its own test has them.
      expect(() => new TomlFile(whole, place)).not.toThrow()
      return
    }
    const parsed = ['docs/serve.md', 'docs/connect.md'].includes(page)
      ? parseHosted(whole, place, games)
      : contestOf(whole, place)
    expect((await parsed).entries.length).toBeGreaterThan(0)
  })
})

describe('the commands within sentences', () => {
  const said = pages.flatMap((page) =>
    [
      ...textOf(page)
        .replaceAll(/^```[^]*?^```$/gm, '')
        .matchAll(/`(?:npx )?agon ([a-z][^`]*)`/g),
    ].map(([, words = '']) => [page, words.replaceAll(/\s+/g, ' ')] as const),
  )

  it('are many, and so are the verbs', () => {
    expect([said.length > 60, verbs.size > 20]).toEqual([true, true])
  })

  it.each(said)('%s: agon %s', (_, words) => {
    const [verb = '', second = ''] = words.split(' ')
    const command = verbs.get(verb)
    expect(command, `there is a verb ${verb}`).toBeDefined()
    const inner = command?.commands.find((one) => one.name() === second)
    const known = [command, inner].flatMap((one) => one?.options.map(({ long }) => long) ?? [])
    for (const [option] of words.matchAll(/--[\w-]+/g)) expect(['--help', ...known]).toContain(option)
  })
})

const { program: isolation } = await findIsolation()

// Strangers' bots play in them, which a machine without isolation refuses.
describe.skipIf(isolation === undefined)('the blocks of shell', () => {
  const place = new Place()
  const tools = place.path('bin')
  beforeAll(() => {
    mkdirSync(tools)
    const shim = (name: string, body: string): void =>
      writeFileSync(join(tools, name), `#!/bin/sh\n${body}\n`, { mode: 0o755 })
    shim('agon', `exec "${process.execPath}" "${MAIN}" "$@"`)
    shim('npx', '[ "$1" = agon ] || exit 3\nexec "$@"')
    for (const { page, language, file, text } of blocks)
      if (language === 'toml' && file !== '' && !ELSEWHERE.has(page)) place.write(file, text)
  })

  /** The same command, as it is typed with and without npx, is run once. */
  const before = new Set<string>()
  const isNew = (line: string): boolean => {
    const command = line.replace(/^npx /, '').replace(/\s+#.*$/, '')
    const fresh = !before.has(command)
    before.add(command)
    return fresh
  }

  const typed = of('sh').filter(({ page, file }) => file === '' && !ELSEWHERE.has(page))
  it.each(typed.map((block) => [title(block), block] as const))('%s', { timeout: 120_000 }, async (_, { text }) => {
    const lines = text.split('\n').filter((line) => !MACHINE.test(line) && isNew(line))
    if (lines.some((line) => /\bagon serve\b/.test(line))) return served(lines.join('\n'))
    const { status, stdout, stderr } = type(lines.join('\n'))
    expect([status, status === 0 ? '' : stdout.slice(-600) + stderr.slice(-1500)]).toEqual([0, ''])
  })

  it('the first bot of README wins its match', () => {
    const { stdout } = type('agon match samurai "sh mybot.sh" Hothead --json')
    expect(JSON.parse(stdout)).toMatchObject({ outcome: { place: [1, 2] }, faults: [] })
  })

  /** Programs that let bots learn: the shell's blocks have made the files that they import. */
  const programs = of('python').filter(({ page, file }) => page === 'docs/learning.md' && file === '')
  it.each(programs.map((block) => [title(block), block] as const))('%s', { timeout: 120_000 }, (_, { text }) => {
    if (spawnSync('python3', ['-V']).status !== 0) return
    place.write('learn.py', text)
    const { status, stdout, stderr } = type('python3 learn.py')
    expect([status, stderr]).toEqual([0, ''])
    expect(stdout.trim().split('\n')).toHaveLength(10)
  })

  /** What several machines share is typed by a test of its own: test/docs-machines.machine.test.ts. */
  const shared = of('text').filter(({ text }) => /^export AGON_STORE=/m.test(text))
  it('those for many machines are there', () => {
    expect(shared.map(({ page }) => page)).toEqual(['README.md', 'docs/scale.md'])
  })

  /** Types lines at a shell in the folder of the pages. */
  function type(lines: string): { readonly status: number | null; readonly stdout: string; readonly stderr: string } {
    const env = { ...process.env, PATH: `${tools}:${process.env['PATH']}`, AGON_WORKSPACE: place.path('workspace') }
    return spawnSync('sh', ['-e', '-c', lines], {
      cwd: place.folder,
      env,
      encoding: 'utf8',
      // The answer of every bot that is asked for a move.
      input: '-\n'.repeat(500),
      timeout: 110_000,
    })
  }

  /** A site serves until it is stopped: it is looked at, and stopped. */
  async function served(line: string): Promise<void> {
    const [, ...words] = line.trim().replace('/var/lib/agon', place.path('site')).split(' ')
    const site = spawn(process.execPath, [MAIN, ...words, '--port', '0'], { stdio: ['ignore', 'pipe', 'ignore'] })
    const ended = once(site, 'close')
    // It is read to its end: a program that prints to a closed pipe ends by that.
    let text = ''
    site.stdout.setEncoding('utf8').on('data', (chunk: string) => (text += chunk))
    await expect.poll(() => text, { timeout: 60_000 }).toContain('http://127.0.0.1:')
    site.kill('SIGTERM')
    expect(await ended).toEqual([0, null])
  }
})
