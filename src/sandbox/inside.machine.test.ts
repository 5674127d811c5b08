import { execFileSync, spawnSync } from 'node:child_process'
import {
  chmodSync,
  cpSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  readdirSync,
  readlinkSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Worker } from 'node:worker_threads'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { turnOf } from '../../test/kit/turns.js'
import { startSandbox } from './sandbox.js'
import type { SandboxSpec } from './sandbox-spec.js'
import { makeCgroup } from './cgroups.js'
import { findIsolation } from './doctor.js'
import type { Turn } from './frames.js'
import { interpreterEnvironment } from './warm.js'
import { type SandboxLimits, DEFAULT_LIMITS } from './limits.js'

/** What docs/sandbox.md says that a bot finds in its sandbox, and cannot do there, as root and as an ordinary user. */
const { launcher = '', program: bubblewrap, facts } = await findIsolation()
const place = mkdtempSync(join(tmpdir(), 'agon-inside-'))
const source = join(place, 'source')
const root = process.getuid?.() === 0
const MARK = `inside${process.pid}`

/** Calls of the 32-bit table, and of x32's. */
const OTHER_CALLS = `
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>
int main(int argc, char **argv) {
    if (argc > 1 && !strcmp(argv[1], "x32")) return syscall(0x40000000 | SYS_getpid) == -1 && errno == ENOSYS ? 0 : 1;
    int got;
    __asm__ volatile("int $0x80" : "=a"(got) : "a"(20));
    return got > 0 ? 1 : 2;
}
`
/** Prints in which folders it can make files, and which files it can open to write. */
const WRITES = String.raw`
use strict; use File::Find; use Fcntl;
my %seen;
find({ no_chdir => 1, preprocess => sub {
    my $depth = () = $File::Find::dir =~ m{/}g;
    return () if $depth > 3 && $File::Find::dir =~ m{^/usr};
    return () if $File::Find::dir =~ m{^/proc/\d+/(?:fd|task|map_files|ns|net)$} || $File::Find::dir =~ m{^/proc/(?:1|self|thread-self)/cwd};
    return @_;
  }, wanted => sub {
    my $path = $_;
    if (-d $path) { if (sysopen my $f, "$path/.agon-wrote", O_WRONLY | O_CREAT) { print "folder $path\n"; unlink "$path/.agon-wrote" } return }
    return if -l $path;
    my @stat = stat $path or return;
    # The null device, under whatever name.
    return if ($stat[2] & 0170000) == 0020000 && $stat[6] == 0x103;
    my $mode = ($stat[2] & 0170000) == 0020000 ? 'device' : 'file';
    sysopen my $f, $path, O_WRONLY | O_NONBLOCK or return;
    $path =~ s{^/proc/\d+}{/proc/N};
    print "$mode $path\n" unless $seen{$path}++;
  } }, '/');
`

beforeAll(() => {
  chmodSync(place, 0o755)
  mkdirSync(source)
  cpSync(launcher, join(place, 'launcher'))
  writeFileSync(join(source, 'writes.pl'), WRITES)
  writeFileSync(join(place, 'calls.c'), OTHER_CALLS)
  if (process.arch === 'x64') execFileSync('cc', ['-O1', '-o', join(source, 'calls'), join(place, 'calls.c')])
})
afterAll(() => rmSync(place, { recursive: true, force: true }))

/** What cksum says of nothing. */
const EMPTY = '4294967295'
const SMALL: SandboxLimits = { ...DEFAULT_LIMITS, memory: 128 * 1024 ** 2, processes: 12, files: 40, disk: 65_536 }
const cgroup = root ? makeCgroup(SMALL) : undefined
afterAll(() => cgroup?.remove())

const spec = (more: Partial<SandboxSpec> = {}): SandboxSpec => ({
  launcher,
  bubblewrap: bubblewrap ?? '',
  source,
  also: [],
  tools: {},
  limits: DEFAULT_LIMITS,
  ...more,
})
const USERS: readonly (readonly [string, () => Partial<SandboxSpec>])[] = [
  ...(root ? [['as root', () => ({ user: 1_700_000_004 })] as const] : []),
  [
    'as an ordinary user',
    () =>
      root
        ? {
            launcher: join(place, 'launcher'),
            prefix: ['/usr/bin/setpriv', '--reuid=65534', '--regid=65534', '--clear-groups'],
          }
        : {},
  ],
]
const sh = (script: string, more: Partial<Turn> = {}): Turn => turnOf(['/bin/bash', '-c', script], more)
/** What a script prints in a new sandbox. */
async function outputOf(more: Partial<SandboxSpec>, asked: Turn): Promise<string> {
  const sandbox = await startSandbox(spec(more))
  try {
    const { out, stderr } = await sandbox.turn(asked)
    return out + stderr.toString()
  } finally {
    await sandbox.close()
  }
}

