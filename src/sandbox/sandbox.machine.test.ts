import { execFileSync, spawn, spawnSync } from 'node:child_process'
import { chmodSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { cpus, tmpdir } from 'node:os'
import { join } from 'node:path'
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Sandbox, startSandbox } from './sandbox.js'
import type { SandboxSpec, Measures } from './sandbox-spec.js'
import { makeCgroup } from './cgroups.js'
import { coresAllowed } from './cores.js'
import { findIsolation } from './doctor.js'
import { frame, requestFrame, type Turn } from './frames.js'
import { findLauncher } from './launcher.js'
import { StderrTail } from './process.js'
import { SandboxRunning } from './stay.js'
import { SandboxClock } from './stay-clock.js'
import { DEFAULT_LIMITS } from './limits.js'

const folder = mkdtempSync(join(tmpdir(), 'agon-sandbox-'))
chmodSync(folder, 0o755)
const launcher = (await findLauncher()) as string
const bubblewrap = (await findIsolation()).program
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const sh = (script: string, more: Partial<Turn> = {}): Turn => ({
  argv: ['/bin/sh', '-c', script],
  env: { PATH: '/usr/bin:/bin' },
  folder: '/',
  limit: 30_000,
  output: 65536,
  errors: 1e6,
  wipe: true,
  ...more,
})
const spec = (more: Partial<SandboxSpec> = {}): SandboxSpec => ({
  launcher,
  bubblewrap: bubblewrap ?? '',
  user: process.getuid?.() === 0 ? 1_700_000_001 : undefined,
  also: [],
  tools: {},
  limits: { ...DEFAULT_LIMITS, processes: 4096 },
  ...more,
})

const rooms: readonly (readonly [string, Partial<SandboxSpec>])[] =
  bubblewrap === undefined ? [] : [['in a room of its own', { limits: DEFAULT_LIMITS }]]

const childOf = (pid: number): number =>
  Number(readFileSync(`/proc/${pid}/task/${pid}/children`, 'latin1').split(' ')[0])

it.runIf(bubblewrap !== undefined)(
  'is late with what came after its time, also where the launcher was kept from looking',
  { timeout: 150_000 },
  async () => {
    const sandbox = await startSandbox(spec())
    // The innermost of its processes.
    let pid = sandbox.pid as number
    for (let next = pid; next !== 0; next = childOf(pid)) pid = next
    try {
      // Stopped before its first look, and after it.
      for (const offset of [0, 0.2, 0.5, 1, 1.5, 2, 3, 10]) {
        const turn = sandbox.turn(sh('sleep 0.1; echo late', { limit: 60 }))
        const began = performance.now()
        while (performance.now() - began < offset);
        process.kill(pid, 'SIGSTOP')
        // The sandbox is there until it has gone on: a turn may end before that.
        const goesOn = new Promise((done) => setTimeout(done, 150)).then(() => process.kill(pid, 'SIGCONT'))
        expect((await Promise.all([turn, goesOn]))[0], `stopped after ${offset} ms`).toMatchObject({ stop: 'time' })
      }
    } finally {
      await sandbox.close()
    }
  },
)

