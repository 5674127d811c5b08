import { join } from 'node:path'
import { describe } from 'vitest'
import { PROGRAMS } from '../../../test/kit/postgres.js'
import { freshDatabase } from '../../../test/kit/queue.js'
import { type WorkersSetting, describeEngine } from '../../../test/kit/engine.js'
import gunduel from '../../games/gunduel/index.js'
import type { WorkerPool } from '../../engine/index.js'
import { openServerStore } from '../../store/postgres/store.js'
import { playableRun } from '../../engine/seating.js'
import { startThreads } from '../pool.js'
import { QueuePool } from './queue-pool.js'
import { QueueWorker } from './queue-worker.js'
import { Queues } from './queues.js'
import { Registry } from './registry.js'

/** A run's queue on a server of its own, with a worker that takes from it. */
async function startQueue({ run, place, jobs }: WorkersSetting): Promise<WorkerPool> {
  const store = await openServerStore(await freshDatabase(), 'test', () => undefined)
  await store.addRun(run)
  const published = { agon: 'test', run, parcels: [], strictTiming: false, trust: true }
  const queues = await Queues.open(store, () => undefined)
  const registry = new Registry(store.sql)
  await registry.publish('run', published)
  const note = (): void => undefined
  const about = { host: 'here', pid: process.pid, cores: 2, labels: [], toolchains: {}, isolation: 'none' as const }
  const worker = await QueueWorker.start({
    store,
    workspace: place.rooms,
    isolation: place.isolation,
    slots: jobs,
    agon: 'test',
    note,
    info: { id: 'one', agon: 'test', slots: jobs, ...about },
    rooms: join(place.rooms, 'worker'),
    open: async (_own, _machine, rooms) => ({
      pool: await startThreads(run, { ...place, rooms }, jobs, note),
      refused: new Map(),
    }),
  })
  const pool = new QueuePool({ run: playableRun(run, gunduel, place.isolation), store, queues, registry, note })
  return {
    window: pool.window,
    looks: pool.looks,
    play: (batch) => pool.play(batch),
    async close() {
      const written = await pool.close()
      await worker.stop()
      await queues.close()
      await store.close()
      return written
    },
  }
}

describe.runIf(PROGRAMS !== undefined)('workers on other machines', () => {
  describeEngine('a queue', startQueue, { mortal: true, live: false })
})