describe.runIf(bubblewrap !== undefined).each(USERS)('in a sandbox, %s', (_user, more) => {
  it('a bot has no rights, and namespaces and a host name of its own', async () => {
    const text = await outputOf(
      more(),
      sh('id -u; id -G; uname -n; grep -E "^(Cap|NoNew|Seccomp:)" /proc/self/status; readlink /proc/self/ns/*'),
    )
    const [user, groups, host, ...lines] = text.trim().split('\n')
    expect([user, groups, host]).toEqual(['1000', '1000', 'sandbox'])
    const none = '0'.repeat(16)
    const status = ['Inh', 'Prm', 'Eff', 'Bnd', 'Amb'].map((set) => `Cap${set}:\t${none}`)
    expect(lines.slice(0, 7)).toEqual([...status, 'NoNewPrivs:\t1', 'Seccomp:\t2'])
    const spaces = lines.slice(7)
    for (const name of ['cgroup', 'ipc', 'mnt', 'net', 'pid', 'user', 'uts']) {
      const own = spaces.find((line) => line.startsWith(`${name}:`))
      expect([name, own]).not.toEqual([name, readlinkSync(`/proc/self/ns/${name}`)])
      expect([name, own]).toEqual([name, expect.stringMatching(/\d/)])
    }
  })

  it('a bot can write in its private folders, and nowhere else', async () => {
    const wrote = (await outputOf(more(), turnOf(['/usr/bin/perl', '/bot/writes.pl']))).trim().split('\n').sort()
    const devices = ['/dev/full', '/dev/random', '/dev/urandom'].map((path) => `device ${path}`)
    expect(wrote).toEqual([...devices, ...['/dev/shm', '/game', '/tmp'].map((path) => `folder ${path}`)].sort())
    const beside = await outputOf({ ...more(), writable: true }, turnOf(['/usr/bin/perl', '/bot/writes.pl']))
    expect(beside).toContain('folder /bot\n')
    expect(beside).not.toMatch(/file \/(?!bot\/\.)/)
  })

  it('of what the machine does, /proc tells its load, its memory and its age, and nothing else', async () => {
    const look = `find /proc -type f -readable -not -path '/proc/[0-9]*' -not -path '/proc/self/*' -not -path '/proc/thread-self/*' \
      -not -name kallsyms -exec sh -c 'for f; do echo "$f $(head -c 300000 "$f" 2>/dev/null | cksum)"; done' sh {} +`
    const sandbox = await startSandbox(spec(more()))
    const listed = async () =>
      new Map(
        (await sandbox.turn(sh(look))).out
          .trim()
          .split('\n')
          .map((line) => line.split(' ', 2) as [string, string]),
      )
    const before = await listed()
    // On the host something is written, read and waited for.
    for (let i = 0; i < 5; i++) {
      execFileSync('sh', ['-c', 'head -c 3000000 /dev/urandom >"$0" && sync "$0" && wc -c <"$0"', join(place, 'busy')])
      await new Promise((done) => setTimeout(done, 300))
    }
    const after = await listed()
    await sandbox.close()
    expect(before.size).toBeGreaterThan(20)
    const live = [...after].filter(([path, sum]) => before.get(path) !== sum).map(([path]) => path)
    const known = new Set(['/proc/loadavg', '/proc/meminfo', '/proc/uptime'])
    expect(live.filter((path) => !known.has(path))).toEqual([])
    expect(live).toContain('/proc/uptime')
    const hidden = new Set([
      'buddyinfo',
      'cmdline',
      'diskstats',
      'interrupts',
      'partitions',
      'swaps',
      'vmstat',
      'bus',
      'fs',
      'irq',
      'pressure',
    ])
    const shown = [...after].filter(([path, sum]) => hidden.has(path.split('/')[2] ?? '') && sum !== EMPTY)
    expect(shown).toEqual([])
  })

  it('each folder that a bot can write has a size of its own', async () => {
    const fill =
      'for d in /tmp /game /dev/shm /bot; do head -c 100000 /dev/zero >$d/x; stat -c "$d %s" $d/x; done 2>/dev/null'
    const text = await outputOf({ ...more(), writable: true, limits: SMALL }, sh(`${fill}; :`))
    expect(text).toBe('/tmp 65536\n/game 65536\n/dev/shm 65536\n/bot 65536\n')
    // Several files have no more room than one.
    const many = await outputOf(
      { ...more(), limits: SMALL },
      sh('for i in 1 2 3; do head -c 40000 /dev/zero >/tmp/$i; done 2>/dev/null; du -sb /tmp/?'),
    )
    const sizes = [...many.matchAll(/^(\d+)/gm)].map(([, size]) => Number(size))
    expect(sizes.reduce((sum, size) => sum + size, 0)).toBeLessThanOrEqual(65_536)
    expect(sizes).toHaveLength(3)
  })

  it('what lies outside /usr and is shown is found at its own path, and cannot be written', async () => {
    const tools = join(place, 'tools')
    mkdirSync(tools, { recursive: true })
    writeFileSync(join(tools, 'tool'), '#!/bin/sh\necho tool\n', { mode: 0o777 })
    chmodSync(tools, 0o777)
    const script = `${tools}/tool; echo x 2>/dev/null >${tools}/tool || echo no; echo x 2>/dev/null >${tools}/new || echo no; ls ${place}`
    expect(await outputOf({ ...more(), also: [tools] }, sh(`{ ${script}; } 2>/dev/null`))).toBe('tool\nno\nno\ntools\n')
  })

  it('a state folder keeps no path of 4,000 bytes', async () => {
    const state = { state: { folder: 'state', bytes: 100_000 } }
    const sandbox = await startSandbox(spec({ ...more(), ...state }))
    const dig =
      'cd /bot/state; echo x >kept; for i in $(seq 20); do d=$(printf %0200d $i); mkdir $d && cd -P $d; done; echo x >file'
    expect((await sandbox.turn(sh(dig))).end).toEqual({ code: 0 })
    expect((await sandbox.turn(sh('cd /bot/state; find . -type f'))).out).toBe('./kept\n')
    await sandbox.close()
  })

  it('processes, open files and memory end at their limits', async () => {
    const limited = { ...more(), limits: SMALL }
    const groups =
      more().prefix === undefined && cgroup
        ? { cgroup: { ...cgroup, cpu: undefined, remove: async () => undefined } }
        : {}
    const forks = `my $n = 0; for (1 .. 60) { my $pid = fork; last unless defined $pid; if (!$pid) { sleep 60; exit } $n++ } print $n`
    const made = Number(await outputOf({ ...limited, ...groups }, turnOf(['/usr/bin/perl', '-e', forks])))
    expect(made).toBeGreaterThan(3)
    expect(made).toBeLessThan(SMALL.processes)
    const opens = `my @f; while (open my $f, '<', '/dev/null') { push @f, $f } print scalar(@f), " ", $! + 0`
    const [files = 0, why] = (await outputOf(limited, turnOf(['/usr/bin/perl', '-e', opens]))).split(' ').map(Number)
    expect([files > 20, files < SMALL.files, why]).toEqual([true, true, 24])
    const takes = (mebibytes: number) =>
      outputOf(
        { ...limited, ...groups },
        turnOf(['/usr/bin/perl', '-e', `my $x = 'x' x (${mebibytes} << 20); print length $x`]),
      )
    expect(await takes(16)).toBe(String(16 << 20))
    expect(await takes(192)).not.toContain(String(192 << 20))
  })

  it.runIf(process.arch === 'x64')('calls of another architecture end a program, and x32’s do not exist', async () => {
    const sandbox = await startSandbox(spec(more()))
    // Some kernels have no calls of 32 bits: the processor refuses them then.
    const signal = spawnSync(join(source, 'calls')).signal === 'SIGSEGV' ? 'SIGSEGV' : 'SIGSYS'
    expect((await sandbox.turn(turnOf(['/bot/calls']))).end).toEqual({ signal })
    expect((await sandbox.turn(turnOf(['/bot/calls', 'x32']))).end).toEqual({ code: 0 })
    await sandbox.close()
  })

  it('a bot sees and reaches nothing of another that runs at the same time', async () => {
    const one = await startSandbox(spec(more()))
    const two = await startSandbox(spec(more()))
    const waits = `use Socket; socket(my $s, PF_UNIX, SOCK_STREAM, 0); bind($s, pack('S a*', AF_UNIX, "\\0${MARK}")) or die $!;
      listen $s, 1; for ('/tmp', '/dev/shm', '/game') { open my $f, '>', "$_/${MARK}" or die $! } sleep 60`
    const waiting = one.turn(turnOf(['/usr/bin/perl', '-e', waits, MARK], { wipe: false }))
    const pid = await listening()
    const look = `use Socket; socket(my $s, PF_UNIX, SOCK_STREAM, 0); print connect($s, pack('S a*', AF_UNIX, "\\0${MARK}")) ? 'met' : $! + 0, "\\n";
      print scalar(grep { -e "$_/${MARK}" } '/tmp', '/dev/shm', '/game'), "\\n"; my @p = grep { /^\\d+$/ } map { s{/proc/}{}r } glob '/proc/*'; print "@p[0 .. 9]" =~ s/ +$//r, "\\n";
      print kill(0, ${pid}), "\\n"`
    const { out } = await two.turn(turnOf(['/usr/bin/perl', '-e', look]))
    const [met, files, processes = '', killed] = out.split('\n')
    expect([met, files, killed]).toEqual(['111', '0', '0'])
    // The launcher, and the one that looks.
    expect(processes.split(' ')).toHaveLength(2)
    expect(readdirSync(`/proc/${pid}`)).toContain('stat')
    one.kill()
    await waiting
    await Promise.all([one.close(), two.close()])
  })

  it('its guard is in a session of its own and heeds no signal of a terminal', async () => {
    const sandbox = await startSandbox(spec(more()))
    const guard = sandbox.pid as number
    const stat = readFileSync(`/proc/${guard}/stat`, 'latin1')
    expect(Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[3])).toBe(guard)
    for (const signal of ['SIGHUP', 'SIGINT', 'SIGQUIT', 'SIGTSTP', 'SIGUSR1'] as const) process.kill(guard, signal)
    expect((await sandbox.turn(sh('echo here'))).out).toBe('here\n')
    process.kill(guard, 'SIGTERM')
    await expect.poll(() => sandbox.gone, { timeout: 60_000 }).toBe(true)
  })

  it('ends with the thread of agon that opened it', async () => {
    const opens = `
      const { parentPort, workerData } = require('node:worker_threads')
      import('tsx/esm/api').then(async ({ tsImport }) => {
        const { startSandbox } = await tsImport(workerData.module, workerData.module)
        parentPort.postMessage((await startSandbox(workerData.spec)).pid)
      })`
    const module = new URL('sandbox.ts', import.meta.url).href
    const thread = new Worker(opens, { eval: true, workerData: { module, spec: spec(more()) } })
    const pid = await new Promise<number>((done, failed) => {
      thread.once('message', done)
      thread.once('error', failed)
    })
    const isThere = () => readdirSync('/proc').includes(String(pid)) && !/^State:\s+Z/m.test(statusOf(pid))
    expect(isThere()).toBe(true)
    await thread.terminate()
    await expect.poll(isThere, { timeout: 60_000 }).toBe(false)
  })
})

