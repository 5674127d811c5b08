import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import {
  type Memory,
  type Round,
  type Tournament,
  canonical,
  type Entrant,
  type Program,
  type Run,
} from '../../src/core/index.js'
import {
  type JobRequest,
  type JobResponse,
  type TournamentEvent,
  type RunResult,
  type TournamentSetting,
  type UnderWay,
  WorkerLostError,
  type WorkerPool,
  runTournament,
} from '../../src/engine/index.js'
import gunduel from '../../src/games/gunduel/index.js'
import { openStore } from '../../src/store/index.js'
import { playableRun } from '../../src/engine/seating.js'
import type { ThreadPlace } from '../../src/workers/thread.js'
import { entrantOf, runWith } from './records.js'

export interface WorkersSetting {
  readonly run: Run
  readonly place: Omit<ThreadPlace, 'core'>
  /** Batches that are under way at the same time. */
  readonly jobs: number
}

const SOURCES = {
  // A process that stays; its answers depend on its chance and on all that it was asked before.
  'lines.pl': `$| = 1; srand $ENV{AGON_SEED}; my $n = 0; print STDERR "began\\n";
    while (<STDIN>) { print +(qw(0 - =))[(3 * rand() + $n++) % 3], "\\n" if /^F/ }`,
  // After its second answer it waits until it may go on.
  'waits.pl': `$| = 1; my $n = 0;
    while (<STDIN>) { next unless /^F/; if ($n++ == 2) { select undef, undef, undef, 0.01 until -e '{go}' } print "0\\n" }`,
  'exit.pl': `srand $ENV{AGON_SEED}; exit ord((qw(0 - =))[3 * rand()]);`,
  // Counts its calls, and waits in the one whose number is asked for until it need not any more.
  'counts.pl': `open F, '>>', '{calls}'; print F "."; close F; my $n = -s '{calls}';
    open H, '<', '{hold}' and chomp(my $at = <H> // 0);
    if (($at // 0) == $n) { select undef, undef, undef, 0.01 while -e '{hold}' }
    exit ord '-';`,
  'module.mjs': `export default (_, chance) => '0-='.charAt(chance.below(3))`,
  // Ends the thread that it plays in, once, where it is asked to.
  'deadly.mjs': `import { existsSync, rmSync } from 'node:fs'
    const deadline = new URL('die', import.meta.url)
    export default (_, chance) => {
      if (existsSync(deadline)) { rmSync(deadline); process.exit(7) }
      return '0-='.charAt(chance.below(3))
    }`,
}
const FIELD: readonly (readonly [name: string, wire: string, memory: Memory, file: keyof typeof SOURCES])[] = [
  ['Turn', 'exit', 'turn', 'exit.pl'],
  ['Match', 'lines', 'match', 'lines.pl'],
  ['Series', 'lines', 'series', 'lines.pl'],
  ['Module', 'module', 'match', 'module.mjs'],
]
const MATCHES = 24

/** One series of so many matches of two. */
function oneSeries(matches: number): Tournament {
  const pairings = Array.from({ length: matches }, (_, n) => ({
    key: `s/${n + 1}`,
    seats: n % 2 === 0 ? [0, 1] : [1, 0],
    deal: n,
  }))
  return {
    next: (results) => (results.size === 0 ? { label: '1', series: [{ key: 's', pairings }] } : undefined),
    standings: () => ({ columns: [], rows: [], notes: [] }),
    total: () => matches,
  }
}

/** Two rounds of everyone against everyone, two duels a series with the seats swapped. */
function schedule(n: number): Tournament {
  const pairs = Array.from({ length: n }, (_, a) => Array.from({ length: n - a - 1 }, (_, b) => [a, a + b + 1])).flat()
  const rounds = ['1', '2'].map((label): Round => ({
    label,
    series: pairs.map(([a = 0, b = 0]) => {
      const key = `${label}/${a}-${b}`
      const pairings = [
        { key: `${key}/1`, seats: [a, b], deal: 1 },
        { key: `${key}/2`, seats: [b, a], deal: 2 },
      ]
      return { key, pairings }
    }),
  }))
  return {
    next: (results) =>
      rounds.find(({ series }) => !series.every((one) => one.pairings.every((p) => results.has(p.key)))),
    standings: () => ({ columns: [], rows: [], notes: [] }),
    total: () => 4 * pairs.length,
  }
}

