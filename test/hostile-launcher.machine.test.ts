import { execFile, execFileSync, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { findIsolation } from '../src/sandbox/doctor.js'
import { type Turn, frame, requestFrame } from '../src/sandbox/frames.js'
import { COMPILERS, compilerArguments } from '../src/sandbox/launcher.js'
import { REQUESTS } from '../src/sandbox/protocol.js'

/*
 * The launcher with the address and undefined-behaviour sanitizers, which end it with a code of their own where it reads or writes what it
 * must not: under frames that are junk, cut off or lie, and through a whole contest, which has to come to the same as without them.
 */
/** How often: `npm run test:hostile` (all), `AGON_HOSTILE=long`, or a short run. */
const effort = process.env['AGON_HOSTILE'] ?? ''
const often = (all: number, long: number, short: number): number =>
  effort === 'all' ? all : effort === 'long' ? long : short
const root = fileURLToPath(new URL('..', import.meta.url))
const { launcher = '', program: bubblewrap } = await findIsolation()
const folder = mkdtempSync(join(tmpdir(), 'agon-launcher-'))
const sanitized = join(folder, 'launcher')
const REPORTED = 99
const started = promisify(execFile)

/*
 * The options of the sanitizers are compiled in: a sandbox hands on no environment. Their shadow is more than any limit of memory allows, so
 * that limit is left out; leaks are not looked for, which takes ptrace.
 */
const SETTINGS = `
#define _GNU_SOURCE
#include <sys/resource.h>
const char *__asan_default_options(void);
const char *__ubsan_default_options(void);
int __real_setrlimit(__rlimit_resource_t resource, const struct rlimit *limit);
int __wrap_setrlimit(__rlimit_resource_t resource, const struct rlimit *limit);
const char *__asan_default_options(void) { return "detect_leaks=0:symbolize=0:exitcode=${REPORTED}"; }
const char *__ubsan_default_options(void) { return "symbolize=0:exitcode=${REPORTED}"; }
int __wrap_setrlimit(__rlimit_resource_t resource, const struct rlimit *limit) {
    return resource == RLIMIT_DATA ? 0 : __real_setrlimit(resource, limit);
}
`
const STRICT = ['-Wall', '-Wextra', '-Werror']
const SANITIZED =
  `-O1 -g -fsanitize=address,undefined -fno-sanitize-recover=all -fno-omit-frame-pointer -static-libasan -static-libubsan
  -Wl,--wrap=setrlimit`.split(/\s+/)

beforeAll(() => {
  const settings = join(folder, 'settings.c')
  writeFileSync(settings, SETTINGS)
  execFileSync('cc', compilerArguments([...STRICT, ...SANITIZED, settings], sanitized))
})
afterAll(() => rmSync(folder, { recursive: true, force: true }))

it('is compiled without a warning by the first compiler that can, as the build does', { timeout: 300_000 }, () => {
  const compiled = COMPILERS.map(([compiler = '', ...options]) => () => {
    const words = compilerArguments([...options, ...STRICT], join(folder, 'strict'))
    const { error, stderr } = spawnSync(compiler, words, { encoding: 'utf8' })
    return error === undefined && !/unrecognized|unknown|cannot find/.test(stderr) ? stderr : undefined
  })
  const first = compiled.reduce<string | undefined>((found, compile) => found ?? compile(), undefined)
  expect(first).toBe('')
})

/**
 * A launcher that reads these bytes; what they have it do, they do to a room of its own, which has nothing to lose. The end of what it
 * is asked is its own end: that comes when it has said `last`, or a while after it was asked.
 */
async function read(input: Buffer, last?: string) {
  const system = ['bin', 'lib', 'lib64'].flatMap((name) => ['--symlink', `usr/${name}`, `/${name}`])
  const room = `--ro-bind /usr /usr --dev /dev --proc /proc --dir /tmp --dir /var --unshare-all --die-with-parent --cap-drop ALL
    --as-pid-1 --ro-bind ${sanitized} /agon/launcher`
  const words = [...room.split(/\s+/), ...system, '/agon/launcher', 'sandbox', '--private', '/var']
  const child = spawn(bubblewrap ?? '', words, { timeout: 60_000 })
  const output = { out: '', err: '' }
  child.stdin.on('error', () => undefined)
  child.stdin.write(input)
  if (last === undefined) setTimeout(() => child.stdin.end(), 50)
  child.stdout.on('data', (chunk: Buffer) => {
    output.out += chunk.toString('latin1')
    if (last !== undefined && output.out.includes(last)) child.stdin.end()
  })
  child.stderr.on('data', (chunk: Buffer) => (output.err += chunk.toString('latin1')))
  const [status, signal] = (await once(child, 'close')) as [number | null, string | null]
  return { status, signal, ...output }
}

const start = (kind: 'T' | 'S' | 'I', more: Partial<Turn>): Buffer => {
  const command = { argv: ['/bin/echo', 'x'], env: { PATH: '/usr/bin:/bin' }, folder: '/', wipe: true }
  const turn = {
    ...command,
    limit: 1000,
    output: 1000,
    errors: 1000,
    file: { path: '/tmp/game/a.txt', content: 'abc' },
  }
  // What it is written in is used again.
  return Buffer.from(requestFrame(kind, 3, { ...turn, ...more }))
}
/** Requests as agon sends them: programs that are there and are not, with input, a file, a warm parent; and trees. */
const PROPER = [
  start(REQUESTS.turn, { input: 'input' }),
  start(REQUESTS.turn, { argv: ['/none'], warm: true }),
  start(REQUESTS.start, {}),
  start(REQUESTS.warm, {}),
  frame(REQUESTS.kill, Buffer.from([3, 0, 0, 0])),
  frame(REQUESTS.watch, Buffer.concat([Buffer.from([3, 0, 0, 0]), Buffer.alloc(20)])),
  frame(REQUESTS.put, Buffer.from('/tmp\0\x05\0\0\0\x03\0\0\0a/b/cxyz', 'latin1')),
  frame(REQUESTS.files, Buffer.from('\x00\x10\0\0/tmp\0', 'latin1')),
]

const bytes = (most: number) => fc.uint8Array({ maxLength: most }).map((array) => Buffer.from(array))
const kind = fc.constantFrom(...Object.values(REQUESTS), '?', '\0')
/** A request as it is, with bytes of its body set to others, cut off with a length that says so, or of bytes by chance. */
const request = fc.oneof(
  fc.constantFrom(...PROPER),
  fc
    .tuple(
      fc.constantFrom(...PROPER),
      fc.array(fc.tuple(fc.nat(), fc.constantFrom(0, 1, 0x2f, 0x7f, 0x80, 0xff)), { maxLength: 4 }),
    )
    .map(([proper, changes]) => {
      const bent = Buffer.from(proper)
      for (const [at, value] of changes) bent[5 + (at % (bent.length - 5))] = value
      return bent
    }),
  fc.tuple(fc.constantFrom(...PROPER), fc.nat()).map(([proper, at]) => {
    const body = proper.subarray(5, 5 + (at % (proper.length - 5)))
    return frame(proper.toString('latin1', 4, 5), body)
  }),
  fc.tuple(kind, bytes(60)).map(([letter, body]) => frame(letter, body)),
)
const stream = fc
  .tuple(fc.array(request, { minLength: 1, maxLength: 6 }), bytes(6))
  .map(([all, end]) => Buffer.concat([...all, end]))

describe.skipIf(bubblewrap === undefined)('the launcher with sanitizers', () => {
  it('answers proper requests', async () => {
    // Two turns have ended, one of which was started and said its word, and the tree is there as it was put.
    const { status, out, err } = await read(Buffer.concat(PROPER), 'a/b/cxyz')
    expect([status, err]).toEqual([0, ''])
    expect(out).toContain('x\nabc')
    expect(out).toContain('a/b/cxyz')
  })

  it('reads nothing beyond frames that are junk, cut off or lie', { timeout: 600_000 }, async () => {
    const judged = fc.asyncProperty(stream, async (input) => {
      const { status, signal, err } = await read(input)
      expect([status, signal, err]).toEqual(
        status === 0 ? [0, null, ''] : [70, null, expect.stringMatching(/^launcher: [^\n]+\n$/)],
      )
    })
    // They wait more than they compute.
    const lane = () => fc.assert(judged, { numRuns: often(500, 120, 25) })
    await Promise.all(Array.from({ length: 4 }, lane))
  })

  it('plays a whole contest as it does without them', { timeout: 600_000 }, async () => {
    // They wait more than they compute.
    const [plain, same] = await Promise.all([play('plain', launcher), play('sanitized', sanitized)])
    expect(same).toEqual(plain)
    // All that was to happen has happened.
    const faults = JSON.stringify(plain.records).match(/timeout|crash|flood/g)
    expect(new Set(faults)).toEqual(new Set(['timeout', 'crash', 'flood']))
  })
})

/** Programs for Samurai by file, each with a part of the launcher that it takes; what is not B in time is a fault. */
const BOTS: Readonly<Record<string, readonly [program: string, text: string]>> = {
  'bows.sh': ['sh', '[ "$#" -lt 6 ] && echo B || echo O'],
  'warm.py': ['python3', 'import sys\nprint("B" if len(sys.argv[1]) % 3 else "G")'],
  'slow.sh': ['sh', 'echo note >&2; sleep 0.02; mkdir -p /tmp/a/b; echo x >/tmp/a/b/c; echo B'],
  'crashes.sh': ['sh', 'sleep 9 & [ "${#1}" = 3 ] && kill -9 $$; [ "${#1}" = 5 ] && exit 3; echo B'],
  'floods.sh': ['sh', '[ "${#1}" = 4 ] && exec yes; [ "${#1}" = 6 ] && exec yes >&2; echo B'],
  'late.sh': ['sh', '[ "${#1}" = 2 ] && sleep 9; echo B'],
}
const STAYS = `import json, sys, time, os
turns = 0
for line in sys.stdin:
    said = json.loads(line)
    if said['type'] == 'start': turns = 0
    if said['type'] != 'ask': continue
    turns += 1
    sys.stderr.write('note\\n')
    if turns == 3: time.sleep(0.05)
    if turns == 5: time.sleep(9)
    if turns == 8: os.abort()
    print(json.dumps({'action': said['legal'][0]}), flush=True)
`

interface Played {
  readonly key: string
  readonly steps: unknown
}

/** A contest of all of them with a launcher, by an installation of agon that has it: its table, and its records without times. */
async function play(name: string, program: string): Promise<{ table: string; records: readonly Played[] }> {
  const home = join(folder, name)
  mkdirSync(home)
  cpSync(join(root, 'dist'), join(home, 'dist'), { recursive: true })
  cpSync(join(root, 'package.json'), join(home, 'package.json'))
  const built = join(home, 'dist', 'sandbox', 'launcher', `launcher-${process.arch}`)
  expect(existsSync(built), 'the launcher that this installation uses').toBe(true)
  cpSync(program, built)
  symlinkSync(join(root, 'node_modules'), join(home, 'node_modules'))
  const entrants = Object.entries(BOTS).map(([file, [runner, text]]) => {
    writeFileSync(join(home, file), `${text}\n`)
    return `[[entrants]]\nname = "${file}"\ncommand = ["${runner}", "${file}"]\n`
  })
  writeFileSync(join(home, 'stays.py'), STAYS)
  entrants.push('[[entrants]]\nname = "stays"\ncommand = ["python3", "stays.py"]\nwire = "jsonl"\n')
  const head = `title = "all"\ngame = "samurai"\nseed = "the same seed for both of them"
[options]\nturns = 10\n[limits]\nturn = 1500\n[format]\nkind = "round-robin"\nrepetitions = ${often(4, 2, 1)}\n`
  writeFileSync(join(home, 'all.toml'), head + entrants.join(''))
  const agon = join(home, 'dist', 'bundle', 'main.js')
  await started(process.execPath, [agon, 'run', 'all.toml', '--out', 'out', '--workspace', 'work'], { cwd: home })
  const records = readFileSync(join(home, 'out', 'records.jsonl'), 'utf8')
    .trim()
    .split('\n')
  return {
    table: readFileSync(join(home, 'out', 'standings.csv'), 'utf8'),
    records: records.map((line) => {
      const { key, steps } = JSON.parse(line) as Played
      return { key, steps }
    }),
  }
}
