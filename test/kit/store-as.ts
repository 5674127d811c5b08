import type { PlayedJob, ServerStore } from '../../src/store/index.js'

/** Stores jobs as a worker does. */
export async function storeAs(
  worker: string,
  store: ServerStore,
  run: string,
  jobs: readonly PlayedJob[],
): Promise<void> {
  await store.transaction(async (tx) => {
    await tx.query(
      `INSERT INTO agon.worker (id, host, pid, agon, cores, slots, labels, toolchains, isolation)
       VALUES ($1, '', 1, '', 1, 1, '[]', '{}', 'none') ON CONFLICT DO NOTHING`,
      [worker],
    )
    await tx.query("SELECT set_config('agon.worker', (SELECT number::text FROM agon.worker WHERE id = $1), true)", [
      worker,
    ])
    await store.recordIn(tx, run, jobs)
  })
}
