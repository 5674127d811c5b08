import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, readdirSync, readlinkSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { AnyWire, Bot, FaultKind, GameDefinition, MatchRecord, Options } from '../../src/core/index.js'
import { newLuck, wiresOf, allActions } from '../../src/core/index.js'
import { type Seatable, BotFactory } from '../../src/engine/index.js'
import { type Judged, formatRecord, judge, parseRecord, playMatch } from '../../src/match/index.js'
import type { SeatedBot, SandboxSetting } from '../../src/bots/index.js'

const VICES = fileURLToPath(new URL('../vices', import.meta.url))
const SOURCES = mkdtempSync(join(tmpdir(), 'agon-vices-'))
process.once('exit', () => rmSync(SOURCES, { recursive: true, force: true }))

/** A folder with one program and what it needs: it is copied for each of its lives. */
function sourceOf(name: string): string {
  const source = join(SOURCES, name)
  if (!existsSync(source)) {
    mkdirSync(source, { mode: 0o755 })
    for (const file of ['Voice.pm', `${name}.pl`]) cpSync(join(VICES, file), join(source, file))
  }
  return source
}

/** Milliseconds for bots that are to be late, and for bots that must not be. */
const TIGHT = 200
const AMPLE = 20_000

/** A few turns of each game, enough for a third question. */
const SHORT: Readonly<Record<string, Options>> = {
  gunduel: { turns: 6 },
  samurai: { turns: 6 },
  stronger: { turns: 6, life: 1000 },
  negotiate: { turns: 6 },
  coup: { turns: 12 },
}

/** What a vice comes to, by the kind of wire. */
interface Vice {
  readonly name: string
  /** It is given little time where it is to come late. */
  readonly late?: boolean
  /** The step of its first fault. */
  readonly step?: number
  /** Not a vice on this wire. */
  readonly not?: (wire: AnyWire) => boolean
  readonly fault: (wire: AnyWire, name: string) => FaultKind | undefined
  /** Its first fault may also be one of these. */
  readonly or?: (wire: AnyWire) => readonly FaultKind[]
}
const stays = (wire: AnyWire): boolean => wire.transport === 'lines'
/** What a process a question is that ends without a word. */
const mute = (name: string): FaultKind => (name === 'exit' ? 'unparsable' : 'silent')

const TABLE: readonly Vice[] = [
  { name: 'good', fault: () => undefined },
  { name: 'silent', late: true, fault: (wire, name) => (stays(wire) ? 'timeout' : mute(name)) },
  { name: 'slow', late: true, fault: () => 'timeout' },
  // A samurai's first letter counts, also where the time ran out after it.
  { name: 'half', late: true, fault: (wire) => (wire.salvage ? undefined : 'timeout') },
  { name: 'crlf', fault: () => undefined },
  { name: 'signal', step: 2, fault: () => 'crash' },
  {
    name: 'code',
    step: 2,
    fault: (wire, name) => (stays(wire) ? 'crash' : name === 'file' ? 'unparsable' : mute(name)),
  },
  { name: 'flood', fault: () => 'flood' },
  // On lines it is a matter of luck whether the rest of a line that was thrown away is read as an answer before it has flooded.
  { name: 'chatter', fault: () => 'flood', or: (wire) => (stays(wire) ? ['unparsable', 'illegal', 'silent'] : []) },
  { name: 'stderr', fault: () => undefined },
  { name: 'twice', not: (wire) => !stays(wire), fault: () => undefined },
  { name: 'closes', late: true, fault: () => 'timeout' },
  { name: 'sigterm', late: true, fault: () => 'timeout' },
  { name: 'child', fault: () => undefined },
  { name: 'orphan', step: 2, fault: (wire, name) => (stays(wire) ? 'crash' : mute(name)) },
  { name: 'deaf', late: true, fault: (wire) => (stays(wire) ? 'timeout' : undefined) },
  { name: 'bytes', step: 0, fault: () => 'unparsable' },
  { name: 'stopped', late: true, fault: () => 'timeout' },
]

/** `npm run test:hostile` tries everything on every wire. */
const ALL = process.env['AGON_HOSTILE'] === 'all'
/** Milliseconds for bots that are late at their second question, and in time at the first. */
const LATE = 1500
const LATE_FOR: ReadonlySet<string> = new Set(['late', 'half', 'family'])

/** What a bot does at the second question of a life that is longer than a match, and its fault there. */
const AGAIN: readonly {
  readonly what: string
  readonly fault: FaultKind
  not?(wire: AnyWire, sandbox: boolean): boolean
}[] = [
  { what: 'late', fault: 'timeout' },
  // What a samurai printed counts, and so does what is appended to a file.
  { what: 'half', fault: 'timeout', not: (wire) => !stays(wire) },
  { what: 'family', fault: 'timeout' },
  { what: 'flood', fault: 'flood' },
  { what: 'errors', fault: 'flood', not: (_, sandbox) => !sandbox },
  { what: 'exit', fault: 'crash', not: (wire) => !stays(wire) },
  { what: 'signal', fault: 'crash' },
  { what: 'killed', fault: 'crash' },
  { what: 'unready', fault: 'timeout', not: (wire) => wire.ready?.at !== 'match' },
]

