import { parentPort, workerData } from 'node:worker_threads'
import { openStoreOf } from '../../app/open-store.js'
import { rateRun } from './rate-run.js'
import type { RatingTask } from './ratings.js'

/* The thread that rates a run: it has the store open for itself, and only reads it. */

const { workspace, server, run: id } = workerData as RatingTask
if (parentPort === null) throw new Error('started by agon as a thread, not by hand')
const store = await openStoreOf({ workspace, server, notice: () => undefined })
try {
  const run = await store.run(id)
  if (run === undefined) throw new Error(`there is no run ${id}`)
  parentPort.postMessage(await rateRun(store, run))
} finally {
  await store.close()
}
