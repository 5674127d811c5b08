import { execFileSync, spawn } from 'node:child_process'
import {
  chmodSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  readdirSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { createServer, type Server } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type FaultKind, type MatchRecord, matchLuck, wiresOf } from '../../src/core/index.js'
import { type SandboxMaker, DEFAULT_LIMITS, type Isolation, findIsolation } from '../../src/sandbox/index.js'
import { type Seatable, BotFactory, untilCalm } from '../../src/engine/index.js'
import { games } from '../../src/games/index.js'
import { type Judged, judge, playMatch } from '../../src/match/index.js'

const VICES = fileURLToPath(new URL('../vices/hostile', import.meta.url))
/** How often they are tried: `npm run test:hostile` (all) repeats most, `AGON_HOSTILE=long` more than `npm run test:machine`, which CI runs. */
const EFFORT = process.env['AGON_HOSTILE'] ?? ''
const LONG = ['long', 'all'].includes(EFFORT)
/** Turns of a match with a vice, and those in which the host's memory is looked at. */
const TURNS = EFFORT === 'all' ? 20 : LONG ? 6 : 3
const GROWTH = EFFORT === 'all' ? 1000 : LONG ? 300 : 30
const LIMIT = 300
/** The same for what is not to come too late: to start many programs, or to touch much memory, takes long on some machines. */
const AMPLE = 10_000
/** Milliseconds that late.pl takes before it answers. */
const LATE = 301
const MARK = `hostile${process.pid}`

/** The faults that a vice may come to, by their words; none: it is held without one. */
interface Vice {
  readonly faults?: readonly FaultKind[]
  /** It must have a fault in each turn. */
  readonly always?: boolean
  readonly why?: RegExp
}
const held: Vice = {}
const VICE: Readonly<Record<string, Vice>> = {
  'forks.sh': { faults: ['timeout', 'crash', 'flood', 'silent'] },
  'memory.pl': { faults: ['crash', 'silent'], always: true },
  'lines.sh': { faults: ['flood'], always: true, why: /printed more than 65536 bytes/ },
  'stream.pl': { faults: ['flood'], always: true },
  'errors.sh': { faults: ['flood'], always: true, why: /standard error/ },
  'errors-stream.pl': { faults: ['flood'], always: true },
  'deaf.pl': { faults: ['timeout'], always: true, why: /did not end within/ },
  'stops.sh': { faults: ['timeout'], always: true },
  'closes.pl': { faults: ['timeout'], always: true },
  'daemon.pl': held,
  threads: { faults: ['timeout'] },
  'late.pl': { faults: ['timeout'], always: true },
  'hour.sh': { faults: ['timeout'], always: true },
  'fills.pl': { faults: ['timeout', 'crash'] },
  'files.pl': { faults: ['timeout'] },
  'reads.sh': held,
  'network.pl': { faults: ['timeout'] },
  'binds.pl': held,
  'signals.sh': { faults: ['crash', 'silent', 'timeout'] },
  'ptrace.pl': held,
  'mounts.pl': held,
  'clock.sh': held,
  'limits.pl': held,
  'busy.pl': held,
  'escapes.sh': held,
  'bytes.pl': { faults: ['unparsable'] },
  'long.pl': { faults: ['flood'], always: true },
  'replaces.sh': held,
  'launcher.sh': held,
  'zombies.pl': held,
  'realtime.pl': held,
  'notes.pl': held,
}

let place = ''
let outside = ''
let door: Server
let unix: Server
let knocks = 0
const isolation: Isolation = await findIsolation()
const { launcher = '', program: bubblewrap = '' } = isolation
const definition = games.find(({ game }) => game.id === 'samurai') as (typeof games)[number]
/** Root's sandboxes, and those of an ordinary user, whom root becomes for them. */
export const ROOT = (): SandboxMaker => ({ launcher, bubblewrap })
export const NOBODY = (): SandboxMaker => ({
  launcher: join(place, 'launcher'),
  bubblewrap,
  prefix: ['/usr/bin/setpriv', '--reuid=65534', '--regid=65534', '--clear-groups'],
})

