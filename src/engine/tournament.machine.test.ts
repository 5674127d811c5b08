import { spawn } from 'node:child_process'
import { cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import {
  type AnyWire,
  BusyError,
  type GameDefinition,
  type Memory,
  type Options,
  type Result,
  type Round,
  type Tournament,
  canonical,
} from '../core/index.js'
import gunduel from '../games/gunduel/index.js'
import { LeaseLostError, type Store, openStore } from '../store/index.js'
import { TOURNAMENT, entrantsOf, playable } from '../../test/kit/records.js'
import {
  type Seatable,
  backoffPauses,
  type TournamentEvent,
  type RunResult,
  type TournamentSetting,
  runTournament,
} from './index.js'

/** The duel by exit codes, on which a bot may keep a small file for the whole tournament. */
const definition: GameDefinition = {
  ...gunduel,
  wires: {
    ...gunduel.wires,
    exit: { ...(gunduel.wires?.['exit'] as AnyWire), memory: 'tournament', state: { folder: 'state', bytes: 2000 } },
  },
}
const options: Options = { ...definition.game.options, turns: 4 }
const limits = { turn: 30_000 }

/** What a bot of each kind plays depends on its chance, by what its process counted and by what its files hold. */
const SOURCES = {
  // A process that stays; it counts its answers in itself, and its duels in a file.
  'lines.pl': `$| = 1; srand $ENV{AGON_SEED}; my $n = 0;
    while (<STDIN>) {
      if (/^I/) { open my $f, '>>', 'duels'; print $f 'x' }
      if (/^F/) { print +(qw(0 - =))[(3 * rand() + $n++ + -s 'duels') % 3], "\\n" }
    }`,
  // The same, but it dies at the second question of every third of its duels.
  'fragile.pl': `$| = 1; srand $ENV{AGON_SEED}; my ($n, $asked) = (0, 0);
    while (<STDIN>) {
      if (/^I/) { $asked = 0; open my $f, '>>', 'duels'; print $f 'x' }
      if (/^F/) { exit 1 if ++$asked == 2 && (-s 'duels') % 3 == 2; print +(qw(0 - =))[(3 * rand() + $n++ + -s 'duels') % 3], "\\n" }
    }`,
  // A process a question, with a state file that says how often it was called.
  'exit.pl': `srand $ENV{AGON_SEED}; open my $f, '>>', 'state/calls'; print $f 'x'; close $f;
    exit ord((qw(0 - =))[(3 * rand() + -s 'state/calls') % 3]);`,
  // As many bytes a call as make it grow past its limit at the third.
  'greedy.pl': `open my $f, '>>', 'state/much'; print $f 'y' x 900; close $f; exit 48;`,
  // Answers too late for any short limit.
  'late.pl': `sleep 5; exit 48`,
  // Never the same twice.
  'fickle.pl': `$| = 1; while (<STDIN>) { print +(qw(0 - =))[int rand 3], "\\n" if /^F/ }`,
}
/** Of every memory, on every transport. */
const FIELD: readonly (readonly [name: string, wire: string, memory: Memory, file?: keyof typeof SOURCES])[] = [
  ['Turn', 'exit', 'turn', 'exit.pl'],
  ['Match', 'lines', 'match', 'lines.pl'],
  ['Series', 'lines', 'series', 'lines.pl'],
  ['Life', 'lines', 'tournament', 'lines.pl'],
  ['Fragile', 'lines', 'tournament', 'fragile.pl'],
  ['Filing', 'exit', 'tournament', 'exit.pl'],
  ['Module', 'module', 'tournament'],
]

let place: string
let made = 0
const fresh = (): string => join(place, String(made++))
beforeAll(() => {
  place = mkdtempSync(join(tmpdir(), 'agon-engine-'))
  mkdirSync(join(place, 'source'))
  for (const [name, text] of Object.entries(SOURCES)) writeFileSync(join(place, 'source', name), text)
})
afterAll(() => rmSync(place, { recursive: true, force: true }))

function entrantOf([name, wire, memory, file]: (typeof FIELD)[number]): Seatable {
  const source = join(place, 'source')
  if (file !== undefined)
    return { name, wire, memory, run: { kind: 'process', argv: ['perl', join(source, file)], source } }
  const load = async () => {
    let calls = 0
    return (_: unknown, chance: { below(n: number): number }) => '0-='.charAt((calls++ + chance.below(3)) % 3)
  }
  return { name, wire, memory, run: { kind: 'module', load } }
}

/** Two rounds of everyone against everyone, two duels a series with the seats swapped. */
function twoRounds(n: number): Tournament {
  const pairs = Array.from({ length: n }, (_, a) => Array.from({ length: n - a - 1 }, (_, b) => [a, a + b + 1])).flat()
  const rounds = ['1', '2'].map((label): Round => ({
    label,
    series: pairs.map(([a = 0, b = 0]) => {
      const key = `${label}/${a}-${b}`
      return {
        key,
        pairings: [
          { key: `${key}/1`, seats: [a, b], deal: 1 },
          { key: `${key}/2`, seats: [b, a], deal: 2 },
        ],
      }
    }),
  }))
  const played = (round: Round, results: ReadonlyMap<string, Result>): boolean =>
    round.series.every(({ pairings }) => pairings.every(({ key }) => results.has(key)))
  return {
    next: (results) => rounds.find((round) => !played(round, results)),
    standings: () => ({ columns: [], rows: [], notes: [] }),
    total: () => 4 * pairs.length,
  }
}

/** The calls of the rules at which agon fails. */
const FAILS: ReadonlySet<number> = new Set([50, 170, 300])

interface Run extends RunResult {
  readonly notes: readonly string[]
  /** All records in the schedule's order, without their times. */
  readonly records: readonly string[]
}

/** What a run of the tests may be beside its entrants. */
interface Parts {
  readonly id?: string
  readonly tournament?: string
  readonly definition?: GameDefinition
  readonly limits?: typeof limits
  /** By name: instead of its own. */
  readonly hashes?: Readonly<Record<string, string>>
}

/** Plays a tournament of these entrants, as a run of its own, or goes on with that of the workspace `folder`. */
async function play(
  entrants: readonly Seatable[],
  more: Partial<TournamentSetting> & Parts & { folder?: string; wrap?(store: Store): Store } = {},
): Promise<Run> {
  const { folder = fresh(), wrap = (opened: Store) => opened, id = 'run', hashes = {}, ...rest } = more
  const { tournament = TOURNAMENT, definition: game = definition, limits: own = limits, ...setting } = rest
  const store = openStore(folder, 'test')
  const run = playable(game, entrants, { id, tournament, seed: 'secret', contest: { options, limits: own } })
  const playing = run.entrants.map((one) => ({ ...one, hash: hashes[one.name] ?? one.hash }))
  if ((await store.run(id)) === undefined)
    await store.addRun({ ...run, entrants: entrantsOf(entrants.map(({ name }) => name)) })
  const notes: string[] = []
  const on = (event: TournamentEvent): void => void (event.type === 'note' && notes.push(event.text))
  try {
    const played = { ...run, entrants: playing }
    const result = await runTournament(played, {
      schedule: twoRounds(entrants.length),
      jobs: 2,
      place: { rooms: fresh() },
      signal: new AbortController().signal,
      on,
      ...setting,
      store: wrap(store),
    })
    const records: string[] = []
    for (const job of result.jobKeys)
      for (const { record } of (await store.read([job])).get(job) ?? [])
        records.push(canonical({ ...record, times: undefined }))
    return { ...result, notes, records }
  } finally {
    await store.close()
  }
}

/** A store with some of its methods replaced. */
const changed = (store: Store, methods: Partial<Store>): Store =>
  new Proxy(store, {
    get: (target, name) => {
      const own: unknown = Reflect.get(methods, name) ?? Reflect.get(target, name)
      return typeof own === 'function' ? (own.bind(target) as unknown) : own
    },
  })

describe('a field of every memory', () => {
  const field = (): Seatable[] => FIELD.map(entrantOf)
  /** How it goes when nothing interrupts it, and what the store was after each job. */
  let whole: Run
  const copies: string[] = []
  beforeAll(async () => {
    const folder = fresh()
    const wrap = (store: Store): Store =>
      changed(store, {
        record: async (...args) => {
          const before = await store.record(...args)
          const copy = fresh()
          // What a kill leaves: the file and its log as they are on disk at that moment.
          cpSync(folder, copy, { recursive: true, filter: (file) => !file.endsWith('-shm') })
          copies.push(copy)
          return before
        },
      })
    whole = await play(field(), { jobs: 1, folder, wrap })
  })

  test('plays every match once, and remembers as it may', () => {
    expect([whole.played, whole.reused, whole.finished, whole.records.length, whole.notes]).toEqual([
      84,
      0,
      true,
      84,
      [],
    ])
    expect(new Set(whole.records).size).toBe(84)
    expect(whole.results.size).toBe(84)
    // Fragile has died in the match, and was there again for the next.
    expect(whole.records.filter((record) => record.includes('crash')).length).toBeGreaterThan(4)
  })

  test('plays the same with eight jobs', async () => {
    const parallel = await play(field(), { jobs: 8 })
    expect(parallel.records).toEqual(whole.records)
    expect(parallel.jobKeys).toEqual(whole.jobKeys)
  })

  test('goes on after it was stopped, and comes to the same', async () => {
    const folder = fresh()
    const stop = new AbortController()
    let matches = 0
    const on = (event: TournamentEvent): void => void (event.type === 'match' && ++matches === 30 && stop.abort())
    const first = await play(field(), { folder, signal: stop.signal, on, jobs: 3 })
    expect(first.finished).toBe(false)
    expect(first.played).toBeGreaterThanOrEqual(30)
    expect(first.played).toBeLessThan(60)
    const second = await play(field(), { folder, jobs: 3 })
    expect([second.finished, second.reused, second.played]).toEqual([true, first.played, 84 - first.played])
    expect(second.records).toEqual(whole.records)
    expect(second.notes).toEqual([])
    const third = await play(field(), { folder })
    expect([third.played, third.reused, third.records]).toEqual([0, 84, whole.records])
  })

  test.each([0.05, 0.3, 0.55, 0.9])('goes on after it was killed, %f of the way', async (part) => {
    const folder = fresh()
    cpSync(copies.at(Math.floor(part * copies.length)) ?? '', folder, { recursive: true })
    const resumed = await play(field(), { folder, jobs: 2 })
    expect(resumed.records).toEqual(whole.records)
    expect(resumed.notes).toEqual([])
    expect(resumed.reused).toBeGreaterThan(0)
  })

  test('two processes at once share what bots without memory of the tournament play, and come to the same', async () => {
    const folder = fresh()
    openStore(folder, 'test')
    const [one, two] = await Promise.all(['a', 'b'].map((id) => play(field(), { folder, id, jobs: 2 })))
    expect([one?.records, two?.records]).toEqual([whole.records, whole.records])
    expect((one?.played ?? 0) + (two?.played ?? 0)).toBe(84)
    expect([...(one?.notes ?? []), ...(two?.notes ?? [])]).toEqual([
      expect.stringMatching(/^another agon \(process \d+\) plays this tournament: waiting for it$/),
    ])
  })

  test('a newcomer leaves others’ matches as they are, but for bots that live through the tournament', async () => {
    const folder = fresh()
    const old = field().filter(({ memory }) => memory !== 'tournament')
    const first = await play(old, { folder })
    const more = [...old, entrantOf(['New', 'exit', 'turn', 'exit.pl'])]
    const grown = await play(more, { folder, id: 'grown', tournament: 'ee'.repeat(16) })
    // Exit codes and lines show ids: a field of another size is another match to such a bot.
    expect([first.played, grown.played, grown.reused]).toEqual([12, 24, 0])
    const quiet: GameDefinition = {
      ...definition,
      wires: Object.fromEntries(
        Object.entries(definition.wires ?? {}).map(([name, wire]) => [name, { ...wire, anonymous: true }]),
      ),
    }
    const silent = await play(old, { folder, id: 'quiet', definition: quiet })
    const again = await play(more, { folder, id: 'quiet grown', definition: quiet, tournament: 'ee'.repeat(16) })
    expect([silent.played, again.played, again.reused]).toEqual([12, 12, 12])
    const fixed = await play(more, { folder, id: 'fixed', definition: quiet, hashes: { New: 'changed' } })
    expect([fixed.played, fixed.reused]).toEqual([12, 12])
  })

  test('a match in which agon or the game fails is void, is played again, and nothing is lost', async () => {
    let plays = 0
    const failing: GameDefinition = {
      ...definition,
      game: {
        ...definition.game,
        play: (state, moves) => {
          if (FAILS.has(++plays)) throw new Error('no fault of theirs')
          return definition.game.play(state, moves)
        },
      },
    }
    const run = await play(field(), { definition: failing, jobs: 2 })
    expect(run.records).toEqual(whole.records)
    expect(run.notes).toHaveLength(FAILS.size)
    for (const note of run.notes) expect(note).toMatch(/^\S+: void, played again: .*no fault of theirs$/)
  }, 120_000)
})

test('what fails again and again ends the run, and leaves nothing running', async () => {
  const broken: GameDefinition = {
    ...definition,
    game: {
      ...definition.game,
      play: () => {
        throw new Error('broken')
      },
    },
  }
  const rooms = fresh()
  await expect(
    play(FIELD.slice(0, 4).map(entrantOf), { definition: broken, jobs: 4, place: { rooms } }),
  ).rejects.toThrow('broken')
})

test('an event whose handler throws does not play a match twice', async () => {
  const folder = fresh()
  let matches = 0
  const on = (event: TournamentEvent): void => {
    if (event.type === 'match' && ++matches === 5) throw new Error('the terminal is gone')
  }
  const field = FIELD.slice(0, 3).map(entrantOf)
  await expect(play(field, { folder, on, jobs: 1 })).rejects.toThrow('the terminal is gone')
  const again = await play(field, { folder })
  expect([again.played + again.reused, again.reused]).toEqual([12, 6])
  expect(again.records).toHaveLength(12)
})

test('a state file past its size is rolled back, and the host is informed', async () => {
  const run = await play(
    [entrantOf(['Greedy', 'exit', 'tournament', 'greedy.pl']), entrantOf(['Turn', 'exit', 'turn', 'exit.pl'])],
    { jobs: 1 },
  )
  expect(run.finished).toBe(true)
  expect(run.notes.length).toBeGreaterThan(3)
  expect(run.notes[0]).toBe(
    'Greedy: state/ held 2700 bytes, more than the 2000 it may have: rolled back (match 1/0-1/1, call 3)',
  )
})

test('a bot that answers otherwise when its history is replayed is noted, and plays on', async () => {
  const field = [
    entrantOf(['Fickle', 'lines', 'tournament', 'fickle.pl']),
    entrantOf(['Module', 'module', 'match']),
    entrantOf(['Other', 'module', 'match']),
  ]
  const folder = fresh()
  const stop = new AbortController()
  let matches = 0
  const on = (event: TournamentEvent): void => void (event.type === 'match' && ++matches === 8 && stop.abort())
  // Matches are reported in groups: none is begun before all earlier ones have been.
  let begun = 0
  const waitWhilePaused = async (coming = 0): Promise<void> => {
    while (matches < begun) await new Promise((done) => setTimeout(done, 5))
    begun += coming
  }
  await play(field, { folder, signal: stop.signal, on, jobs: 1, waitWhilePaused })
  const resumed = await play(field, { folder, jobs: 1 })
  expect(resumed.finished).toBe(true)
  expect(resumed.notes).toEqual([
    expect.stringMatching(
      /^Fickle: answered otherwise when its conversation was repeated \(1\/.*\): it is not deterministic$/,
    ),
  ])
})

describe('a machine that stands still while a bot is late', () => {
  /** Stops this process again and again, as a machine does that is suspended, until it is asked to end. */
  const stalling = (): (() => void) => {
    const again = `while kill -STOP ${process.pid}; do sleep 0.2; kill -CONT ${process.pid}; sleep 0.1; done`
    const child = spawn('sh', ['-c', again], { detached: true, stdio: 'ignore' })
    return () => {
      process.kill(-(child.pid ?? NaN), 'SIGKILL')
      process.kill(process.pid, 'SIGCONT')
    }
  }
  const one: Tournament = {
    ...twoRounds(2),
    next: (results) => {
      const round = twoRounds(2).next(results)
      if (results.size > 0 || round === undefined) return undefined
      return { ...round, series: round.series.map((series) => ({ ...series, pairings: series.pairings.slice(0, 1) })) }
    },
  }
  const field = () => [entrantOf(['Late', 'exit', 'turn', 'late.pl']), entrantOf(['Module', 'module', 'match'])]
  const setting = { schedule: one, limits: { turn: 400 }, options: { ...options, turns: 1 } }
  const NOTE = /^1\/0-1\/1: void: the machine stood still for \d+ ms while a bot was late; it is played again in 1 s$/

  test(
    'makes its match void for as long as it does, and what was late afterwards stands',
    { timeout: 60_000 },
    async () => {
      const folder = fresh()
      const end = stalling()
      const notes: string[] = []
      const on = (event: TournamentEvent) => void (event.type === 'note' && notes.push(event.text) === 5 && end())
      const backoff = { shortest: 5, longest: 20, total: 600_000 }
      const run = await play(field(), { ...setting, folder, backoff, on })
      expect(notes).toEqual(Array(5).fill(expect.stringMatching(NOTE)))
      expect([run.played, run.records.length, run.records[0]?.includes('"trouble":"timeout"')]).toEqual([1, 1, true])
      const store = openStore(folder, 'test')
      const log = await store.log('run')
      await store.close()
      expect(log.filter(({ what }) => what === 'stalled').map(({ detail }) => detail['match'])).toEqual(
        Array(5).fill('1/0-1/1'),
      )
    },
  )

  test('ends the run where it goes on, and costs the bot nothing', { timeout: 60_000 }, async () => {
    const folder = fresh()
    const end = stalling()
    const backoff = { shortest: 5, longest: 20, total: 30 }
    await expect(play(field(), { ...setting, folder, backoff }).finally(end)).rejects.toThrow(
      /^the machine stood still for \d+ ms while a bot was late, still after 1 s of waiting\. What is done is kept$/,
    )
    const store = openStore(folder, 'test')
    expect((await store.results('run')).size).toBe(0)
    await store.close()
  })

  test('is not a referee that is busy itself', async () => {
    const hog = setInterval(() => {
      const began = performance.now()
      while (performance.now() - began < 90);
    }, 100)
    const run = await play(field(), { ...setting, limits: { turn: 100 } }).finally(() => clearInterval(hog))
    expect([run.notes, run.played, run.records[0]?.includes('"trouble":"timeout"')]).toEqual([[], 1, true])
  })
})

describe('a machine that is too busy', () => {
  const field = () => FIELD.slice(0, 3).map(entrantOf)
  /** What a bot in a sandbox comes to there, at the place where a job begins; the round's own passage is let through. */
  const busy = (times: number) => {
    let calls = 0
    return async () => {
      if (calls++ > 0 && calls <= times + 1) throw new BusyError('the machine is too busy: Ant')
    }
  }

  test('makes matches void, which are played again when the load has fallen, as often as it takes', async () => {
    const folder = fresh()
    const backoff = { shortest: 5, longest: 20, total: 60_000 }
    const calm = await play(field(), {})
    const run = await play(field(), { folder, jobs: 1, waitWhilePaused: busy(7), backoff })
    expect(run.notes).toEqual(
      Array(7).fill(expect.stringMatching(/^1\/.*: void: the machine is too busy: Ant; it is played again in 1 s$/)),
    )
    expect([run.finished, run.records]).toEqual([true, calm.records])
    const store = openStore(folder, 'test')
    expect((await store.log('run')).filter(({ what }) => what === 'stalled')).toHaveLength(7)
    await store.close()
  })

  test('ends the run with a clear word where it stays so; what was played is kept', async () => {
    const folder = fresh()
    const backoff = { shortest: 5, longest: 20, total: 100 }
    await expect(play(field(), { folder, jobs: 1, waitWhilePaused: busy(Infinity), backoff })).rejects.toThrow(
      /^the machine is too busy: Ant, still after 1 s of waiting\. What is done is kept$/,
    )
    expect((await play(field(), { folder })).finished).toBe(true)
  })

  test('does not keep a run from being interrupted while it waits', async () => {
    const stop = new AbortController()
    const backoff = { shortest: 600_000, longest: 600_000, total: 6_000_000 }
    const on = (event: TournamentEvent) => void (event.type === 'note' && stop.abort())
    const run = await play(field(), { jobs: 1, waitWhilePaused: busy(Infinity), backoff, signal: stop.signal, on })
    expect([run.finished, run.played]).toEqual([false, 0])
  })

  test('is waited for in pauses that grow, each as long as all before it', () => {
    const pauseMs = backoffPauses({ shortest: 1000, longest: 60_000, total: 600_000 })
    const error = new BusyError('busy')
    const pauses: number[] = []
    expect(() => {
      for (;;) pauses.push(pauseMs(error))
    }).toThrow(new BusyError('busy, still after 604 s of waiting. What is done is kept'))
    const rest = Array(9).fill(60_000) as number[]
    expect(pauses).toEqual([1000, 1000, 2000, 4000, 8000, 16_000, 32_000, ...rest])
    expect(() => backoffPauses({ shortest: 1000, longest: 60_000, total: 0 })(error)).toThrow(/^busy\. What/)
  })
})

test('with one bot timed at a time, as many matches under way come to the same', async () => {
  const field = FIELD.slice(0, 3).map(entrantOf)
  const [strict, loose] = [
    await play(field, { place: { rooms: fresh(), timed: 1 }, jobs: 4 }),
    await play(field, { jobs: 1 }),
  ]
  expect(strict.records).toEqual(loose.records)
})

test('a run that was stopped before it began plays nothing', async () => {
  const run = await play(FIELD.slice(0, 3).map(entrantOf), { signal: AbortSignal.abort() })
  expect([run.played, run.finished]).toEqual([0, false])
})

describe('a tournament whose bots live through it', () => {
  const field = () => FIELD.slice(3).map(entrantOf)

  test('may be interrupted while it waits for another process that plays it', async () => {
    const folder = fresh()
    const other = openStore(folder, 'test')
    await other.acquireLease(TOURNAMENT)
    const stop = new AbortController()
    const on = (event: TournamentEvent): void => void (event.type === 'note' && stop.abort())
    const run = await play(field(), { folder, signal: stop.signal, on })
    expect([run.played, run.finished]).toEqual([0, false])
    await other.close()
    expect((await play(field(), { folder })).finished).toBe(true)
  })

  test('ends where its lease was lost, and is resumed with what was stored', async () => {
    const whole = await play(field(), { jobs: 1 })
    const folder = fresh()
    // How many jobs come together depends on the time that they take.
    let stored = 0
    const wrap = (store: Store): Store =>
      changed(store, {
        record: async (run, jobs) => {
          if (stored + jobs.length > 5) throw new LeaseLostError()
          stored += jobs.length
          return store.record(run, jobs)
        },
      })
    await expect(play(field(), { folder, jobs: 1, wrap })).rejects.toThrow(
      'this agon was stopped for so long that another one could take its place: continue with the option "resume"',
    )
    // What could not be stored together is tried one by one.
    expect(stored).toBe(5)
    const resumed = await play(field(), { folder })
    expect([resumed.finished, resumed.reused > 0, resumed.records]).toEqual([true, true, whole.records])
  })
})

test('the first match of a long schedule begins before all of it was looked up, and what is missing is played', async () => {
  const load = async () => () => '0'
  const field = ['A', 'B'].map((name): Seatable => ({
    name,
    wire: 'module',
    memory: 'match',
    run: { kind: 'module', load },
  }))
  const length = 20_000
  const pairings = Array.from({ length }, (_, i) => ({ key: `1/A-B/${i + 1}`, seats: [0, 1], deal: i }))
  const schedule: Tournament = {
    next: ({ size }) => (size < length ? { label: 'round 1', series: [{ key: '1/A-B', pairings }] } : undefined),
    standings: () => ({ columns: [], rows: [], notes: [] }),
    total: () => length,
  }
  const folder = fresh()
  const stop = new AbortController()
  let asked = 0
  const first = await play(field, {
    folder,
    schedule,
    signal: stop.signal,
    wrap: (store) =>
      changed(store, {
        adopt: (run, jobs) => {
          asked += jobs.length
          return store.adopt(run, jobs)
        },
      }),
    on: ({ type }) => {
      if (type === 'match') stop.abort(new Error('enough'))
    },
  })
  expect(first.played).toBeGreaterThan(0)
  expect(asked).toBeLessThan(length / 4)
  // What was played lies at the beginning; what comes after it is played, and each match once.
  const end = 1500
  const rest = await play(field, {
    folder,
    schedule: {
      ...schedule,
      next: ({ size }) =>
        size < end ? { label: 'round 1', series: [{ key: '1/A-B', pairings: pairings.slice(0, end) }] } : undefined,
      total: () => end,
    },
  })
  expect([rest.reused + rest.played, rest.results.size, rest.finished]).toEqual([end, end, true])
  expect(rest.reused).toBeGreaterThanOrEqual(first.played)
  expect(rest.jobKeys.length).toBe(end)
})