describe.each(rooms)('a turn %s', (_name, more) => {
  let sandbox: Sandbox
  beforeAll(async () => {
    sandbox = await startSandbox(spec(more))
  })
  afterAll(() => sandbox.close())

  it('tells its output, errors and exit code apart', async () => {
    const result = await sandbox.turn(sh('echo out; echo err >&2; exit 7'))
    expect(result).toMatchObject({ end: { code: 7 }, out: 'out\n' })
    expect(result.stderr.toString()).toBe('err\n')
    expect(result.wallUs).toBeGreaterThan(0)
    expect(result.cpuUs).toBeGreaterThan(0)
  })

  it('is given its arguments, its environment and its input, and nothing of ours', async () => {
    const result = await sandbox.turn(
      sh('printf "%s|" "$@"; env | grep -v ^PWD= | grep -v ^_= | sort | tr "\\n" "|"; cat', {
        argv: [
          '/bin/sh',
          '-c',
          'printf "%s|" "$@"; env | grep -v "^PWD=\\|^_=\\|^SHLVL=\\|^OLDPWD=" | sort | tr "\\n" "|"; cat',
          'sh',
          'a b',
          '',
          'ü',
        ],
        env: { PATH: '/usr/bin:/bin', AGON_SEED: '12' },
        input: 'said\n',
      }),
    )
    expect(Buffer.from(result.out, 'latin1').toString()).toBe('a b||ü|AGON_SEED=12|PATH=/usr/bin:/bin|said\n')
  })

  it('takes more input than a pipe holds while it prints as much', async () => {
    const input = 'x'.repeat(300_000)
    const result = await sandbox.turn(sh('cat', { input, output: 1e6 }))
    expect(result.out).toBe(input)
  })

  it('ends when its time is up', async () => {
    const result = await sandbox.turn(sh('echo first; trap "" TERM; while :; do sleep 1; done', { limit: 60 }))
    expect(result).toMatchObject({ stop: 'time', out: 'first\n', end: { signal: 'SIGKILL' } })
    expect(result.wallUs).toBeGreaterThanOrEqual(60_000)
    expect(result.chargedUs).toBeLessThanOrEqual(result.wallUs)
  })

  it('ends when it prints too much, and keeps what was allowed', async () => {
    const result = await sandbox.turn(sh('yes', { output: 1000 }))
    expect(result).toMatchObject({ stop: 'stdout' })
    expect(result.out).toHaveLength(1000)
    expect((await sandbox.turn(sh('yes >&2', { errors: 1000 }))).stop).toBe('stderr')
  })

  it('has no file open that agon was started with', async () => {
    const log = join(folder, 'log')
    writeFileSync(log, 'secret\n')
    const prefix = [
      '/bin/bash',
      '-c',
      `for fd in 3 5 17 64 99 200 203 250; do eval "exec $fd<>$0"; done; exec "$@"`,
      log,
    ]
    const leaky = await startSandbox(spec({ ...more, prefix }))
    const script =
      'for fd in /proc/self/fd/*; do echo "${fd##*/}"; done; for n in 5 99 250; do cat <&$n; done; echo in >&99'
    const { out } = await leaky.turn(sh(script, { argv: ['/bin/bash', '-c', script] }))
    await leaky.close()
    // Its streams, and the folder that it reads.
    expect(out.trim().split('\n')).toEqual(['0', '1', '2', expect.stringMatching(/^\d+$/)])
    expect(readFileSync(log, 'utf8')).toBe('secret\n')
  })

  it('takes along all that it started', async () => {
    const mark = `30.${process.pid}`
    await sandbox.turn(sh(`setsid sleep ${mark} & (sleep ${mark} &) & sleep ${mark} & echo B`))
    const left = spawnSync('sh', [
      '-c',
      'grep -la "sleep.30.$1" /proc/[0-9]*/cmdline 2>/dev/null',
      'sh',
      String(process.pid),
    ])
    expect(
      left.stdout
        .toString()
        .split('\n')
        .filter((line) => line !== '' && !line.includes('self')),
    ).toEqual([])
  })

  it('tells why a program does not start', async () => {
    expect((await sandbox.turn(sh('', { argv: ['/nowhere'] }))).end).toEqual({ noStart: 'ENOENT' })
    expect((await sandbox.turn(sh('', { argv: ['/usr'] }))).end).toEqual({ noStart: 'EACCES' })
    expect((await sandbox.turn(sh('', { argv: ['/bin/sh', 'a\0b'] }))).end).toEqual({ noStart: 'EINVAL' })
    expect((await sandbox.turn(sh('', { argv: ['/bin/sh', 'x'.repeat(200_000)] }))).end).toEqual({ noStart: 'E2BIG' })
  })

  it('tells the signal it died of', async () => {
    expect((await sandbox.turn(sh('kill -SEGV $$'))).end).toEqual({ signal: 'SIGSEGV' })
  })

  it('can be ended from here', async () => {
    const result = sandbox.turn(sh('sleep 20'))
    setTimeout(() => sandbox.kill(), 20)
    expect((await result).stop).toBe('asked')
    expect((await sandbox.turn(sh('echo still here'))).out).toBe('still here\n')
  })

  it('answers requests in their order, also those that come while one runs', async () => {
    const results = await Promise.all([1, 2, 3, 4].map((n) => sandbox.turn(sh(`sleep 0.0${5 - n}; echo ${n}`))))
    expect(results.map(({ out }) => out)).toEqual(['1\n', '2\n', '3\n', '4\n'])
  })
})