/** Tests with a folder of programs outside of every sandbox, with doors on which they may knock. */
export function describeHostile(tests: () => void): void {
  describe('a hostile program', () => {
    beforeAll(async () => {
      if (isolation.program === undefined) throw new Error(`this machine lacks ${isolation.lacks}: ${isolation.remedy}`)
      place = mkdtempSync(join(tmpdir(), 'agon-hostile-'))
      chmodSync(place, 0o755)
      outside = join(place, 'outside')
      mkdirSync(outside)
      chmodSync(outside, 0o777)
      cpSync(launcher, join(place, 'launcher'))
      cpSync(VICES, join(place, 'vices'), { recursive: true })
      writeFileSync(join(place, 'vices', 'bow.sh'), 'echo B\n')
      writeFileSync(join(outside, 'secret'), 'secret')
      execFileSync('cc', ['-O2', '-pthread', '-o', join(place, 'vices', 'threads'), join(VICES, 'threads.c')])
      const knocked = () => void knocks++
      door = createServer(knocked)
      unix = createServer(knocked)
      await new Promise<void>((done) => door.listen(0, '127.0.0.1', done))
      await new Promise<void>((done) => unix.listen(join(outside, 'socket'), done))
      chmodSync(join(outside, 'socket'), 0o777)
    })
    afterAll(() => {
      door.close()
      unix.close()
      rmSync(place, { recursive: true, force: true })
    })

    tests()
  })
}

const port = (): number => {
  const address = door.address()
  return typeof address === 'object' && address !== null ? address.port : 0
}

function entrant(name: string, maker: SandboxMaker): Seatable {
  const file = join(place, 'vices', name)
  const program = name.endsWith('.pl') ? ['perl', file] : name.endsWith('.sh') ? ['bash', file] : [file]
  const words: Record<string, string[]> = {
    'network.pl': [String(port()), join(outside, 'socket'), 'agon-hostile'],
    'binds.pl': [String(port())],
    'reads.sh': [join(outside, 'secret'), place],
  }
  const argv = [which(program.at(0) ?? ''), ...program.slice(1), ...(words[name] ?? []), MARK]
  const limits = { ...DEFAULT_LIMITS, memory: 256 * 1024 ** 2 }
  const run = { kind: 'process' as const, argv, source: join(place, 'vices'), sandbox: { maker, limits, warm: true } }
  return { name, wire: definition.wire as string, memory: 'turn', run }
}
const which = (program: string): string => (program.startsWith('/') ? program : join('/usr/bin', program))

/** Plays a vice against one who bows, and gives what both came to. */
async function play(
  name: string,
  maker: SandboxMaker,
  turns: number,
  limit = LIMIT,
): Promise<Judged & { record: MatchRecord }> {
  const options = { ...definition.game.options, turns }
  const wires = wiresOf(definition, options)
  const limits = { turn: limit }
  const factory = new BotFactory({ seed: 'hostile', wires, rooms: join(place, 'rooms'), limits, note: () => undefined })
  const entrants = [entrant(name, maker), entrant('bow.sh', maker)]
  const bots = entrants.map((each) => factory.bot(each, 'match'))
  try {
    const names = entrants.map((each) => each.name)
    const seats = entrants.map((each, id) => ({ entrant: each.name, wire: each.wire, id }))
    const { game } = definition
    const luck = matchLuck('hostile', game.id, names, 0)
    const fixture = { agon: 1 as const, key: 'm', game: game.id, version: game.version, options, luck, field: 2, seats }
    // What else is tested beside it may take all cores: then the bot is not judged, and it is asked again.
    const record = await untilCalm(
      () => playMatch({ definition, fixture, players: bots, limits }),
      () => undefined,
    )
    return { ...judge(definition, record), record }
  } finally {
    await Promise.all(bots.map((bot) => bot.close()))
  }
}

/** Processes of the host that carry the mark, but for this one. */
function marked(): string[] {
  return readdirSync('/proc').filter((pid) => {
    if (!/^\d+$/.test(pid) || Number(pid) === process.pid) return false
    try {
      return readFileSync(`/proc/${pid}/cmdline`, 'latin1').includes(MARK)
    } catch {
      return false
    }
  })
}
const mounts = (): string => readFileSync('/proc/mounts', 'utf8')
const cgroups = (): string[] =>
  ['memory', 'pids', 'cpuacct', ''].flatMap((name) => {
    const folder = join('/sys/fs/cgroup', name, 'agon')
    return existsSync(folder) ? readdirSync(folder).filter((each) => each.startsWith(`${process.pid}-`)) : []
  })

async function nothingIsLeft(before: string): Promise<void> {
  for (let i = 0; i < 50 && (marked().length > 0 || cgroups().length > 0); i++)
    await new Promise((done) => setTimeout(done, 20))
  expect(marked()).toEqual([])
  expect(cgroups()).toEqual([])
  expect(mounts()).toBe(before)
  expect(readdirSync(outside).sort()).toEqual(['secret', 'socket'])
  expect(knocks).toBe(0)
}

