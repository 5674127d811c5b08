import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { PROGRAMS, testServer } from '../../../test/kit/postgres.js'
import { addRun, duelArena, postedDuels, randomDuellist } from '../../../test/kit/posted.js'
import type { Bot, MatchRecord } from '../../core/index.js'
import { type JobRequest, WorkerDistrusted, workersHere } from '../../engine/index.js'
import gunduel from '../../games/gunduel/index.js'
import type { ServerStore } from '../../store/index.js'
import { openServerStore } from '../../store/postgres/store.js'
import { Batches } from './boss.js'
import { Board } from './board.js'
import { JobVerifier } from './job-verifier.js'
import { isOutlier } from './lateness.js'
import { type PreparedRun, preparedRunOf } from './prepared-run.js'
import { QueuePool } from './queue-pool.js'
import { QueueWorker } from './queue-worker.js'

type Play = Bot<unknown, string>
const fair = randomDuellist
const dice: Play = () => '0-='.charAt(Math.floor(Math.random() * 3))
const NAMES = ['Ant', 'Bee']
const posted = postedDuels(NAMES)
const verifier = new JobVerifier(posted, { definition: gunduel })

let folder = ''
let made = 0
let ends: (() => Promise<unknown>)[] = []

/** What a worker plays with, and what it makes of it. */
interface Manner {
  readonly bots: readonly [Play, Play]
  readonly lands?: (honest: PreparedRun) => PreparedRun
}