describe.runIf(bubblewrap !== undefined)('in a room of its own', () => {
  const user = process.getuid?.() === 0 ? { user: 1_700_000_002 } : {}
  const source = join(folder, 'source')
  mkdirSync(join(source, 'state'), { recursive: true })
  writeFileSync(join(source, 'bot.sh'), 'echo B\n')

  it('a file is written before and read after', async () => {
    const sandbox = await startSandbox(spec({ bubblewrap, ...user, source }))
    const file = { path: '/game/game.txt', content: 'view\xff' }
    expect((await sandbox.turn(sh('echo more >>/game/game.txt', { file }))).file).toEqual({ text: 'view\xffmore\n' })
    expect((await sandbox.turn(sh('rm /game/game.txt', { file }))).file).toBeUndefined()
    expect((await sandbox.turn(sh('rm /game/game.txt; mkdir -p /game/game.txt/x', { file }))).file).toBeUndefined()
    expect(
      (await sandbox.turn(sh('rm /game/game.txt; ln -s /etc/passwd /game/game.txt', { file }))).file,
    ).toBeUndefined()
    expect((await sandbox.turn(sh('head -c 70000 /dev/zero >/game/game.txt', { file }))).file).toBe('large')
    await sandbox.close()
  })

  it('where no cgroup counts its time, a family of which something has ended is charged for all that it waits', async () => {
    const sandbox = await startSandbox(spec({ bubblewrap, ...user, source }))
    const burn = 'sub cpu { (times)[0] } sub burn { 1 while cpu() < $_[0] }'
    const forks = `$SIG{CHLD} = "IGNORE"; for (1..40) { fork or do { burn(0.03); exit } } burn(0.2); sleep 1`
    const { wallUs, chargedUs, end } = await sandbox.turn(
      sh('', { argv: ['/usr/bin/perl', '-e', `${burn} ${forks}`], limit: 60_000 }),
    )
    expect(end).toEqual({ code: 0 })
    expect(chargedUs).toBe(wallUs)
    await sandbox.close()
  })

  it('nothing is left in private folders from one turn to the next', async () => {
    const sandbox = await startSandbox(spec({ bubblewrap, ...user, source }))
    const places = '/tmp /dev/shm /game'
    await sandbox.turn(
      sh(
        `for d in ${places}; do echo x >$d/a; mkdir -p $d/b/c; ln -s / $d/l; chmod 0 $d/b; chmod 500 $d; touch -d @7 $d; done`,
      ),
    )
    const seen = await sandbox.turn(sh(`ls -A ${places}; stat -c %Y%a ${places}`))
    expect(seen.out).toBe('/dev/shm:\n\n/game:\n\n/tmp:\n0700\n0700\n0700\n')
    await sandbox.close()
  })

  it('a folder that is deeper than any path is emptied too', async () => {
    const sandbox = await startSandbox(spec({ bubblewrap, ...user, source }))
    await sandbox.turn(
      sh('cd /tmp; i=0; while [ $i -lt 700 ]; do mkdir aaaaaaaaaa && cd aaaaaaaaaa; i=$((i+1)); done; echo x >x'),
    )
    expect((await sandbox.turn(sh('ls -A /tmp'))).out).toBe('')
    await sandbox.close()
  })

  it('the state folder stays, is put back where it grew too large, and can be taken along', async () => {
    const sandbox = await startSandbox(spec({ bubblewrap, ...user, source, state: { folder: 'state', bytes: 1000 } }))
    await sandbox.turn(sh('echo one >/bot/state/bot.txt'))
    const over = await sandbox.turn(sh('head -c 5000 /dev/zero >/bot/state/bot.txt; echo y >/bot/state/other'))
    expect(over.rolledBack).toBe(5002)
    expect((await sandbox.turn(sh('cat /bot/state/*'))).out).toBe('one\n')
    const [kept = { bytes: 0, tree: {} }] = await sandbox.files(['/bot/state'], 1e6)
    expect(kept).toEqual({ bytes: 4, tree: { 'bot.txt': Buffer.from('one\n').toString('base64') } })
    sandbox.fresh()
    expect((await sandbox.turn(sh('ls /bot/state'))).out).toBe('')
    sandbox.put('/bot/state', kept.tree)
    expect((await sandbox.turn(sh('cat /bot/state/bot.txt; cat /bot/bot.sh'))).out).toBe('one\necho B\n')
    await sandbox.close()
  })

  it('a state folder holds plain files of one mode and time, and nothing that its size does not count', async () => {
    const sandbox = await startSandbox(spec({ bubblewrap, ...user, source, state: { folder: 'state', bytes: 10_000 } }))
    const deep = Array.from({ length: 40 }, () => 'd').join('/')
    await sandbox.turn(
      sh(`cd /bot/state; echo one >plain; mkdir -p ${deep} empty/too hidden; echo deep >${deep}/file; head -c 90000 /dev/zero >${deep}/large
        echo in >hidden/in; chmod 0 hidden plain; touch -d @7 hidden plain; ln -s a-note link; mkfifo pipe`),
    )
    const seen = await sandbox.turn(
      sh('cd /bot/state; find . | sort; stat -c "%a %Y %X" plain hidden/in; cat plain hidden/in'),
    )
    expect(seen.out).toBe('.\n./hidden\n./hidden/in\n./plain\n600 0 0\n600 0 0\none\nin\n')
    const names = await sandbox.turn(sh('cd /bot/state; for i in $(seq 100); do : >$i$(printf %0200d 0); done'))
    expect(names.rolledBack).toBeGreaterThan(100 * 200 - 1024)
    expect((await sandbox.turn(sh('ls /bot/state'))).out).toBe('hidden\nplain\n')
    await sandbox.close()
  })

  it('what lies too deep to be taken along is reported by the size of what is', async () => {
    const sandbox = await startSandbox(spec({ bubblewrap, ...user, source, writable: true }))
    const deep = Array.from({ length: 40 }, () => 'd').join('/')
    await sandbox.turn(sh(`mkdir -p /tmp/${deep}; echo x >/tmp/${deep}/x`, { wipe: false }))
    expect((await sandbox.files(['/tmp'], 1e6))[0]?.bytes).toBeGreaterThan(1e6)
    await sandbox.close()
  })

  it('what it wrote beside its source, and around what it may read below /tmp, is taken along, and nothing else', async () => {
    const below = mkdtempSync(join(tmpdir(), 'agon-also-'))
    writeFileSync(join(below, 'ours.txt'), 'ours')
    chmodSync(below, 0o755)
    const sandbox = await startSandbox(spec({ bubblewrap, ...user, source, also: [below], writable: true }))
    await sandbox.turn(sh('mkdir /bot/deep; echo one >/bot/deep/notes; echo two >/tmp/two', { wipe: false }))
    const text = (words: string) => Buffer.from(words).toString('base64')
    expect(await sandbox.files(['/bot'], 1e6)).toEqual([{ bytes: 4, tree: { 'deep/notes': text('one\n') } }])
    const two = { bytes: 4, tree: { two: text('two\n') } }
    const one = { bytes: 4, tree: { 'deep/notes': text('one\n') } }
    expect(await sandbox.files(['/tmp', '/bot', '/nowhere'], 1e6)).toEqual([two, one, { bytes: 0, tree: {} }])
    sandbox.put('/bot', { other: text('three\n') })
    sandbox.put('/tmp', {})
    const seen = await sandbox.turn(sh(`ls /bot /tmp/two ${below}; cat /bot/other`))
    expect(seen.out).toBe(`/bot:\nbot.sh\nother\nstate\n\n${below}:\nours.txt\nthree\n`)
    await sandbox.close()
    rmSync(below, { recursive: true })
  })

  it('shows nothing that counts what the whole machine does, and no terminals to take', async () => {
    const sandbox = await startSandbox(spec({ bubblewrap, ...user, source }))
    const live = 'vmstat interrupts softirqs schedstat zoneinfo cgroups cmdline'
    const { out, end } = await sandbox.turn(
      sh(`cd /proc; for f in ${live}; do test -s $f && echo "$f tells"; done; grep -v '^cpu[0-9]* *[0 ]*$' stat
        find sys -type f | grep -E 'nr$|-nr$|-state$|random/|/pty/'; echo x >sys/vm/overcommit_memory; echo x >/dev/pts/x
        ls /dev/pts; cat /dev/ptmx && echo "a terminal"; cat sys/kernel/ostype; grep -c '^cpu[0-9]' stat`),
    )
    expect(end).toEqual({ code: 0 })
    expect(out).toBe(`Linux\n${cpus().length}\n`)
    await sandbox.close()
  })

  it('tells a turn nothing of when the one before it read its folders', async () => {
    const sandbox = await startSandbox(spec({ bubblewrap, ...user, source }))
    const look = (script: string) => sandbox.turn(sh(`${script}; stat -c %x /tmp /game /dev/shm`))
    await look('echo >/tmp/a; echo >/game/a; echo >/dev/shm/a')
    const before = (await look('true')).out
    await look('sleep 0.01; ls /tmp /game /dev/shm')
    expect((await look('true')).out).toBe(before)
    await sandbox.close()
  })

  it('a million small files do not fit', async () => {
    const sandbox = await startSandbox(
      spec({ bubblewrap, ...user, source, limits: { ...DEFAULT_LIMITS, disk: 65536 } }),
    )
    expect((await sandbox.turn(sh('head -c 100000 /dev/zero >/tmp/x; stat -c %s /tmp/x'))).out).toBe('65536\n')
    await sandbox.close()
  })
})

