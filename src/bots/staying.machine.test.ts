import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, afterEach, describe, expect, it, vi } from 'vitest'
import type { AnyWire, Answer, Memory } from '../core/index.js'
import {
  type SandboxLimits,
  DEFAULT_LIMITS,
  HostError,
  StderrTail,
  UnchangedFolders,
  findIsolation,
} from '../sandbox/index.js'
import { cgroupRoots } from '../sandbox/cgroups.js'
import { UPDATE_MS } from '../sandbox/stay.js'
import type { BotLife } from './life.js'
import { LinesBot } from './lines.js'
import { ModuleBot } from './module.js'
import { SandboxHost, type ProcessHost } from './process-host.js'
import { familyPids, launcherOf, states } from '../../test/kit/family.js'

const { launcher, program: bubblewrap } = await findIsolation()
const folder = mkdtempSync(join(tmpdir(), 'agon-staying-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const wire: AnyWire = { summary: 'lines', transport: 'lines', ask: () => ({}), read: () => '' }
const input = (line: string) => ({ lines: [line] })
const ask = async (bot: LinesBot, line: string, limit = 20_000): Promise<Answer> =>
  bot.ask({ input: input(line), view: {}, number: 0, limit })

let open: { close(): Promise<void> }[] = []
afterEach(async () => {
  await Promise.all(open.map((one) => one.close()))
  open = []
})
let made = 0

interface More extends Partial<BotLife> {
  /** False: it keeps no file. */
  readonly counts?: boolean
}

/** A bot of Perl; `$n`: its process's number in its life, counted in a file. */
function seat(
  script: string,
  memory: Memory = 'tournament',
  limits: Partial<SandboxLimits> = {},
  { counts = true, ...more }: More = {},
) {
  const source = join(folder, `source${++made}`)
  mkdirSync(source)
  const notes: string[] = []
  const stderr = new StderrTail()
  const life: BotLife = {
    name: 'Ant',
    wire,
    memory,
    key: 'life',
    seed: () => 1,
    outputBytes: 10_000,
    updateLimit: 1000,
    stderr,
    note: (text) => notes.push(text),
    ...more,
  }
  const count = '$n = -s "/tmp/n" || 0; open N, ">>/tmp/n"; print N "x"; close N; $| = 1;'
  const head = counts ? count : '$| = 1;'
  const program = { argv: ['/usr/bin/perl', '-e', `${head} ${script}`], source, room: join(folder, `room${made}`) }
  const maker = { launcher: launcher ?? '', bubblewrap: bubblewrap ?? '' }
  const setting = { maker, limits: { ...DEFAULT_LIMITS, ...limits }, warm: false }
  const host = new SandboxHost(life, program, setting, true)
  const bot = new LinesBot(life, host)
  open.push(bot)
  return { bot, host, notes, stderr, life }
}

const patient = { timeout: 60_000, interval: 20 }

describe.skipIf(launcher === undefined || bubblewrap === undefined)('a process that stays in a sandbox', () => {
  it('has no more time for a question because it was started again within it', { timeout: 150_000 }, async () => {
    const { bot } = seat('while (<STDIN>) { exit if /2/ && !$n; sleep 600 if /2/; print }')
    await bot.begin('one')
    expect((await ask(bot, '1')).output).toEqual({ out: '1' })
    await bot.end()
    await bot.begin('two')
    // Late enough: the question is watched when its first process goes.
    const answer = await ask(bot, '2', 300)
    expect(answer.output).toMatchObject({ trouble: 'timeout' })
    expect(answer.chargedUs).toBeGreaterThan(300_000)
  })

  it('is late with what it said long after its time, also where its launcher was kept from telling', async () => {
    const { bot, host } = seat('while (<STDIN>) { select undef, undef, undef, $_; print "done\\n" }')
    await bot.begin('one')
    expect((await ask(bot, '0')).output).toEqual({ out: 'done' })
    const pid = launcherOf(host)
    const answer = ask(bot, '1.4', 100)
    await new Promise((done) => setTimeout(done, 50))
    process.kill(pid, 'SIGSTOP')
    // A second after the bot has answered, and before its launcher counts as silent.
    setTimeout(() => process.kill(pid, 'SIGCONT'), 2500)
    expect((await answer).output).toMatchObject({ trouble: 'timeout', out: 'done' })
    expect((await ask(bot, '0')).output).toMatchObject({ trouble: 'killed' })
  })

  it('is not late for what a module computed in this thread', async () => {
    const { bot, life } = seat('while (<STDIN>) { print }')
    const module = new ModuleBot(life, async () => () => {
      for (const end = Date.now() + 6000; Date.now() < end;);
      return ''
    })
    await Promise.all([bot.begin('one'), module.begin('one')])
    expect((await ask(bot, '1')).output).toEqual({ out: '1' })
    const answer = ask(bot, 'quick', 400)
    await module.ask({ input: input(''), view: {}, number: 0, limit: 20_000 })
    expect((await answer).output).toEqual({ out: 'quick' })
  }, 60_000)

  it('costs a bot no more than its sandbox where its launcher tells nothing', { timeout: 150_000 }, async () => {
    const { bot, host } = seat('while (<STDIN>) { sleep 600 if /2/; print }')
    await bot.begin('one')
    expect((await ask(bot, '1')).output).toEqual({ out: '1' })
    process.kill(launcherOf(host), 'SIGSTOP')
    expect((await ask(bot, '2', 50)).output).toMatchObject({ trouble: 'crash' })
    // Its cause is not known: the match is void, and not for ever.
    expect(bot.disturbed()).toMatchObject({ certain: true })
    await bot.begin('two')
    expect((await ask(bot, '3')).output).toEqual({ out: '3' })
  })

  it('runs only while it is asked, with all that it has started', async () => {
    const { bot, host } = seat(
      'for (1..5) { fork or do { 1 while 1 } } while (<STDIN>) { /note/ ? $t++ : print "$t$_" }',
    )
    await bot.begin('one')
    expect((await ask(bot, '1')).output).toEqual({ out: '1' })
    await expect.poll(() => states(host), patient).toBe('TTTTTT')
    bot.send(input('note'))
    await expect.poll(() => states(host), patient).toBe('TTTTTT')
    expect((await ask(bot, '2')).output).toEqual({ out: '12' })
    await bot.end()
    await expect.poll(() => states(host), patient).toBe('TTTTTT')
    await bot.begin('two')
    expect((await ask(bot, '3')).output).toEqual({ out: '13' })
  })

  it('runs on until it says that it has loaded', async () => {
    const loads = { within: 'start', ok: (line: string) => line === 'ready' }
    const script = 'sleep 1 until -e "/tmp/go"; print "ready\\n"; while (<STDIN>) { print }'
    const more = { wire: { ...wire, loads }, startLimit: 600_000 }
    const { bot, host } = seat(script, 'tournament', {}, more)
    await bot.begin('one')
    // Long after a process is suspended that has no need to load.
    await new Promise((done) => setTimeout(done, 5 * UPDATE_MS))
    expect(states(host)).not.toContain('T')
    host.inUse.put('/tmp', { go: '' })
    await expect.poll(() => states(host), patient).toBe('T')
    expect((await ask(bot, '1')).output).toEqual({ out: '1' })
  })

  it('stands still when it was late and is forgiven, and its late answer comes in the time of a later question', async () => {
    const script = 'while (<STDIN>) { if (/2/ && !-e "/tmp/go") { 1 until -e "/tmp/go" } print }'
    const { bot, host } = seat(script, 'tournament', {}, { forgiven: 1 })
    await bot.begin('one')
    expect((await ask(bot, '1')).output).toEqual({ out: '1' })
    expect((await ask(bot, '2', 100)).output).toMatchObject({ trouble: 'timeout' })
    await expect.poll(() => states(host), patient).toBe('T')
    host.inUse.put('/tmp', { go: '' })
    expect((await ask(bot, '3', 60_000)).output).toEqual({ out: '3' })
  })

  it('cannot go on by itself while it is not asked', async () => {
    const tries = [
      'kill("CONT", $$)',
      'kill("CONT", -1)',
      'syscall(200, $$, 18) == 0', // tkill
      'syscall(234, $$, $$, 18) == 0', // tgkill
      'syscall(157, 1, 18, 0, 0, 0) == 0', // PR_SET_PDEATHSIG
      'syscall(109, $p, $p) == 0', // setpgid
      'syscall(222, 1, 0, $id = "....") == 0', // timer_create
    ]
    const script = `$p = fork; sleep 999 unless $p; while (<STDIN>) { print join(" ", map { $_ ? 1 : 0 } ${tries.join(', ')}), "\\n" }`
    const { bot } = seat(process.arch === 'x64' ? script : 'while (<STDIN>) { print "0 0 0 0 0 0 0\\n" }')
    await bot.begin('one')
    expect((await ask(bot, '1')).output).toEqual({ out: '0 0 0 0 0 0 0' })
  })

  it('is charged for what it runs while it is not asked, whatever continued it, and is stopped again', async () => {
    const { bot, host } = seat('fork or do { 1 while 1 }; while (<STDIN>) { print }')
    const ran = (): number =>
      familyPids(host)
        .map((pid) => readFileSync(`/proc/${pid}/schedstat`, 'latin1').split(' ')[0])
        .reduce((sum, ns) => sum + Number(ns) / 1e6, 0)
    const goOn = (): void => familyPids(host).forEach((pid) => process.kill(pid, 'SIGCONT'))
    await bot.begin('one')
    expect((await ask(bot, '1')).output).toEqual({ out: '1' })
    for (const [limit, more] of [
      [20_000, 100],
      [200, 300],
    ] as const) {
      await expect.poll(() => states(host), patient).toBe('TT')
      const before = ran()
      // It cannot continue itself: somebody does.
      await expect.poll(() => (goOn(), ran() - before), patient).toBeGreaterThan(more)
      await expect.poll(() => states(host), patient).toBe('TT')
      const { output, chargedUs } = await ask(bot, '2', limit)
      if (limit > more) expect(output).toEqual({ out: '2' })
      if (limit > more) expect(chargedUs).toBeGreaterThan(1000 * more)
      else expect([output.trouble, output.why?.includes('while it was not asked')]).toEqual(['timeout', true])
    }
  })

  it('reads how its last match ended, and ends by itself, after it stood still', async () => {
    const script =
      'while (<STDIN>) { /end/ ? print STDERR "read $_" : print } print STDERR "bye"; close STDERR; sleep 9'
    const { bot, host, stderr } = seat(script, 'match')
    await bot.begin('one')
    expect((await ask(bot, '1')).output).toEqual({ out: '1' })
    await expect.poll(() => states(host), patient).toBe('T')
    bot.send(input('the end'))
    await expect.poll(() => states(host), patient).toBe('T')
    await bot.end()
    expect(stderr.read()).toContain('read the end\nbye')
  })

  it('keeps what it last held where its sandbox is gone when that is looked at', async () => {
    const { bot, host, notes } = seat(
      'while (<STDIN>) { open F, ">>/bot/f"; print F $_; close F; print `cat /bot/f | tr -d "\\\\n"`, "\\n" }',
    )
    await bot.begin('one')
    expect((await ask(bot, '1')).output).toEqual({ out: '1' })
    const before = await bot.snapshot()
    expect(before?.['bot/f']).toBe(Buffer.from('1\n').toString('base64'))
    await ask(bot, '2')
    const sandbox = host.inUse
    process.kill(launcherOf(host), 'SIGKILL')
    // Sooner than that is known here.
    expect(await bot.snapshot()).toEqual(before)
    await sandbox.closed
    expect(await bot.snapshot()).toEqual(before)
    expect(notes.join('\n')).toContain('what it wrote since its last match is lost')
    await bot.end()
    await bot.begin('two')
    expect((await ask(bot, '3')).output).toEqual({ out: '13' })
  })

  it('is looked into only from when something was first made in its folders', async () => {
    const acts = '/make/ ? mkdir("/tmp/d") : /fill/ ? do { open F, ">/tmp/d/f"; print F $_; close F } : 1; print'
    const { bot, host } = seat(`while (<STDIN>) { ${acts} }`, 'tournament', {}, { counts: false })
    await bot.begin('one')
    await ask(bot, 'look')
    const sandbox = host.inUse
    // Not every user may look into a sandbox from outside.
    const sees = new UnchangedFolders(sandbox, ['/tmp']).sure
    const looks = vi.spyOn(sandbox, 'files')
    expect(await bot.snapshot()).toEqual({})
    expect(looks).toHaveBeenCalledTimes(sees ? 0 : 1)
    await ask(bot, 'make')
    expect(await bot.snapshot()).toEqual({})
    await ask(bot, 'fill')
    const kept = await bot.snapshot()
    expect(kept).toEqual({ 'tmp/d/f': Buffer.from('fill\n').toString('base64') })
    await bot.end()
    await bot.begin('two')
    expect(await bot.snapshot()).toEqual(kept)
  })

  it.skipIf(cgroupRoots().length === 0)('that fills its sandbox with memory of no process has crashed', async () => {
    const fill =
      'for $d ("/tmp", "/dev/shm", "/bot", "/game") { open F, ">$d/f"; print F "x" x 1e6 for 1..15; close F }'
    const { bot } = seat(`while (<STDIN>) { ${fill} print }`, 'tournament', { memory: 40 * 1024 ** 2 })
    await bot.begin('one')
    const { output } = await ask(bot, '1')
    expect(output).toMatchObject({ trouble: 'crash' })
    expect(output.why).toContain('its memory was used up')
    expect(bot.disturbed()).toBeUndefined()
    await bot.end()
    expect(await bot.snapshot()).toBeDefined()
  })

  it('is ended before what holds it where memory runs out', async () => {
    const read = (pid: string) => `do { local @ARGV = "/proc/${pid}/oom_score_adj"; <> + 0 }`
    const { bot, host } = seat(`while (<STDIN>) { print ${read('self')}, "\\n" }`)
    await bot.begin('one')
    expect((await ask(bot, '1')).output).toEqual({ out: '1000' })
    const own = execFileSync('cat', [`/proc/${launcherOf(host)}/oom_score_adj`], { encoding: 'utf8' })
    expect(Number(own)).toBeLessThan(1000)
  })
})

/** A host that can start nothing. */
const processHostOf = (lost: ReturnType<ProcessHost['lost']>): ProcessHost => ({
  ready: async () => undefined,
  start: () => {
    throw new HostError('the sandbox has no pipes')
  },
  clock: () => ({ set: () => undefined, off: () => undefined, clear: () => undefined }),
  disturbances: new (class {
    see = () => undefined
    take = () => undefined
  })() as unknown as ProcessHost['disturbances'],
  lost: () => lost,
  snapshot: async () => undefined,
  amend: async () => undefined,
  close: async () => undefined,
})

describe('a process that was let go on', () => {
  it('is asked only when it was not suspended again meanwhile', async () => {
    let suspensions = 3
    const { life } = seat('', 'tournament')
    const asked: number[] = []
    const running = {
      send: () => undefined,
      endInput: () => undefined,
      drain: () => void asked.push(suspensions),
      kill: () => undefined,
      exited: () => undefined,
      ended: new Promise<never>(() => undefined),
      wake: () => (suspensions-- > 0 ? Promise.resolve() : undefined),
    }
    const bot = new LinesBot(life, { ...processHostOf(undefined), start: () => running })
    await bot.begin('one')
    void ask(bot, '1')
    await expect.poll(() => asked, patient).toEqual([-1])
  })
})

describe('a bot whose sandbox is gone when it is started', () => {
  const { life } = seat('', 'tournament')

  it('has crashed where its host knows how that ended', async () => {
    const bot = new LinesBot(life, processHostOf({ sandbox: 'the sandbox has ended', memory: true }))
    await bot.begin('one')
    expect((await ask(bot, '1')).output).toEqual({ trouble: 'crash', why: 'its sandbox ended: its memory was used up' })
  })
  it('has not played where this machine failed', async () => {
    const bot = new LinesBot(life, processHostOf(undefined))
    await bot.begin('one')
    await expect(ask(bot, '1')).rejects.toThrow('the sandbox has no pipes')
  })
})