interface PlayedRun extends RunResult {
  readonly notes: readonly string[]
  readonly records: readonly string[]
}

/**
 * What all workers do. `start` starts some; `mortal`: a bot that ends its thread ends one of them, and not the test; `live`: what they play
 * can be looked at while it is played.
 */
export function describeEngine(
  kind: string,
  start: (setting: WorkersSetting) => Promise<WorkerPool>,
  { mortal, live = true }: { readonly mortal: boolean; readonly live?: boolean },
): void {
  // Threads that are loaded from the sources take a while to start.
  describe(`${kind}: the workers`, { timeout: 120_000 }, () => {
    let place = ''
    let made = 0
    let whole: PlayedRun
    const fresh = (): string => join(place, String(made++))

    const prepared = ([name, wire, memory, file]: (typeof FIELD)[number]): Entrant => {
      const path = join(place, 'source', file)
      const program: Program = file.endsWith('.pl')
        ? { kind: 'process', argv: ['perl', path], cwd: join(place, 'source') }
        : { kind: 'module', file: path }
      return entrantOf(name, { house: true, wire, memory, program })
    }
    const settingOf = (bots: readonly Entrant[], jobs: number): WorkersSetting => ({
      run: runWith(gunduel, bots, {
        seed: 'secret',
        contest: { options: { ...gunduel.game.options, turns: 4 }, limits: { turn: 30_000 } },
      }),
      place: { isolation: { trust: true }, rooms: fresh() },
      jobs,
    })

    /** Plays a tournament, or goes on with that of the workspace `folder`. */
    async function play(
      more: Partial<TournamentSetting> & { bots?: readonly Entrant[]; folder?: string; workers?: WorkerPool } = {},
    ): Promise<PlayedRun> {
      const { bots = FIELD.map(prepared), folder = fresh(), jobs = 3, ...rest } = more
      const setting = settingOf(bots, jobs)
      const workers = rest.workers ?? (await start(setting))
      const store = openStore(folder, 'test')
      if ((await store.run('run')) === undefined) await store.addRun(setting.run)
      const notes: string[] = []
      const on = (event: TournamentEvent): void => void (event.type === 'note' && notes.push(event.text))
      try {
        const result = await runTournament(playableRun(setting.run, gunduel, setting.place.isolation), {
          schedule: schedule(bots.length),
          jobs,
          place: { rooms: fresh() },
          signal: new AbortController().signal,
          on,
          ...rest,
          workers,
          store,
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

    /** A match of these two, in that order. */
    const request = (a: number, b: number, key = `${a}-${b}`): JobRequest => ({
      job: { key, pairings: [{ key, seats: [a, b], deal: 1 }] },
      disturbed: 0,
      key: createHash('md5').update(key).digest('hex'),
    })
    const keysOf = (responses: readonly JobResponse[]) =>
      responses.map((one) =>
        'records' in one ? one.records.map(({ key }) => key) : 'failure' in one ? one.failure : [],
      )

    beforeAll(async () => {
      place = mkdtempSync(join(tmpdir(), 'agon-workers-'))
      mkdirSync(join(place, 'source'))
      for (const [name, text] of Object.entries(SOURCES))
        writeFileSync(
          join(place, 'source', name),
          text.replace(/\{(go|calls|hold)\}/g, (_, file: string) => join(place, file)),
        )
      whole = await play({ jobs: 1 })
    }, 120_000)
    afterAll(() => rmSync(place, { recursive: true, force: true }))

    it('play a batch: a response a job, in order, and one that fails leaves the others alone', async () => {
      const workers = await start(settingOf(FIELD.map(prepared), 2))
      try {
        const series = { key: 's', pairings: [0, 1].map((n) => ({ key: `s/${n}`, seats: [2, 0], deal: n })) }
        // There is no ninety-ninth entrant: that is agon's own fault.
        const batch = [request(3, 0), request(99, 3), { ...request(0, 1), job: series }, request(0, 3)]
        const responses = await workers.play(batch)
        expect(keysOf(responses)).toEqual([['3-0'], 'fault', ['s/0', 's/1'], ['0-3']])
        expect(responses[1]).toMatchObject({ why: expect.stringMatching(/./) as string })
      } finally {
        await workers.close()
      }
    })

    it('are sent and answer plain data in which no path of this machine stands', async () => {
      const workers = await start(settingOf(FIELD.map(prepared), 1))
      const batch = FIELD.slice(1).map((_, i) => request(i + 1, 0))
      const responses = await workers.play(batch)
      await workers.close()
      const travels = { batch, responses }
      expect(JSON.parse(JSON.stringify(travels))).toEqual(travels)
      const text = JSON.stringify(travels)
      expect([text.includes(place), text.includes(tmpdir()), text.includes(process.cwd())]).toEqual([
        false,
        false,
        false,
      ])
    })

    it('play every match once, and bots that remember a series meet theirs in order, however many jobs there are', async () => {
      expect([whole.played, whole.finished, whole.notes, new Set(whole.records).size]).toEqual([
        MATCHES,
        true,
        [],
        MATCHES,
      ])
      const seen: string[] = []
      const on = (event: TournamentEvent): void => void (event.type === 'match' && seen.push(event.result.key))
      const parallel = await play({ jobs: 8, on })
      expect(parallel.records).toEqual(whole.records)
      expect([seen.length, new Set(seen).size]).toEqual([MATCHES, MATCHES])
    })

    it('tell what bots wrote to their standard error, and no more of what did not write', () => {
      expect(whole.stderr.get('Match')).toMatch(/^(began\n)+$/)
      expect(whole.stderr.get('Turn')).toBe('')
    })

    it.runIf(live)('are asked what has been played of a match under way, and of no other', async () => {
      const workers = await start(
        settingOf([...FIELD, ['Waits', 'lines', 'match', 'waits.pl'] as const].map(prepared), 2),
      )
      const look = (keys: readonly string[], seen?: { began: number; steps: number }) =>
        workers.look?.(keys, seen) ?? Promise.resolve(undefined)
      try {
        const playing = workers.play([request(3, 4, 'live')])
        let part = await look(['other', 'live'])
        while (part?.steps.length !== 2) {
          await new Promise((done) => setTimeout(done, 10))
          part = await look(['other', 'live'])
        }
        expect([part.key, part.from, part.steps[1]?.map(([seat]) => seat)]).toEqual(['live', 0, [0, 1]])
        const { began } = part
        expect(await look(['live'], { began, steps: 1 })).toMatchObject({ from: 1, steps: part.steps.slice(1) })
        expect(await look(['live'], { began: began - 1, steps: 1 })).toMatchObject({ from: 0, steps: part.steps })
        expect(JSON.parse(JSON.stringify(part))).toEqual(part)
        expect(await look(['other'])).toBeUndefined()
        writeFileSync(join(place, 'go'), '')
        const [response] = await playing
        const [record] = response && 'records' in response ? response.records : []
        expect(record?.steps.slice(0, 2)).toEqual(part.steps)
        expect(record?.steps[2]?.[1], 'what it answered when it might go on').toEqual([1, '0'])
        expect(await look(['live'])).toBeUndefined()
      } finally {
        writeFileSync(join(place, 'go'), '')
        await workers.close()
      }
    })

    it('are interrupted within a round, and the next ones play what is missing', async () => {
      const folder = fresh()
      const stop = new AbortController()
      let matches = 0
      const on = (event: TournamentEvent): void => void (event.type === 'match' && ++matches === 7 && stop.abort())
      const first = await play({ folder, signal: stop.signal, on })
      expect([first.finished, first.played >= 7, first.played < MATCHES]).toEqual([false, true, true])
      const second = await play({ folder })
      expect([second.finished, second.reused, second.played]).toEqual([true, first.played, MATCHES - first.played])
      expect(second.records).toEqual(whole.records)
    })

    it.runIf(live)('give up a series when the run is paused, and play all of it after that', async () => {
      const bots = [...FIELD.slice(2, 3), ['Counts', 'exit', 'turn', 'counts.pl'] as const].map(prepared)
      const calls = (): number => (existsSync(join(place, 'calls')) ? statSync(join(place, 'calls')).size : 0)
      const until = async (isSo: () => boolean): Promise<void> => {
        while (!isSo()) await new Promise((done) => setTimeout(done, 10))
      }
      const playSeries = (more: Parameters<typeof play>[0] = {}) =>
        play({ bots, jobs: 2, schedule: oneSeries(12), ...more })
      const calm = await playSeries()
      const all = calls()
      rmSync(join(place, 'calls'))

      const at = Math.floor(all / 2)
      writeFileSync(join(place, 'hold'), String(at))
      let pause = (): void => undefined
      let go = (): void => undefined
      let paused: Promise<void> | undefined
      let begun = 0
      const waitWhilePaused = async (matches = 0): Promise<void> => {
        if (matches > 0) begun++
        await paused
      }
      let underWay: UnderWay | undefined
      const onBegin = (one: UnderWay): void => void (underWay = one)
      const run = playSeries({ waitWhilePaused, onPause: (abandon) => (pause = abandon), onBegin })
      await until(() => calls() === at)
      // How far the series is can be seen: the call that is held is of the match after these.
      await expect.poll(() => underWay?.played(), { timeout: 20_000 }).toBe(Math.floor((12 * (at - 1)) / all))
      paused = new Promise((done) => (go = done))
      pause()
      rmSync(join(place, 'hold'))
      await until(() => begun === 2)
      // The turn under way was ended, with its match's closing call.
      const before = calls()
      expect(before).toBeLessThanOrEqual(at + 1)
      paused = undefined
      go()
      const { played, notes, records } = await run
      expect([played, notes, records]).toEqual([12, [], calm.records])
      expect(calls()).toBe(before + all)
    })

    it('are asked nothing while the run is paused, and go on after it', async () => {
      const workers = await start(settingOf(FIELD.map(prepared), 2))
      let asked = 0
      const counting: WorkerPool = { play: (batch) => (asked++, workers.play(batch)), close: () => workers.close() }
      let go = (): void => undefined
      let paused: Promise<void> | undefined
      let atPause = -1
      let meanwhile = -1
      const on = (event: TournamentEvent): void => {
        if (event.type !== 'match' || paused !== undefined) return
        paused = new Promise((done) => (go = done))
        atPause = asked
        setTimeout(() => {
          meanwhile = asked
          go()
        }, 300)
      }
      const run = await play({ jobs: 2, workers: counting, on, waitWhilePaused: async () => paused })
      // Who had passed before may have been on the way.
      expect([meanwhile - atPause <= 1, run.finished, run.played]).toEqual([true, true, MATCHES])
      expect(asked).toBeGreaterThan(meanwhile)
    })

    it('end what they play when they are closed, and play nothing more', async () => {
      const workers = await start(settingOf(FIELD.map(prepared), 2))
      const playing = workers.play(Array.from({ length: 200 }, (_, n) => request(0, 1, String(n))))
      const ended = playing.then(
        () => undefined,
        (error: unknown) => error,
      )
      await workers.close()
      expect(await ended).toBeInstanceOf(WorkerLostError)
      await expect(workers.play([request(0, 1)])).rejects.toThrow(WorkerLostError)
    })

    it.runIf(mortal)(
      'may die: what one of them played is played by another, and nothing is lost or counted twice',
      async () => {
        const bots = [...FIELD, ['Deadly', 'module', 'match', 'deadly.mjs'] as const].map(prepared)
        const calm = await play({ bots, jobs: 2 })
        expect(calm.notes).toEqual([])
        const die = join(place, 'source', 'die')
        writeFileSync(die, '')
        const run = await play({ bots, jobs: 2 })
        expect(existsSync(die)).toBe(false)
        expect(run.notes.length).toBeGreaterThan(0)
        for (const note of run.notes) expect(note).toMatch(/^\S+: void, played again: a thread of agon ended: .*7$/)
        expect([run.finished, run.played, run.records]).toEqual([true, calm.played, calm.records])
      },
    )
  })
}
