import { execFileSync } from 'node:child_process'
import {
  chmodSync,
  cpSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  readlinkSync,
  readdirSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Answer, wiresOf } from '../src/core/index.js'
import { type SandboxMaker, DEFAULT_LIMITS, findIsolation } from '../src/sandbox/index.js'
import { cgroupRoots } from '../src/sandbox/cgroups.js'
import { BotFactory } from '../src/engine/index.js'
import { games } from '../src/games/index.js'
import type { SeatedBot } from '../src/bots/index.js'

const SOURCE = fileURLToPath(new URL('vices/killed/ends.c', import.meta.url))
const MARK = `killed${process.pid}`
const LIMIT = 25_000

let place = ''
const { launcher = '', program: bubblewrap = '', facts } = await findIsolation()
const root = process.getuid?.() === 0
const USERS: readonly (readonly [string, () => SandboxMaker, boolean])[] = [
  ...(root ? [['as root', () => ({ launcher, bubblewrap }), cgroupRoots().length > 0] as const] : []),
  [
    'as an ordinary user',
    () =>
      root
        ? {
            launcher: join(place, 'launcher'),
            bubblewrap,
            prefix: ['/usr/bin/setpriv', '--reuid=65534', '--regid=65534', '--clear-groups'],
          }
        : { launcher, bubblewrap },
    false,
  ],
]

beforeAll(() => {
  if (bubblewrap === '') throw new Error('this machine has no bubblewrap')
  place = mkdtempSync(join(tmpdir(), 'agon-killed-'))
  chmodSync(place, 0o755)
  cpSync(launcher, join(place, 'launcher'))
  mkdirSync(join(place, 'source'))
  execFileSync('cc', ['-O1', '-o', join(place, 'source', 'ends'), SOURCE])
  for (const [name, does] of Object.entries(PYTHON)) writeFileSync(join(place, 'source', `${name}.py`), does)
})
afterAll(() => rmSync(place, { recursive: true, force: true }))

/** Shows that the turn has begun: until then its process is a fork of the warm parent. */
const BEGUN = 'begun = open("/tmp/begun", "w")'
const PYTHON = {
  waits: `import time; ${BEGUN}; time.sleep(60)`,
  kills: 'import os; os.kill(os.getpid(), 9)',
  'kills-parent': 'import os; os.kill(os.getppid(), 9); print(1)',
  'ends-parent': 'import os; os.kill(os.getppid(), 15); print(1)',
  orphan: `import os, time; ${BEGUN}; parent = os.getppid()\nwhile os.getppid() == parent: time.sleep(0.01)\nprint(1)`,
}

type Transport = 'turn' | 'lines'
const TRANSPORTS: readonly Transport[] = ['turn', 'lines']

/** A bot on one of two wires, in a sandbox or, without a maker, on the host. */
function seat(
  transport: Transport,
  words: readonly string[],
  maker?: SandboxMaker,
): { bot: SeatedBot; ask(): Promise<Answer> } {
  const id = transport === 'turn' ? 'samurai' : 'gunduel'
  const definition = games.find(({ game }) => game.id === id) as (typeof games)[number]
  const wires = wiresOf(definition, definition.game.options)
  const factory = new BotFactory({ seed: 'k', wires, rooms: join(place, 'rooms'), limits: {}, note: () => undefined })
  const source = join(place, 'source')
  const sandbox = maker && { maker, limits: { ...DEFAULT_LIMITS, memory: 64 * 1024 ** 2 }, warm: true }
  const run = { kind: 'process' as const, argv: words, source, sandbox }
  const bot = factory.bot({ name: 'Bot', wire: transport, memory: 'match', run }, 'life')
  const input = transport === 'turn' ? {} : { lines: ['F'] }
  return { bot, ask: async () => bot.ask({ input, view: undefined, number: 0, limit: LIMIT }) }
}
const ends = (route: string, transport: Transport) => [join(place, 'source', 'ends'), route, transport, MARK]

/** The host's numbers of the processes that carry the mark and these words, once there are some. */
async function marked(...words: readonly string[]): Promise<number[]> {
  for (let i = 0; i < 1000; i++) {
    const found = readdirSync('/proc').filter((pid) => {
      if (!/^\d+$/.test(pid) || Number(pid) === process.pid) return false
      const text = read(`/proc/${pid}/cmdline`)
      return words.every((word) => text.split('\0').includes(word))
    })
    if (found.length > 0) return found.map(Number)
    await new Promise((done) => setTimeout(done, 10))
  }
  throw new Error(`no process ${words.join(' ')}`)
}
const read = (file: string): string => {
  try {
    return readFileSync(file, 'latin1')
  } catch {
    return ''
  }
}
/** Whether it belongs to a sandbox of this process: other tests have warm interpreters, too. */
const isBelow = (pid: number): boolean => pid === process.pid || (pid > 1 && isBelow(parent(pid)))
const hasBegun = (pid: number): boolean => {
  try {
    return readdirSync(`/proc/${pid}/fd`).some((fd) => readlinkSync(`/proc/${pid}/fd/${fd}`).endsWith('/begun'))
  } catch {
    return false // It has closed one meanwhile, or has ended.
  }
}
const parent = (pid: number): number => Number(/^PPid:\s+(\d+)/m.exec(read(`/proc/${pid}/status`))?.[1])