describe.each(rooms)('a process that stays %s', (_name, more) => {
  async function stay(script: string) {
    const sandbox = await startSandbox(spec({ ...more, pipes: true }))
    const stderr = new StderrTail()
    let out = ''
    const start = (text = script) =>
      new SandboxRunning(sandbox, sh(text), 1e6, stderr, (bytes) => (out += bytes.toString()))
    const until = async (test: () => boolean) => {
      for (let i = 0; i < 500 && !test(); i++) await new Promise((done) => setTimeout(done, 10))
      expect(test()).toBe(true)
    }
    return { sandbox, start, until, stderr, out: () => out }
  }

  it('learns nothing of the run from its descriptors, and can open them again by their names', async () => {
    const script = 'readlink /proc/self/fd/0 /proc/self/fd/1; read line </dev/stdin; echo "$line" >/dev/stdout'
    const bot = await stay(script)
    const running = bot.start()
    running.send(Buffer.from('one\n'))
    expect(await running.ended).toEqual({ code: 0 })
    expect(bot.out()).toMatch(/^pipe:\[\d+\]\npipe:\[\d+\]\none\n$/)
    await bot.sandbox.close()
  })

  it('is asked and answers over its pipes, and tells how it ended', async () => {
    const bot = await stay('echo hello >&2; while read x; do echo "got $x"; [ "$x" = end ] && exit 5; done')
    const running = bot.start()
    running.send(Buffer.from('one\n'))
    await bot.until(() => bot.out() === 'got one\n')
    running.send(Buffer.from('end\n'))
    expect(await running.ended).toEqual({ code: 5 })
    expect(bot.stderr.read()).toBe('hello\n')
    expect(bot.out()).toBe('got one\ngot end\n')
    await bot.sandbox.close()
  })

  it('is bound to a core with all that it has started, and let go again', async () => {
    const cores = coresAllowed()
    const core = cores.at(-1) as number
    const tell = 'grep Cpus_allowed_list /proc/$p/status | cut -f2'
    const bot = await stay(`sleep 100 & while read x; do for p in $$ $!; do ${tell}; done; done; kill $!`)
    const running = bot.start()
    running.send(Buffer.from('one\n'))
    await bot.until(() => bot.out().split('\n').length === 3)
    expect(bot.out()).not.toBe(`${core}\n${core}\n`)
    bot.sandbox.bind(core)
    // Requests are answered in order: it is bound when this resolves.
    await bot.sandbox.files(['/tmp'], 0)
    running.send(Buffer.from('two\n'))
    await bot.until(() => bot.out().split('\n').length === 5)
    expect(bot.out().split('\n').slice(2)).toEqual([String(core), String(core), ''])
    bot.sandbox.bind(undefined)
    await bot.sandbox.files(['/tmp'], 0)
    running.send(Buffer.from('three\n'))
    await bot.until(() => bot.out().split('\n').length === 7)
    expect(bot.out().split('\n').slice(4)).toEqual(bot.out().split('\n').slice(0, 2).concat(''))
    running.endInput()
    await running.ended
    await bot.sandbox.close()
  })

  it('meets the end of its input, and may be followed by another', async () => {
    const bot = await stay('cat; echo bye')
    for (const text of ['one', 'two']) {
      const running = bot.start()
      running.send(Buffer.from(`${text}\n`))
      running.endInput()
      expect(await running.ended).toEqual({ code: 0 })
    }
    expect(bot.out()).toBe('one\nbye\ntwo\nbye\n')
    await bot.sandbox.close()
  })

  it('is killed with its family, and a new one does not hear what it was asked', async () => {
    const bot = await stay('sleep 20 & read x; echo "got $x"; wait')
    const first = bot.start()
    first.send(Buffer.from('one\n'))
    await bot.until(() => bot.out() === 'got one\n')
    first.send(Buffer.from('stale\n'))
    first.kill()
    expect(await first.ended).toEqual({ signal: 'SIGKILL' })
    bot.start().send(Buffer.from('fresh\n'))
    await bot.until(() => bot.out().endsWith('fresh\n'))
    expect(bot.out()).toBe('got one\ngot fresh\n')
    await bot.sandbox.close()
  })

  it('is read to the last byte when asked to, whether its pipe is empty, holds something or is full', async () => {
    const bot = await stay('yes | head -c 300000; while read x; do echo "$x"; done')
    const running = bot.start()
    running.drain()
    await bot.until(() => {
      running.drain()
      return bot.out().length === 300_000
    })
    for (let i = 0; i < 200; i++) running.drain()
    expect(bot.out()).toBe('y\n'.repeat(150_000))
    running.send(Buffer.from('still here\n'))
    await bot.until(() => bot.out().endsWith('still here\n'))
    await bot.sandbox.close()
  })

  it('that writes its standard error byte by byte is read in a few pieces, whole, and up to its end', async () => {
    const bot = await stay('dd if=/dev/zero bs=1 count=100000 >&2 2>/dev/null; echo last >&2')
    const pieces: Buffer[] = []
    bot.stderr.add = (piece) => void pieces.push(Buffer.from(piece))
    const began = performance.now()
    const running = bot.start()
    expect(await running.ended).toEqual({ code: 0 })
    // One in twenty milliseconds, and what lay in the pipe at the end.
    expect(pieces.length).toBeLessThan((performance.now() - began) / 20 + 8)
    expect(Buffer.concat(pieces).length).toBe(100_000 + 5)
    expect(Buffer.concat(pieces).toString().endsWith('last\n')).toBe(true)
    await bot.sandbox.close()
  })

  it('stands still when the time of a watched question is up', async () => {
    const bot = await stay('while :; do echo x; sleep 0.01; done')
    const running = bot.start()
    const late: number[] = []
    running.onLate = ({ question }) => late.push(question)
    running.watch(3, process.hrtime.bigint(), 50)
    await bot.until(() => late.length === 1)
    expect(late).toEqual([3])
    running.drain()
    const before = bot.out().length
    await new Promise((done) => setTimeout(done, 80))
    expect(bot.out().length).toBe(before)
    running.resume()
    await bot.until(() => bot.out().length > before)
    await bot.sandbox.close()
  })

  it('is asked how long it took, where that was long', async () => {
    const bot = await stay('while read x; do sleep 0.05; echo "$x"; done')
    const running = bot.start()
    const clock = new SandboxClock(() => undefined)
    clock.started(running)
    clock.set(1000)
    running.send(Buffer.from('a\n'))
    await bot.until(() => bot.out() === 'a\n')
    const measures = (await clock.off()) as Measures
    expect(measures.wallUs).toBeGreaterThan(49_000)
    expect(measures.chargedUs).toBeLessThanOrEqual(measures.wallUs)
    clock.set(1000)
    expect(clock.off()).toBeUndefined()
    clock.clear()
    await bot.sandbox.close()
  })
})