/** A place to play in, and what was noted there. */
export interface Ground {
  readonly definition: GameDefinition
  readonly options: Options
  readonly rooms: string
  readonly factory: BotFactory
  readonly notes: string[]
}

function wireOf(definition: GameDefinition, options: Options, name: string): AnyWire {
  const wire = wiresOf(definition, options)[name]
  if (wire === undefined) throw new Error(`${definition.game.id} has no wire ${name}`)
  return wire
}

/**
 * A ground for a game on which `wireName` is there three times: as `late` with little time, as `good` with ample, and as it is.
 */
function groundOf(definition: GameDefinition, wireName: string): Ground {
  const options = { ...definition.game.options, ...SHORT[definition.game.id] }
  const wire = wireOf(definition, options, wireName)
  const limited = (ms: number): AnyWire => ({
    ...wire,
    limits: Object.fromEntries(Object.keys(wire.limits ?? { turn: 0 }).map((name) => [name, ms])),
  })
  const wires = { ...definition.wires, late: limited(TIGHT), good: limited(AMPLE) }
  return groundFor({ ...definition, wires }, options)
}

export function groundFor(definition: GameDefinition, options: Options): Ground {
  const rooms = mkdtempSync(join(tmpdir(), 'agon-wire-'))
  const notes: string[] = []
  const note = (text: string): void => void notes.push(text)
  const factory = new BotFactory({ seed: 'contract', wires: wiresOf(definition, options), rooms, limits: {}, note })
  return { definition, options, rooms, factory, notes }
}

/** A function as a bot. */
export function module(bot: Bot<unknown, string>): Seatable['run'] {
  return { kind: 'module', load: async () => bot }
}

export interface Played {
  readonly record: MatchRecord
  readonly judged: Judged
}

/** Plays a match of these bots, whose ids are 40, 41 …, and judges it again from its text. Checks that both tell the same. */
export async function playOn(
  ground: Ground,
  entrants: readonly Seatable[],
  bots: readonly SeatedBot[],
  key = 'm',
  limits = {},
): Promise<Played> {
  const { definition, options } = ground
  const live: unknown[][] = []
  const record = await playMatch({
    definition,
    players: bots,
    limits,
    onStep: ({ moves }) => void live.push(moves.map((move) => move ?? null)),
    fixture: {
      agon: 1,
      key,
      game: definition.game.id,
      version: definition.game.version,
      options,
      luck: newLuck('contract'),
      field: 100,
      seats: entrants.map(({ name, wire }, seat) => ({ entrant: name, wire, id: 40 + seat })),
    },
  })
  const again = parseRecord(formatRecord(record))
  expect(again).toEqual(JSON.parse(JSON.stringify(record)))
  const judged = judge(definition, again)
  expect(judged.outcome).toEqual(record.outcome)
  expect(judged.moves).toEqual(live)
  return { record, judged }
}

/** The processes that run in one of the rooms. */
function left(rooms: string): string[] {
  return readdirSync('/proc').flatMap((pid) => {
    if (!/^\d+$/.test(pid)) return []
    try {
      return readlinkSync(`/proc/${pid}/cwd`).startsWith(rooms) &&
        !/\) Z /.test(readFileSync(`/proc/${pid}/stat`, 'latin1'))
        ? [`${pid} ${readFileSync(`/proc/${pid}/cmdline`, 'latin1').replaceAll('\0', ' ')}`]
        : []
    } catch {
      return []
    }
  })
}

/** How the vices' own library calls a wire. */
const protocolOf = (definition: GameDefinition, wireName: string): string =>
  wireName === 'jsonl' ? 'jsonl' : `${definition.game.id}-${wireName.startsWith('class') ? 'lines' : wireName}`

/** A function that takes the first of the legal actions. */
const firstLegal =
  (definition: GameDefinition) =>
  (name: string): Seatable => ({
    name,
    wire: 'module',
    memory: 'turn',
    run: module((view) => allActions(definition.game.legal(view))[0] ?? ''),
  })

/** Which part of a table is tried on a wire: each `of`-th row, from `place` on. */
export interface Share {
  readonly place: number
  readonly of: number
}

/**
 * The contract that every wire keeps with programs of every vice. Call it in a test file. `share`: wires that differ in what they send
 * alone, and not in how programs are started, asked and stopped, share the vices among them; each of them plays with a good program.
 */