/** Every hostile program is held by the sandboxes that `maker` gives. */
export function holds(maker: () => SandboxMaker): void {
  it.each(Object.entries(VICE))(
    '%s is held',
    async (name, { faults = [], always, why }) => {
      const before = mounts()
      const turns = TURNS
      const judged = await play(name, maker(), turns, faults.includes('timeout') ? LIMIT : AMPLE)
      expect(judged.moves).toHaveLength(turns)
      // What waited for a core for as long as it came too late was in time by its own clock. What it had printed when it was
      // stopped counts in this game: where the launcher itself came late to stop it, that may be its late answer.
      const excusable = (judged.record.times ?? []).filter(
        ([time]) => (time?.[2] ?? time?.[0] ?? 0) <= LIMIT * 1000 || (time?.[0] ?? 0) > LATE * 1000,
      ).length
      const excused = name === 'late.pl' ? excusable : 0
      // Whatever it comes to in the game, who is late by its own clock is reported as late.
      judged.record.times?.forEach(([time], step) => {
        const [, output] = judged.record.steps[step]?.find(([seat]) => seat === 0) ?? []
        if (name === 'late.pl' && (time?.[2] ?? 0) > LIMIT * 1000) expect(output).toMatchObject({ trouble: 'timeout' })
      })
      // It guards, which ends no match; no other vice may come to an open blow.
      const answer = name === 'late.pl' ? 'G' : 'O'
      expect(judged.moves.flat().filter((move) => move === answer).length).toBeLessThanOrEqual(excused)
      expect(judged.faults.filter(({ seat }) => seat !== 0)).toEqual([])
      for (const fault of judged.faults) {
        expect(faults).toContain(fault.fault)
        if (fault.fault !== 'silent' && fault.fault !== 'unparsable') expect(fault.why).toMatch(why ?? /\w/)
      }
      if (always) expect(judged.faults.length).toBeGreaterThanOrEqual(turns - excused)
      await nothingIsLeft(before)
    },
    LONG ? 300_000 : 60_000,
  )

  it.each(['deaf.pl', 'daemon.pl', 'zombies.pl'])(
    '%s does not make the host grow',
    async (name) => {
      const turns = GROWTH
      const used = () => {
        const text = readFileSync('/proc/meminfo', 'utf8')
        const field = (what: string) => Number(new RegExp(`^${what}:\\s+(\\d+)`, 'm').exec(text)?.[1])
        return field('SUnreclaim') + field('PageTables') + field('KernelStack')
      }
      // They wait more than they compute: several matches share the turns.
      const lanes = LONG ? 4 : 1
      const playAll = (all: number) =>
        Promise.all(Array.from({ length: lanes }, () => play(name, maker(), Math.ceil(all / lanes), 20)))
      await playAll(Math.min(turns, 500))
      const before = used()
      await playAll(turns)
      // In KiB. What others on the machine do is not held against it: they give back what they took.
      if (LONG) await expect.poll(() => used() - before, { timeout: 60_000, interval: 500 }).toBeLessThan(64 * 1024)
      expect(marked()).toEqual([])
    },
    LONG ? 600_000 : 60_000,
  )
}

/** What becomes of a bot when agon dies under it. */
export function leavesNothing(): void {
  it('no process of a bot and no mount is left', async () => {
    const before = mounts()
    writeFileSync(join(place, 'slow.sh'), `sleep 30 & wait; echo ${MARK}\n`)
    const agon = fileURLToPath(new URL('../../src/cli/main.ts', import.meta.url))
    const bot = `bash ${join(place, 'slow.sh')} ${MARK}`
    const words = ['--import', 'tsx', agon, 'match', 'samurai', bot, bot, '--limit', 'turn=60000']
    const env = { ...process.env, AGON_WORKSPACE: join(place, 'workspace') }
    const running = spawn(process.execPath, words, { stdio: 'ignore', env })
    const bots = () => marked().filter((pid) => pid !== String(running.pid))
    for (let i = 0; i < 500 && bots().length < 2; i++) await new Promise((done) => setTimeout(done, 20))
    expect(bots().length).toBeGreaterThanOrEqual(2)
    running.kill('SIGKILL')
    for (let i = 0; i < 100 && bots().length > 0; i++) await new Promise((done) => setTimeout(done, 20))
    expect(bots()).toEqual([])
    expect(mounts()).toBe(before)
  })
}