/** What a C program comes to that keeps its cores busy and never answers. */
describe.runIf(bubblewrap !== undefined)('a family that keeps itself busy', () => {
  const cases = {
    loop: 'for(;;);',
    children: 'for (int i = 0; i < 12; i++) if (!fork()) for(;;); for(;;);',
    threads: 'for (int i = 0; i < 12; i++) { pthread_t t; pthread_create(&t, 0, loop, 0); } for(;;);',
    'one child after the other': 'for(;;) { if (!fork()) { work(); _exit(0); } wait(0); }',
    'one thread after the other': 'for(;;) { pthread_t t; pthread_create(&t, 0, once, 0); pthread_join(t, 0); }',
    'children that no parent waits for':
      'signal(SIGCHLD, SIG_IGN); for(;;) { if (!fork()) { work(); _exit(0); } usleep(1000); }',
    orphans: 'for(;;) { if (!fork()) { if (!fork()) work(); _exit(0); } wait(0); usleep(30000); }',
    'a sleeper beside spinners': 'for (int i = 0; i < 6; i++) if (!fork()) for(;;); pause();',
  }
  const cgroup = makeCgroup(DEFAULT_LIMITS)
  afterAll(() => cgroup?.remove())

  it.each(Object.entries(cases))('is charged for what it uses itself: %s', async (name, body) => {
    const program = join(folder, name.replaceAll(' ', '-'))
    const work = 'for (volatile long i = 0; i < 10000000; i++);'
    writeFileSync(
      `${program}.c`,
      `#include <pthread.h>\n#include <signal.h>\n#include <sys/wait.h>\n#include <unistd.h>
       void work(void) { ${work} } void *once(void *x) { work(); return x; } void *loop(void *x) { for(;;); return x; }
       int main(void) { ${body} }`,
    )
    execFileSync('cc', ['-O1', '-w', '-pthread', '-o', program, `${program}.c`])
    chmodSync(program, 0o755)
    const sandbox = await startSandbox({
      ...spec({
        also: [folder],
        core: 0,
        cgroup: cgroup && { ...cgroup, memory: false, remove: async () => undefined },
      }),
    })
    const used = () =>
      cgroup?.cpu?.endsWith('cpuacct.usage') ? Number(readFileSync(cgroup.cpu, 'utf8')) / 1000 : undefined
    const before = used() ?? 0
    const result = await sandbox.turn(sh('', { argv: [program], folder, limit: 400 }))
    const cpu = used() === undefined ? result.cpuUs : (used() as number) - before
    // On one core, no other process ran while the family did; what strangers took is not known.
    expect(result.chargedUs).toBeGreaterThanOrEqual(0.8 * Math.min(cpu, result.wallUs) - 20_000)
    expect(['time', 'busy']).toContain(result.stop)
    if (result.stop === 'time') expect(result.chargedUs).toBeGreaterThanOrEqual(400_000)
    else expect(result.wallUs).toBeGreaterThanOrEqual(2_200_000)
    await sandbox.close()
  })

  it('sleeping or deadlocked it is late at its limit, whatever else the machine does', async () => {
    const sandbox = await startSandbox(spec())
    const result = await sandbox.turn(sh('sleep 30', { limit: 150 }))
    expect(result.stop).toBe('time')
    await sandbox.close()
  })
})