export function describeWire(
  definition: GameDefinition,
  wireName: string,
  sandbox?: SandboxSetting,
  { place, of }: Share = { place: 0, of: 1 },
): void {
  if (wireName === 'module') return describeModule(definition)
  const perl = sandbox === undefined ? 'perl' : '/usr/bin/perl'
  const held = sandbox && { sandbox }
  const wire = wireOf(definition, definition.game.options, wireName)
  const protocol = protocolOf(definition, wireName)
  const first = firstLegal(definition)
  const isTried = (row: number): boolean => ALL || row % of === place
  const vice = (name: string, speed: 'late' | 'good', ...args: string[]): Seatable => ({
    name,
    wire: speed,
    memory: 'match',
    run: {
      kind: 'process',
      argv: [perl, join(sourceOf(name), `${name}.pl`), protocol, ...args],
      source: sourceOf(name),
      ...held,
    },
  })

  describe.concurrent(`the wire ${wireName} of ${definition.game.id}${sandbox ? ', in sandboxes' : ''}`, () => {
    let ground: Ground
    beforeAll(() => {
      ground = groundOf(definition, wireName)
    })
    afterAll(() => rmSync(ground.rooms, { recursive: true, force: true }))

    /** Plays a bot at seat 0 against a good program at seat 1, and good functions at the others. */
    async function meet(entrant: Seatable, within = ground): Promise<Played> {
      const others = Array.from({ length: definition.game.seats.min - 1 }, (_, i): Seatable =>
        i === 0 ? { ...vice('good', 'good'), name: 'opponent' } : first(`other${i}`),
      )
      const entrants = [entrant, ...others]
      const bots = entrants.map((one) => within.factory.bot(one, 'life'))
      try {
        return await playOn(within, entrants, bots)
      } finally {
        await Promise.all(bots.map((bot) => bot.close()))
      }
    }

    for (const [row, { name, late, step, fault: faultOf, or, not }] of TABLE.entries()) {
      if (not?.(wire) || !(name === 'good' || isTried(row))) continue
      const expected = faultOf(wire, wireName)
      // What a wire salvages of half a line comes when the time is up, too.
      const isTight = late === true && (expected !== undefined || wire.salvage === true)
      it(`${name}: ${expected ?? 'no fault'}`, async () => {
        // A ground of its own: whatever still runs in it afterwards has been left by this vice.
        const own = groundFor(ground.definition, ground.options)
        try {
          const { record, judged } = await meet(vice(name, isTight ? 'late' : 'good'), own)
          const fault = judged.faults[0]
          expect([expected, ...(or?.(wire) ?? [])]).toContain(fault?.fault)
          expect(typeof fault?.why).toBe(fault === undefined ? 'undefined' : 'string')
          expect(judged.faults.filter(({ seat }) => seat !== 0)).toEqual([])
          if (step !== undefined)
            expect(judged.moves.slice(0, fault?.turn).filter((moves) => moves[0] !== null)).toHaveLength(step)
          // A fault is seen when it happens, and not only at the limit.
          const charged = (record.times ?? []).flat().map(([wallUs, , chargedUs]) => chargedUs ?? wallUs)
          if (!late) expect(Math.max(0, ...charged)).toBeLessThan(1000 * AMPLE)
          expect(left(own.rooms)).toEqual([])
          if (name === 'stderr') {
            const kept = own.factory.stderr(name)
            expect([kept.length, kept.slice(-9)]).toEqual([64 * 1024, '\nthe end\n'])
          }
        } finally {
          rmSync(own.rooms, { recursive: true, force: true })
        }
      })
    }

    for (const name of stays(wire) && isTried(0) ? ['brief'] : []) {
      it(`${name}: a process that ends after each match is started again for the next`, async () => {
        const reference = await meet({ ...vice('good', 'good'), name: 'reference' })
        const answers = reference.record.steps.flat().filter(([seat]) => seat === 0).length
        const brief = { ...vice(name, 'good', String(answers)), memory: wire.memory ?? ('tournament' as const) }
        const entrants = [brief, ...Array.from({ length: definition.game.seats.min - 1 }, (_, i) => first(`other${i}`))]
        const bots = entrants.map((one) => ground.factory.bot(one, 'life'))
        for (const key of ['1', '2', '3']) {
          const { judged } = await playOn(ground, entrants, bots, key)
          expect(judged.faults).toEqual([])
        }
        await Promise.all(bots.map((bot) => bot.close()))
      })
    }

    for (const [row, { what, fault, not }] of AGAIN.entries()) {
      if (not?.(wire, sandbox !== undefined) || !isTried(row)) continue
      // Both lives are the same to a wire: a short run takes turns.
      const lives = ['series', 'tournament'] as const
      for (const memory of ALL ? lives : [lives[row % 2] ?? 'series']) {
        it(`${what} in a life of a ${memory}: a fresh process plays the next match`, async () => {
          const again: Seatable = { ...vice('again', 'good', what), memory }
          const entrants = [
            again,
            ...Array.from({ length: definition.game.seats.min - 1 }, (_, i) => first(`other${i}`)),
          ]
          const bots = entrants.map((one) => ground.factory.bot(one, 'life'))
          const limits = what === 'unready' ? { ready: LATE } : LATE_FOR.has(what) ? { turn: LATE } : {}
          for (const key of ['1', '2']) {
            const { judged } = await playOn(ground, entrants, bots, key, limits)
            const found = judged.faults[0]
            // A process a question goes on counting in its file.
            if (!stays(wire) && key !== '1') expect(judged.faults).toEqual([])
            else expect({ key, fault: found?.fault, why: found?.why }).toMatchObject({ key, fault })
            const before = judged.moves.slice(0, found?.turn).filter((moves) => moves[0] !== null)
            if (stays(wire) && what !== 'unready') expect(before).toHaveLength(1)
          }
          await Promise.all(bots.map((bot) => bot.close()))
        })
      }
    }

    const good = join(sourceOf('good'), 'good.pl')
    const unstartable: readonly (readonly [string, readonly string[], string])[] = [
      ['no such program', ['/no/such/program'], 'ENOENT'],
      ['a file that is no program', [good], 'EACCES'],
      ['an argument too long', [perl, good, 'x'.repeat(200_000)], 'E2BIG'],
      ['an argument that no program can have', [perl, 'a\0b'], sandbox ? 'EINVAL' : 'ERR_INVALID_ARG_VALUE'],
    ]
    for (const [row, [what, argv, code]] of unstartable.entries()) {
      if (!isTried(row)) continue
      it(`${what}: crash`, async () => {
        const { judged } = await meet({
          name: 'unstartable',
          wire: 'good',
          memory: 'match',
          run: { kind: 'process', argv, source: sourceOf('good'), ...held },
        })
        expect(judged.faults[0]).toMatchObject({ seat: 0, fault: 'crash' })
        expect(judged.faults[0]?.why).toContain(`could not be started: ${code}`)
        expect(judged.faults.filter(({ seat }) => seat !== 0)).toEqual([])
      })
    }
  })
}