/** Who can be killed: a bot's process and, above it, those that hold it. */
const VICTIMS = ['the program', 'its launcher', 'bubblewrap', 'its guard'] as const

const ROUTES = [
  'kill',
  'kill with a third word',
  'kill the group',
  'tkill',
  'tgkill',
  'rt_sigqueueinfo',
  'rt_tgsigqueueinfo',
  'pidfd_send_signal',
  'a child',
  'prlimit64',
  'timer_create',
  "the signal of a child's end",
]

describe.each(USERS)('in a sandbox, %s', (_user, maker, certain) => {
  it('the launcher sees who kills', () => expect(facts?.seesKills).toBe(true))

  // The pipes of a process that stays lie in a folder of agon's own user.
  describe.each(TRANSPORTS.filter((transport) => transport === 'turn' || maker().prefix === undefined))(
    'on the transport %s',
    (transport) => {
      it.each(VICTIMS.map((victim, above) => [victim, above] as const))(
        '%s is killed from outside: that is known, and the next match is played',
        async (_victim, above) => {
          const { bot, ask } = seat(transport, ends('waits', transport), maker())
          await bot.begin('1')
          const answer = ask()
          let pid = (await marked(MARK, transport))[0] ?? 0
          for (let i = 0; i < above; i++) pid = parent(pid)
          process.kill(pid, 'SIGKILL')
          const { output } = await answer
          expect(output.trouble).toBe('crash')
          expect(output.why).toMatch(
            above === 0 ? /^ended by signal SIGKILL, which / : /^its sandbox was ended from outside$/,
          )
          await bot.end()
          expect(bot.disturbed?.()).toEqual({ certain: above > 0 || certain, why: `Bot: ${output.why}` })
          expect(bot.disturbed?.()).toBeUndefined()
          await bot.begin('2')
          const again = ask()
          expect(await marked(MARK, transport)).toHaveLength(1)
          await bot.close()
          expect((await again).output.trouble).toBe('killed')
        },
      )

      // A process that stays has no such timers: one of them could end its rest.
      it.each(ROUTES.filter((route) => transport === 'turn' || route !== 'timer_create'))(
        'ends itself by %s: its crash',
        async (route) => {
          const { bot, ask } = seat(transport, ends(route, transport), maker())
          await bot.begin('1')
          expect((await ask()).output).toEqual({ trouble: 'crash', why: 'ended by signal SIGKILL' })
          expect(bot.disturbed?.()).toBeUndefined()
          await bot.close()
        },
      )

      it.runIf(certain)('uses up its memory: its crash', async () => {
        const { bot, ask } = seat(transport, ends('memory', transport), maker())
        await bot.begin('1')
        expect((await ask()).output.why).toBe('ended by signal SIGKILL: its memory was used up')
        expect(bot.disturbed?.()).toBeUndefined()
        await bot.close()
      })
    },
  )

  // Who kills the parent of a warm interpreter, its bot or another, changes nothing of the turn.
  it.each([
    ['waits', 'python3', 'crash'],
    ['orphan', 'warm', undefined],
    ['kills', '', 'crash'],
    ['kills-parent', '', undefined],
    ['ends-parent', '', undefined],
  ])('a warm interpreter: %s.py, %s', async (name, victim, trouble) => {
    const { bot, ask } = seat('turn', ['/usr/bin/python3', join(place, 'source', `${name}.py`), MARK], maker())
    await bot.begin('1')
    const answer = ask()
    if (victim !== '') {
      const own = async () => (await marked('/agon/warm.py')).find((pid) => isBelow(pid) && hasBegun(pid))
      for (let i = 0; i < 1000 && (await own()) === undefined; i++) await new Promise((done) => setTimeout(done, 10))
      const child = await own()
      if (child === undefined) throw new Error('no turn of a warm interpreter was seen')
      process.kill(victim === 'warm' ? parent(child) : child, 'SIGKILL')
    }
    const { output } = await answer
    expect([output.trouble, output.out]).toEqual([trouble, trouble === undefined ? '1\n' : undefined])
    expect(bot.disturbed?.() !== undefined).toBe(victim === 'python3')
    await bot.close()
  })
})

describe.each(TRANSPORTS)('without a sandbox, on the transport %s', (transport) => {
  it('who killed it is not known', async () => {
    const { bot, ask } = seat(transport, ends('kill', transport))
    await bot.begin('1')
    const why = 'ended by signal SIGKILL, which agon did not send'
    expect((await ask()).output).toEqual({ trouble: 'crash', why })
    expect(bot.disturbed?.()).toEqual({ certain: false, why: `Bot: ${why}` })
    await bot.close()
  })
})