describe.runIf(PROGRAMS !== undefined)('what workers report', () => {
  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'agon-audit-'))
    await testServer()
  }, 300_000)
  afterAll(() => rmSync(folder, { recursive: true, force: true }))

  async function scene(): Promise<{ store: ServerStore; pool: QueuePool; url: string }> {
    const url = await (await testServer()).database()
    const store = await openServerStore(url, 'test', () => undefined)
    await addRun(store, NAMES)
    const batches = await Batches.open(url, 2, () => undefined)
    const board = new Board(batches.sql)
    await board.post('run', posted, undefined)
    const pool = new QueuePool({
      run: 'run',
      posted,
      verifier,
      labels: [],
      store,
      batches,
      board,
      note: () => undefined,
    })
    ends = [async () => pool.close(), async () => batches.close(), async () => store.close()]
    return { store, pool, url }
  }

  async function worker(id: string, url: string, { bots, lands = (honest) => honest }: Manner): Promise<QueueWorker> {
    const store = await openServerStore(url, 'test', () => undefined)
    const about = { host: 'here', pid: 1, agon: 'test', cores: 1, slots: 1, labels: [], toolchains: {} }
    const started = await QueueWorker.start({
      store,
      workspace: join(folder, id),
      isolation: { trust: true },
      slots: 1,
      agon: 'test',
      note: () => undefined,
      games: { files: new Map(), all: false },
      card: { id, ...about, isolation: 'none' },
      rooms: join(folder, id),
      open: (run, _, rooms) => {
        const arena = duelArena(posted, rooms, bots)
        return Promise.resolve(lands(preparedRunOf(run, { definition: gunduel }, { pool: workersHere(arena, NAMES) })))
      },
    })
    ends.splice(
      1,
      0,
      async () => started.stop(),
      async () => store.close(),
    )
    return started
  }
  const end = async (): Promise<void> => {
    for (const one of ends) await one()
  }
  const request = (): JobRequest => {
    const key = `1/Ant-Bee/${made++}`
    return { job: { key, pairings: [{ key, seats: [0, 1], deal: made }] }, disturbed: 0 }
  }
  /** Plays one job after another until a worker is found out; undefined: none is, in so many. */
  async function foundOut(pool: QueuePool, jobs: number): Promise<WorkerDistrusted | undefined> {
    try {
      for (let n = 0; n < jobs; n++) await pool.play([request()])
      await pool.settle()
      return undefined
    } catch (error) {
      if (error instanceof WorkerDistrusted) return error
      throw error
    }
  }

  const forges =
    (change: (stored: ReturnType<JobVerifier['verify']>) => ReturnType<JobVerifier['verify']>) =>
    (honest: PreparedRun) => {
      const own = new JobVerifier(posted, { definition: gunduel })
      own.verify = (asked, response) => change(verifier.verify(asked, response))
      return { ...honest, verifier: own }
    }
  const forgesRecords = (change: (record: MatchRecord) => MatchRecord) =>
    forges(({ played, outcome }) => ({
      outcome,
      ...(played && {
        played: { ...played, matches: played.matches.map((one) => ({ ...one, record: change(one.record) })) },
      }),
    }))
  /** Its records are of another luck than the match has. */
  const otherLuck = forgesRecords((record) => ({
    ...record,
    luck: { ...record.luck, seed: '0'.repeat(record.luck.seed.length) },
  }))
  /** The first seat has won, whatever was played. */
  const otherOutcome = forgesRecords((record) => ({
    ...record,
    outcome: { ...record.outcome, place: [1, 2], reason: 'forged' },
  }))

  it.each([
    ['another match', /it stored another match/, { bots: [fair, fair], lands: otherLuck }],
    ['another outcome', /went otherwise/, { bots: [fair, fair], lands: otherOutcome }],
  ] as const)('is judged again: %s is found out at once, and taken back', async (_, why, manner) => {
    const { store, pool, url } = await scene()
    try {
      await worker('honest', url, { bots: [fair, fair] })
      expect(await foundOut(pool, 3)).toBeUndefined()
      await worker('liar', url, manner)
      const found = await foundOut(pool, 2000)
      expect(found).toMatchObject({ worker: 'liar', why: expect.stringMatching(why) as string })
      const rows = async (id: string): Promise<number> => {
        const text =
          'SELECT count(*)::int AS n FROM agon.match m JOIN agon.worker w ON w.number = m.worker WHERE w.id = $1'
        return (await store.query<{ n: number }>(text, [id])).rows[0]?.n ?? -1
      }
      const [good, bad] = [await rows('honest'), await rows('liar')]
      expect([good > 0, bad > 0]).toEqual([true, true])
      expect(await store.takeBack('run', 'liar', 'it lied')).toMatchObject({ matches: bad })
      expect([await rows('honest'), await rows('liar')]).toEqual([good, 0])
      // The run takes the others again as it goes on; its counts are those of its matches.
      expect((await store.run('run'))?.matches).toBe(0)
      const keys = await store.query<{ unit: string }>("SELECT DISTINCT encode(unit, 'hex') AS unit FROM agon.match")
      expect(
        (
          await store.adopt(
            'run',
            keys.rows.map(({ unit }) => unit),
          )
        ).size,
      ).toBe(good)
      expect((await store.run('run'))?.matches).toBe(good)
      expect((await store.results('run')).size).toBe(good)
      expect((await store.log('run')).at(-1)).toMatchObject({
        what: 'took back',
        detail: { worker: 'liar', matches: bad },
      })
    } finally {
      await end()
    }
  })

  it('is played again elsewhere: a worker that plays with other bots than were sent is found out by two that agree', async () => {
    const { pool, url } = await scene()
    try {
      await worker('liar', url, { bots: [() => '0', fair] })
      await worker('one', url, { bots: [fair, fair] })
      await worker('two', url, { bots: [fair, fair] })
      expect(await foundOut(pool, 2000)).toMatchObject({
        worker: 'liar',
        why: expect.stringContaining('otherwise') as string,
      })
    } finally {
      await end()
    }
  })

  it('lands no more once its worker is set aside, also of a batch that was under way', async () => {
    const { store, pool, url } = await scene()
    try {
      let open: () => void = () => undefined
      const opened = new Promise<void>((done) => (open = done))
      const asked = new Promise<void>((reached) => {
        const slow: Play = async (...what) => {
          reached()
          await opened
          return fair(...what)
        }
        void worker('slow', url, { bots: [slow, fair] })
      })
      const played = pool.play([request()])
      await asked
      await store.query("UPDATE agon.worker SET aside = 'it lied' WHERE id = 'slow'")
      open()
      await worker('honest', url, { bots: [fair, fair] })
      expect(await played).toMatchObject([{ stored: true }])
      const text =
        'SELECT w.id, count(*)::int AS n FROM agon.match m JOIN agon.worker w ON w.number = m.worker GROUP BY w.id'
      expect((await store.query<{ id: string; n: number }>(text)).rows).toEqual([{ id: 'honest', n: 1 }])
    } finally {
      await end()
    }
  })

  it('counts as stored only what the run holds, whatever a worker says', async () => {
    const { store, pool, url } = await scene()
    try {
      // It says of what it finds in the store that it has just played it for this run.
      const claims = forges(({ played, outcome }) => ({
        outcome: 'key' in outcome ? { key: outcome.key } : outcome,
        played,
      }))
      await worker('liar', url, { bots: [fair, fair], lands: claims })
      const asked = request()
      const isStored = async () => 'stored' in ((await pool.play([asked]))[0] ?? {})
      expect(await isStored()).toBe(true)
      await store.query('DELETE FROM agon.run_match')
      expect(await isStored()).toBe(false)
    } finally {
      await end()
    }
  })

  it('accuses no worker where bots answer as they please', async () => {
    const { pool, url } = await scene()
    try {
      for (const id of ['one', 'two', 'three']) await worker(id, url, { bots: [dice, fair] })
      expect(await foundOut(pool, 12)).toBeUndefined()
    } finally {
      await end()
    }
  })
})

it('a worker is an outlier where bots are late far more often on it than elsewhere, and not by chance', () => {
  const few = { matches: 1000, late: 5 }
  expect(isOutlier({ matches: 100, late: 40 }, few)).toBe(true)
  expect(isOutlier({ matches: 100, late: 3 }, few)).toBe(false)
  // A bot that is late everywhere, and a machine that is a little slower.
  expect(isOutlier({ matches: 100, late: 40 }, { matches: 1000, late: 350 })).toBe(false)
  expect(isOutlier({ matches: 1000, late: 30 }, { matches: 1000, late: 15 })).toBe(false)
  expect(isOutlier({ matches: 10, late: 10 }, few)).toBe(false)
  expect(isOutlier({ matches: 100, late: 40 }, { matches: 5, late: 0 })).toBe(false)
})