/** Milliseconds for a module: it has no process to start. */
const LITTLE = 250

/** A function in this process, for each thing that one can do instead of answering. */
function describeModule(definition: GameDefinition): void {
  const wrong: readonly (readonly [string, Bot<unknown, string>, FaultKind])[] = [
    ['returns nothing', () => undefined as unknown as string, 'silent'],
    ['never answers', () => new Promise<string>(() => undefined), 'timeout'],
    [
      'throws',
      () => {
        throw new Error('oh')
      },
      'crash',
    ],
    [
      'rejects',
      async () => {
        throw new Error('oh')
      },
      'crash',
    ],
    ['returns what is no text', () => ({}) as string, 'crash'],
    [
      'changes its view',
      (view) => {
        ;(view as Record<string, unknown>)['more'] = 1
        return ''
      },
      'crash',
    ],
    ['returns what is not legal', () => 'no such action', 'illegal'],
    ['returns a megabyte', () => 'x'.repeat(1_000_000), 'flood'],
    [
      'computes for too long',
      () => {
        const end = performance.now() + 1.5 * LITTLE
        while (performance.now() < end);
        return 'late'
      },
      'timeout',
    ],
  ]
  describe(`the wire module of ${definition.game.id}`, () => {
    const options: Options = { ...definition.game.options, ...SHORT[definition.game.id] }
    const ground = groundFor(definition, options)
    afterAll(() => rmSync(ground.rooms, { recursive: true, force: true }))
    const first = firstLegal(definition)

    async function meet(run: Seatable['run']): Promise<Played> {
      const entrants = Array.from({ length: definition.game.seats.min }, (_, i): Seatable =>
        i === 0 ? { name: 'vice', wire: 'module', memory: 'match', run } : first(`other${i}`),
      )
      const bots = entrants.map((one) => ground.factory.bot(one, 'life'))
      return playOn(ground, entrants, bots, 'm', { turn: LITTLE })
    }

    for (const [what, bot, fault] of wrong) {
      it(`a function that ${what}: ${fault}`, async () => {
        const { judged } = await meet(module(bot))
        expect(judged.faults[0]).toMatchObject({ seat: 0, fault })
        expect(judged.faults.filter(({ seat }) => seat !== 0)).toEqual([])
      })
    }
    it('a module that cannot be loaded: crash', async () => {
      const { judged } = await meet({ kind: 'module', load: () => Promise.reject(new SyntaxError('no module')) })
      expect(judged.faults[0]).toMatchObject({ fault: 'crash', why: 'could not be started: SyntaxError: no module' })
    })
  })
}