describe.runIf(bubblewrap !== undefined)('the launcher', () => {
  const inside = '--ro-bind / / --proc /proc --dev /dev --unshare-all --die-with-parent --as-pid-1'.split(' ')
  const words = [...inside, launcher, 'sandbox']
  const run = (input: Buffer) => spawnSync(bubblewrap ?? '', words, { input, timeout: 10_000 })

  it('is no sandbox outside a namespace of its own', () => {
    const { status, stderr } = spawnSync(launcher, ['sandbox'], { encoding: 'utf8' })
    expect([status, stderr]).toEqual([70, expect.stringContaining('process 1 of a namespace of its own')])
  })

  it('takes frames however they are torn, and answers each', async () => {
    const turns = Buffer.concat([1, 2].map((id) => Buffer.from(requestFrame('T', id, sh(`echo B${id}`)))))
    const cuts = fc.array(fc.nat(turns.length), { maxLength: 6 })
    await fc.assert(
      fc.asyncProperty(cuts, async (places) => {
        const child = spawn(bubblewrap ?? '', words)
        let output = ''
        const answered = new Promise<void>((done) => {
          child.stdout.on('data', (chunk: Buffer) => {
            output += chunk.toString('latin1')
            if (output.includes('B2\n')) done()
          })
        })
        const ends = [...places.sort((a, b) => a - b), turns.length]
        for (const [i, end] of ends.entries()) {
          child.stdin.write(turns.subarray(ends[i - 1] ?? 0, end))
          await new Promise((done) => setTimeout(done, 3))
        }
        await answered
        expect(output).toContain('B1\n')
        child.stdin.end()
      }),
      { numRuns: 15 },
    )
  })

  it('ends with a word for frames that are none', () => {
    fc.assert(
      fc.property(fc.uint8Array({ minLength: 6, maxLength: 200 }), (junk) => {
        const made = run(Buffer.from(junk))
        expect([0, 70]).toContain(made.status)
        expect(made.signal).toBeNull()
      }),
      { numRuns: 100 },
    )
    expect(run(Buffer.from([0xff, 0xff, 0xff, 0xff, 0x54])).status).toBe(70)
    expect(run(frame('T', Buffer.alloc(20))).status).toBe(70)
    const lying = Buffer.from(requestFrame('T', 1, sh('')))
    lying.writeUInt32LE(0x7fffffff, 29)
    expect(run(lying).status).toBe(70)
  })

  it('answers a frame of many megabytes', () => {
    const input = 'x'.repeat(20 * 1024 ** 2)
    // The end of what it is asked is its own end.
    const made = spawnSync('sh', ['-c', '(cat; sleep 2) | "$0" "$@"', bubblewrap ?? '', ...words], {
      input: requestFrame('T', 1, sh('wc -c', { input, limit: 20_000 })),
    })
    expect(made.stdout.includes(`${input.length}\n`)).toBe(true)
  })
})
