import { performance } from 'node:perf_hooks'
import { openServerStore } from '../src/store/postgres/store.js'
import { durableServer } from '../test/kit/postgres.js'
import { type Row, fast, figure } from './kit.js'
import { jobsOf, runOf, take } from './large/stored-run.js'
import { LOOKS, readRows } from './large/store-reads.js'

export const measures =
  'the same on a PostgreSQL server of this machine, which waits for its disk (--full: over a million matches)'

const FULL = 1_000_000
const QUICK = 50_000
const BATCH = 1000
const SINGLE = 500

export default async function serverStore(full: boolean): Promise<readonly Row[]> {
  const server = await durableServer()
  const url = await server.database()
  const store = await openServerStore(url, 'bench')
  try {
    const total = full ? FULL : QUICK
    const jobs = jobsOf(total + 2 * SINGLE + 2 * LOOKS)
    await store.addRun(runOf('/bench.toml', total + 2 * SINGLE + 2 * LOOKS))
    let writing = 0
    for (let from = 0; from < total; from += 2 * BATCH) {
      const batch = take(jobs, BATCH)
      const began = performance.now()
      await store.record('bench', batch)
      writing += performance.now() - began
    }
    const single = take(jobs, SINGLE)
    const began = performance.now()
    for (const one of single) await store.record('bench', [one])
    const singly = performance.now() - began
    const [size] = await server.query<{ bytes: string }>(
      url.split('/').at(-1) ?? '',
      'select pg_database_size(current_database()) as bytes',
    )
    return [
      fast('recorded matches a second', total / (writing / 1000), 15_000),
      figure('one deal a transaction, a second', SINGLE / (singly / 1000)),
      ...(await readRows(store, total, jobs)),
      figure('bytes a match', Number(size?.bytes) / (total + 2 * SINGLE)),
    ]
  } finally {
    await store.close()
    await server.stop()
  }
}
