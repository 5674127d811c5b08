import { join } from 'node:path'
import { describe } from 'vitest'
import { PROGRAMS } from '../../../test/kit/postgres.js'
import { freshDatabase } from '../../../test/kit/queue.js'
import { TOURNAMENT, entrantsOf, runOf } from '../../../test/kit/records.js'
import { type WorkersSetting, describeEngine } from '../../../test/kit/engine.js'
import gunduel from '../../games/gunduel/index.js'
import type { WorkerPool } from '../../engine/index.js'
import { openServerStore } from '../../store/postgres/store.js'
import { Batches } from './boss.js'
import { Board } from './board.js'
import { JobVerifier } from './job-verifier.js'
import type { PostedRun } from './messages.js'
import { startThreads } from '../pool.js'
import { preparedRunOf } from './prepared-run.js'
import { QueuePool } from './queue-pool.js'
import { QueueWorker } from './queue-worker.js'

/** A run's queue on a server of its own, with a worker that takes from it. */
async function startQueue({ setup, place, jobs }: WorkersSetting): Promise<WorkerPool> {
  const store = await openServerStore(await freshDatabase(), 'test', () => undefined)
  const names = setup.entrants.map(({ name }) => name)
  const { plan, ...info } = runOf('run')
  await store.addRun({ ...info, plan: { ...plan, names } }, entrantsOf(names))
  const posted: PostedRun = {
    agon: 'test',
    setup,
    tournament: TOURNAMENT,
    hashes: setup.entrants.map(({ name }) => `hash of ${name}`),
    parcels: [],
    strictTiming: false,
    trust: true,
  }
  const batches = await Batches.open(store.url, 2, () => undefined)
  const board = new Board(batches.sql)
  await board.post('run', posted, undefined)
  const note = (): void => undefined
  const games = { files: new Map<string, string>(), all: false }
  const machine = { store, workspace: place.rooms, isolation: place.isolation, slots: jobs, agon: 'test', note, games }
  const card = {
    id: 'one',
    host: 'here',
    pid: process.pid,
    agon: 'test',
    cores: 2,
    slots: jobs,
    labels: [],
    toolchains: {},
    isolation: 'none' as const,
  }
  const worker = await QueueWorker.start({
    ...machine,
    card,
    rooms: join(place.rooms, 'worker'),
    open: async (own, _, rooms) =>
      preparedRunOf(own, { definition: gunduel }, { pool: await startThreads(setup, { ...place, rooms }, jobs, note) }),
  })
  const verifier = new JobVerifier(posted, { definition: gunduel })
  const pool = new QueuePool({ run: 'run', posted, verifier, labels: [], store, batches, board, note })
  return {
    window: pool.window,
    looks: pool.looks,
    // The engine of these tests has a store of its own: jobs stored on the server are not in it.
    play: async (batch) => (await pool.play(batch)).map((one) => ('records' in one ? { records: one.records } : one)),
    async close() {
      const written = await pool.close()
      await worker.stop()
      await batches.close()
      await store.close()
      return written
    },
  }
}

describe.runIf(PROGRAMS !== undefined)('workers on other machines', () => {
  describeEngine('a queue', startQueue, { mortal: true, live: false })
})
