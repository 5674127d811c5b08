import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, afterEach, describe, expect, it } from 'vitest'
import type { AnyWire, Answer } from '../core/index.js'
import { DEFAULT_LIMITS, StderrTail, WARM_TOOLS, findIsolation } from '../sandbox/index.js'
import { LinesBot } from './lines.js'
import { SandboxHost } from './process-host.js'
import { states } from '../../test/kit/family.js'

const { launcher, program: bubblewrap } = await findIsolation()
const folder = mkdtempSync(join(tmpdir(), 'agon-warm-staying-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const PYTHON = '/usr/bin/python3'
function hasPython(): boolean {
  try {
    execFileSync(PYTHON, ['-c', 'import sys; raise SystemExit(sys.version_info < (3, 11))'])
    return true
  } catch {
    return false
  }
}

const wire: AnyWire = { summary: 'lines', transport: 'lines', ask: () => ({}), read: () => '' }
const open: LinesBot[] = []
afterEach(async () => {
  await Promise.all(open.splice(0).map((bot) => bot.close()))
})

let made = 0
/** A bot of Python that answers each line with what the function `answer` makes of it. */
function seat(script: string, warm = true) {
  const source = join(folder, `source${++made}`)
  mkdirSync(source)
  const loop = 'for line in sys.stdin:\n  print(answer(line.strip()), flush=True)\n'
  writeFileSync(join(source, 'bot.py'), `import os, signal, sys, time\n${script}\n${loop}`)
  const stderr = new StderrTail()
  const life = {
    name: 'Ant',
    wire,
    memory: 'match' as const,
    key: 'life',
    seed: () => 7,
    outputBytes: 10_000,
    updateLimit: 1000,
    stderr,
    note: () => undefined,
  }
  const program = { argv: [PYTHON, 'bot.py', 'word'], source, room: join(folder, `room${made}`) }
  const maker = { launcher: launcher ?? '', bubblewrap: bubblewrap ?? '' }
  const host = new SandboxHost(life, program, { maker, limits: DEFAULT_LIMITS, warm }, true, WARM_TOOLS)
  const bot = new LinesBot(life, host)
  open.push(bot)
  const ask = async (line: string, limit = 20_000): Promise<Answer> =>
    bot.ask({ input: { lines: [line] }, view: {}, number: 0, limit })
  /** Each line in a match of its own. */
  const matches = async (...lines: readonly string[]) => {
    const outputs: unknown[] = []
    for (const line of lines) {
      await bot.begin(line)
      outputs.push((await ask(line)).output)
      await bot.end()
    }
    return outputs
  }
  return { bot, ask, matches, stderr, host }
}

/** What the bot's process can see of itself, and of those beside it. */
const SEES = `n = 0
def answer(line):
  global n
  n += 1
  command = open('/proc/self/cmdline').read()
  others = sorted(int(one) for one in os.listdir('/proc') if one.isdigit() and int(one) not in (1, os.getpid()))
  return repr([line, n, sys.argv, os.environ['AGON_SEED'], os.getppid(), os.getsid(0) == os.getpid(), 'warm.py' in command, len(others)])`

describe.skipIf(launcher === undefined || bubblewrap === undefined || !hasPython())('a match of a Python bot', () => {
  it('is a fresh process of the launcher, forked from the warm interpreter', async () => {
    const see = (line: string, warm: boolean, others: number) => ({
      out: `['${line}', 1, ['bot.py', 'word'], '7', 1, True, ${warm ? 'True' : 'False'}, ${others}]`,
    })
    expect(await seat(SEES).matches('a', 'b', 'c')).toEqual([see('a', true, 1), see('b', true, 1), see('c', true, 1)])
    expect(await seat(SEES, false).matches('a', 'b')).toEqual([see('a', false, 0), see('b', false, 0)])
  })

  it('ends as one that was started: by an exit, a signal, its time', { timeout: 60_000 }, async () => {
    const ends = `def answer(line):
  if line == 'exit': sys.exit(3)
  if line == 'kill': os.kill(os.getpid(), signal.SIGTERM)
  if line == 'raise': raise ValueError('mine')
  if line == 'late': time.sleep(600)
  return line`
    const tell = async (warm: boolean) => {
      const { bot, ask, stderr } = seat(ends, warm)
      const outputs: unknown[] = []
      for (const line of ['one', 'exit', 'kill', 'raise', 'late', 'two']) {
        await bot.begin(line)
        outputs.push((await ask(line, line === 'late' ? 300 : 20_000)).output)
        await bot.end()
      }
      expect(stderr.read()).toContain('ValueError: mine')
      return outputs.map((one) => JSON.stringify(one).replace(/\d+ ms/g, 'N ms'))
    }
    const warm = await tell(true)
    expect(warm).toEqual(await tell(false))
    expect(warm[0]).toBe('{"out":"one"}')
    expect(warm[5]).toBe('{"out":"two"}')
  })

  it('leaves nothing behind, stands still with all that it has started, and takes the parent from no process', async () => {
    const forks = `def answer(line):
  if line == 'fork':
    for _ in range(5):
      if os.fork() == 0:
        os.setsid()
        while True: pass
  return len([one for one in os.listdir('/proc') if one.isdigit()])`
    const { bot, ask, matches, host } = seat(forks)
    await bot.begin('fork')
    expect((await ask('fork')).output).toEqual({ out: '8' })
    // It is not asked: they stand still, the warm interpreter with them.
    await expect.poll(() => states(host), { timeout: 60_000, interval: 20 }).toBe('TTTTTTT')
    expect((await ask('time')).output).toEqual({ out: '8' })
    await bot.end()
    expect(await matches('a', 'b')).toEqual([{ out: '3' }, { out: '3' }])
  })
})
