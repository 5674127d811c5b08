import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { PROGRAMS, testServer } from '../../../test/kit/postgres.js'
import { TestQueue, postedRun, requestOf } from '../../../test/kit/queue.js'
import { addRun, duelArena, duelEntrants } from '../../../test/kit/posted.js'
import { until } from '../../../test/kit/until.js'
import type { MatchRecord } from '../../core/index.js'
import { type Arena, type JobRequest, WorkerDistrusted, runTournament } from '../../engine/index.js'
import gunduel from '../../games/gunduel/index.js'
import { JobVerifier } from './job-verifier.js'

const NAMES = ['One', 'Two']
const posted = postedRun('run')
const verifier = new JobVerifier(posted, { definition: gunduel })

const about = { host: 'h', pid: 1, agon: 'test', cores: 1, slots: 1, labels: [], toolchains: {} }
const card = { id: 'liar', ...about, isolation: 'none' as const }

/** What is written of a match; `by`: the worker that is said to have stored it. */
interface Stored {
  readonly request: JobRequest
  readonly record: (honest: MatchRecord) => unknown
  readonly by?: string
}

describe.runIf(PROGRAMS !== undefined)('rows that a worker wrote by hand', () => {
  let [folder, queue, arena]: [string, TestQueue | undefined, Arena | undefined] = ['', undefined, undefined]
  beforeAll(async () => {
    await testServer()
    folder = mkdtempSync(join(tmpdir(), 'agon-rows-'))
  }, 300_000)
  afterAll(() => rmSync(folder, { recursive: true, force: true }))
  beforeEach(async () => {
    arena = duelArena(posted, folder)
    queue = await TestQueue.open()
    await addRun(queue.store, NAMES)
  })
  afterEach(async () => {
    await queue?.close()
    await arena?.close()
  })

  const play = async ({ job }: JobRequest): Promise<MatchRecord> => {
    const [record] = (await arena?.job(job, 0)) ?? []
    if (record === undefined) throw new Error('nothing was played')
    return record
  }

  /** Announces who is not there, takes the next batch of the run, and says this of it. */
  async function answer(output: unknown, stored?: Stored, worker = 'liar', ms = 1) {
    const { store, batches, board } = queue as TestQueue
    await board.announce(card)
    let lane = ''
    await until(async () => {
      lane = (await board.lanes('run')).find(({ ready }) => ready)?.queue ?? ''
      return lane !== ''
    })
    const batch = await batches.fetch(lane, 'run')
    if (batch === undefined) throw new Error('there is no batch')
    if (stored !== undefined) await write(stored)
    await store.transaction((tx) => batches.end(tx, batch, { worker, ms, jobs: [output] } as never))
  }

  /** Stores a match that was played, with another record in its place. */
  async function write({ request, record, by = 'liar' }: Stored): Promise<void> {
    const { store } = queue as TestQueue
    const honest = await play(request)
    const { played } = verifier.verify(request, { records: [honest] })
    const matches = (played?.matches ?? []).map((one) => ({
      ...one,
      record: { ...one.record, toJSON: () => record(honest) },
    }))
    await store.transaction(async (tx) => {
      await tx.query("SELECT set_config('agon.worker', (SELECT number::text FROM agon.worker WHERE id = $1), true)", [
        by,
      ])
      await store.recordIn(tx, 'run', [{ key: keyOf(request), matches }])
    })
  }

  const rows = async (): Promise<number> =>
    (await (queue as TestQueue).store.query<{ n: number }>('SELECT count(*)::int AS n FROM agon.match')).rows[0]?.n ??
    -1

  const keyOf = (request: JobRequest): string => verifier.keysOf(request.job)[0] ?? ''

  it.each<[string, (record: MatchRecord) => unknown]>([
    ['nothing', () => null],
    ['a number', () => 7],
    ['a list', () => []],
    ['no fields', () => ({})],
    ['no luck', (record) => ({ ...record, luck: null })],
    ['steps that are none', (record) => ({ ...record, steps: { length: 1e9 } })],
    ['a step of nothing', (record) => ({ ...record, steps: [null] })],
    ['no outcome', (record) => ({ ...record, outcome: null })],
    ['seats without end', (record) => ({ ...record, seats: { length: -1 } })],
    ['a game of no such name', (record) => ({ ...record, game: '__proto__' })],
  ])('with a record of %s, accuse who wrote them', async (_, change) => {
    const pool = await (queue as TestQueue).run('run')
    const request = requestOf('a')
    const came = pool.play([request]).catch((error: unknown) => error)
    await answer({ key: keyOf(request) }, { request, record: change })
    expect(await came).toBeInstanceOf(WorkerDistrusted)
    expect(await came).toMatchObject({ worker: 'liar', jobs: [keyOf(request)] })
  })

  it.each([
    ['a row that is not as agon writes it', "UPDATE agon.match SET outcome = '{'"],
    ['records that open to nothing', "UPDATE agon.pack SET data = 'x'"],
    ['faults that are none', "UPDATE agon.match SET faulted = 'null'"],
  ])('that cannot be read (%s) accuse who says that they are there, and are taken back', async (_, statement) => {
    const { store, board } = queue as TestQueue
    const pool = await (queue as TestQueue).run('run')
    const request = requestOf('a')
    const came = pool.play([request]).catch((error: unknown) => error)
    await until(async () => (await board.lanes('run')).some(({ ready }) => ready))
    await board.announce(card)
    await write({ request, record: (honest) => honest })
    await store.query(statement)
    await answer({ key: keyOf(request) })
    expect(await came).toMatchObject({ worker: 'liar', why: 'what it stored cannot be read', jobs: [keyOf(request)] })
    expect(await store.takeBack('run', 'liar', 'it lied')).toMatchObject({ matches: 1 })
  })

  it('are judged, too, where the batch says that they lay there before: who is said to have stored them is accused', async () => {
    const { store, board } = queue as TestQueue
    const pool = await (queue as TestQueue).run('run')
    const request = requestOf('a')
    await board.announce({ ...card, id: 'forger' }, undefined)
    const came = pool.play([request]).catch((error: unknown) => error)
    const record = (honest: MatchRecord) => ({ ...honest, luck: { ...honest.luck, seed: '0'.repeat(16) } })
    await answer({ key: keyOf(request), before: true }, { request, record, by: 'forger' })
    const why = 'a: it stored another match'
    expect(await came).toMatchObject({ worker: 'forger', why, jobs: [keyOf(request)] })
    // A forger may have named another worker in the row, or none.
    await store.query('UPDATE agon.match SET worker = NULL')
    expect(await store.takeBack('run', 'forger', why, [keyOf(request)])).toMatchObject({ matches: 1 })
    expect(await rows()).toBe(0)
  })

  it('that are as they should be are taken, also where another worker had stored them before', async () => {
    const pool = await (queue as TestQueue).run('run')
    const request = requestOf('a')
    const came = pool.play([request])
    await answer({ key: keyOf(request), before: true }, { request, record: (honest) => honest })
    expect(await came).toMatchObject([{ records: [{ key: 'a' }], judged: [{ faults: [] }] }])
  })

  it('while no run was there are judged when a run takes them from the store', async () => {
    const { store, board } = queue as TestQueue
    await board.announce({ ...card, id: 'forger' }, undefined)
    const [good, bad] = [requestOf('a'), requestOf('b')]
    await write({ request: good, record: (honest) => honest, by: 'forger' })
    const forged = (honest: MatchRecord) => ({ ...honest, outcome: { ...honest.outcome, place: [1, 2], reason: 'x' } })
    await write({ request: bad, record: forged, by: 'forger' })
    const pool = await (queue as TestQueue).run('run')
    const schedule = {
      next: () => ({ label: '', series: [good, bad].map(({ job }) => job) }),
      standings: () => ({ columns: [], rows: [], notes: [] }),
      total: () => 2,
    }
    const { setup, tournament, hashes } = posted
    const run = {
      ...setup,
      definition: gunduel,
      entrants: duelEntrants(posted),
      tournament,
      hashes,
      id: 'run',
      store,
      schedule,
      workers: pool,
    }
    const never = new AbortController().signal
    const resumed = runTournament({ ...run, jobs: 1, rooms: folder, signal: never, on: () => undefined })
    const found = await resumed.catch((error: unknown) => error)
    expect(found).toMatchObject({ worker: 'forger', jobs: [keyOf(bad)] })
    expect(found).toBeInstanceOf(WorkerDistrusted)
  })

  it('that say that bots of the whole tournament cannot play are not believed alone: another worker is asked', async () => {
    const { board } = queue as TestQueue
    await board.announce({ ...card, id: 'honest' }, undefined)
    await board.announce(card)
    const pool = await (queue as TestQueue).run('run')
    const request = requestOf('a')
    const asked = () => pool.playLongLived([request], [])
    const failure = { failure: 'mistake', why: 'it cannot' }
    const first = asked()
    await answer(failure)
    expect(await first).toEqual([undefined])
    const second = asked()
    await until(async () => (await board.lanes('run')).some(({ needs }) => needs.includes('not liar')))
    await answer({ key: keyOf(request) }, { request, record: (honest) => honest, by: 'honest' }, 'honest')
    expect(await second).toMatchObject([{ records: [{ key: 'a' }], stored: true }])
    const other = requestOf('b')
    const alone = pool.playLongLived([other], [])
    await answer(failure, undefined, 'honest')
    expect(await alone).toEqual([undefined])
    const both = pool.playLongLived([other], [])
    await answer(failure)
    expect(await both).toEqual([failure])
  })

  /** As a database is whose tables are another user's. */
  const unbound = () =>
    (queue as TestQueue).store.query(
      'ALTER TABLE agon_queue.job_common DROP CONSTRAINT agon_bytes; ALTER TABLE agon.worker DROP CONSTRAINT worker_bytes',
    )

  it('are refused by the tables themselves where they are longer than anything that agon writes', async () => {
    const { store, board } = queue as TestQueue
    const pool = await (queue as TestQueue).run('run')
    const came = pool.play([requestOf('a')])
    await until(async () => (await board.lanes('run')).some(({ ready }) => ready))
    await board.announce(card)
    for (const [statement, bytes] of [
      ["UPDATE agon_queue.job SET data = data || jsonb_build_object('more', LONG)", 128 * 1024 ** 2],
      ["UPDATE agon_queue.job SET output = jsonb_build_object('more', LONG)", 16 * 1024 ** 2],
      ['UPDATE agon.worker SET labels = jsonb_build_array(LONG)', 65_000],
      ['UPDATE agon.worker SET playing = jsonb_build_array(LONG)', 65_000],
      ['UPDATE agon.worker SET id = LONG', 200],
      ["INSERT INTO agon.refusal VALUES ('run', 'liar', 'One', LONG)", 8000],
      ["INSERT INTO agon.refusal VALUES ('run', 'liar', LONG, '')", 4000],
      ["INSERT INTO agon.place VALUES ('run', LONG)", 200],
      ["INSERT INTO agon.written VALUES ('run', 'liar', 'One', LONG)", 262_144],
    ] as const) {
      const refused = store.query(statement.replace('LONG', `repeat('x', ${bytes + 1})`))
      await expect(refused, statement).rejects.toThrow(/violates check constraint/)
    }
    await store.query("UPDATE agon.worker SET labels = '[\"gpu\"]', aside = 'it lied'")
    await answer({ key: keyOf(requestOf('a')) }, { request: requestOf('a'), record: (honest) => honest })
    expect(await came).toMatchObject([{ records: [{ key: 'a' }] }])
  })

  it('of a worker that says more of itself than is kept are refused in words, and what it writes of a run is cut', async () => {
    const { store, board } = queue as TestQueue
    await (queue as TestQueue).run('run')
    const labels = Array.from({ length: 2000 }, (_, n) => `label-${n}`.padEnd(30, 'x'))
    const announced = board.announce({ ...card, labels })
    await expect(announced).rejects.toThrow(
      /^this worker says 6\d{4} bytes of itself, and the store keeps 50000 at most: give it fewer labels/,
    )
    await board.announce(card)
    await board.beat(
      card.id,
      Array.from({ length: 5000 }, (_, n) => `run-${n}`),
    )
    expect((await board.workers()).map(({ playing }) => playing.length)).toEqual([50])
    await board.refuse('run', card.id, 'One', `a\0${'é'.repeat(9000)}`)
    expect((await board.refusals('run')).map(({ why }) => why)).toEqual([`a\uFFFD${'é'.repeat(1998)}`])
    await store.takeBack('run', card.id, 'é'.repeat(9000))
    expect((await board.workers()).map(({ aside }) => aside?.length)).toEqual([2000])
  })

  it('count for nothing where a batch’s outcome is larger than any worker’s', async () => {
    await unbound()
    const pool = await (queue as TestQueue).run('run')
    const request = requestOf('a')
    const came = pool.play([request])
    await answer({ failure: 'mistake', why: 'long', more: 'x'.repeat(17 * 1024 ** 2) })
    await answer({ key: keyOf(request) }, { request, record: (honest) => honest })
    expect(await came).toMatchObject([{ records: [{ key: 'a' }] }])
  })

  it('count for nothing where a batch is longer than any run sends, or a worker says more of itself than any does', async () => {
    const { store, board, batches } = queue as TestQueue
    await unbound()
    const pool = await (queue as TestQueue).run('run')
    const came = pool.play([requestOf('a')]).catch((error: unknown) => error)
    await until(async () => (await board.lanes('run')).some(({ ready }) => ready))
    const [{ queue: name } = { queue: '' }] = await board.lanes('run')
    await store.query(
      `UPDATE agon_queue.job SET data = data || jsonb_build_object('more', repeat('x', 129 * 1024 * 1024)) WHERE name = '${name}'`,
    )
    expect(await batches.fetch(name, 'run')).toBeUndefined()
    await board.announce(card)
    await board.announce({ ...card, id: 'talks' })
    await store.query("UPDATE agon.worker SET labels = jsonb_build_array(repeat('x', 80000)) WHERE id = 'talks'")
    expect((await board.workers()).map(({ id }) => id)).toEqual([card.id])
    // It is sent again, as it was.
    await answer({ key: keyOf(requestOf('a')) }, { request: requestOf('a'), record: (honest) => honest })
    expect(await came).toMatchObject([{ records: [{ key: 'a' }] }])
  })

  it('count for nothing where no worker says so, and the job is asked for again', async () => {
    const pool = await (queue as TestQueue).run('run')
    const request = requestOf('a')
    const came = pool.play([request])
    await answer({ key: keyOf(request) }, { request, record: (honest) => honest }, '')
    await answer({ key: keyOf(request) }, undefined, 'liar', -1)
    await answer({ key: keyOf(request) }, { request, record: (honest) => honest })
    expect(await came).toMatchObject([{ records: [{ key: 'a' }] }])
  })
})