const statusOf = (pid: number): string => {
  try {
    return readFileSync(`/proc/${pid}/status`, 'latin1')
  } catch {
    return ''
  }
}

/** The host's number of the program that carries the mark, once it listens and has made its files. */
async function listening(): Promise<number> {
  for (let i = 0; i < 2000; i++) {
    for (const pid of readdirSync('/proc').filter((name) => /^\d+$/.test(name))) {
      try {
        if (!readFileSync(`/proc/${pid}/cmdline`, 'latin1').endsWith(`\0${MARK}\0`)) continue
        if (
          readFileSync(`/proc/${pid}/net/unix`, 'latin1').includes(`@${MARK}`) &&
          readFileSync(`/proc/${pid}/wchan`, 'latin1') !== ''
        )
          return Number(pid)
      } catch {
        // It has ended.
      }
    }
    await new Promise((done) => setTimeout(done, 10))
  }
  throw new Error('nothing listens')
}

it('Python has one order of sets, and no other sign of it', () => {
  expect(interpreterEnvironment(['/usr/bin/python3', '/bot/bot.py'])).toEqual({ PYTHONHASHSEED: '0' })
  expect(interpreterEnvironment(['/bin/sh', '/bot/bot.sh'])).toEqual({})
})

it('limits are by default what the docs say', () => {
  const text = readFileSync(new URL('../../docs/sandbox.md', import.meta.url), 'utf8')
  const units: Readonly<Record<string, number>> = { KiB: 1024, MiB: 1024 ** 2, GiB: 1024 ** 3 }
  const limits = [...text.matchAll(/^\| `(\w+)` \| [^|]+ \| (\d+)(?: (\wiB))? \|$/gm)].map(([, name, n, unit]) => [
    name,
    Number(n) * (units[unit ?? ''] ?? 1),
  ])
  expect(Object.fromEntries(limits)).toEqual({ ...DEFAULT_LIMITS, output: 64 * 1024 })
})

it.runIf(bubblewrap !== undefined && facts !== undefined)(
  'a turn of less than 2 ms is charged its wall time',
  async () => {
    const sandbox = await startSandbox(spec(USERS[0]?.[1]()))
    let short = 0
    for (let i = 0; i < 2000 && short < 5; i++) {
      const { wallUs, chargedUs } = await sandbox.turn(turnOf(['/bin/true']))
      if (wallUs >= 2000) continue
      short++
      expect(chargedUs).toBe(wallUs)
    }
    expect(short).toBe(5)
    await sandbox.close()
  },
)
