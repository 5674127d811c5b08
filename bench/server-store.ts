import { performance } from 'node:perf_hooks'
import { openServerStore } from '../src/store/postgres/store.js'
import { durableServer } from '../test/kit/postgres.js'
import { type Row, fast, figure, quick, time } from './kit.js'
import { entrants, jobsOf, runOf, take } from './large/stored-run.js'

export const measures =
  'the same on a PostgreSQL server of this machine, which waits for its disk (--full: over a million matches)'

const FULL = 1_000_000
const QUICK = 50_000
const BATCH = 2000
const SINGLE = 500

export default async function serverStore(full: boolean): Promise<readonly Row[]> {
  const server = await durableServer()
  const url = await server.database()
  const store = await openServerStore(url, 'bench')
  try {
    const total = full ? FULL : QUICK
    const jobs = jobsOf(total + SINGLE)
    await store.addRun(runOf('/bench.toml', total + SINGLE), entrants)
    let writing = 0
    for (let from = 0; from < total; from += BATCH) {
      const batch = take(jobs, BATCH)
      const began = performance.now()
      await store.record('bench', batch)
      writing += performance.now() - began
    }
    const single = take(jobs, SINGLE)
    const began = performance.now()
    for (const one of single) await store.record('bench', [one])
    const singly = performance.now() - began
    const [{ id } = { id: 1 }] = await store.matches('bench', { last: 1 })
    let at = 1
    const [size] = await server.query<{ bytes: string }>(
      url.split('/').at(-1) ?? '',
      'select pg_database_size(current_database()) as bytes',
    )
    return [
      fast('recorded matches a second', total / (writing / 1000), 15_000),
      figure('one a transaction, a second', SINGLE / (singly / 1000)),
      quick(`leaderboard, ms (${total} matches)`, await time(() => store.leaderboard('bench')), 50),
      quick(`a bot's page, ms (${total} matches)`, await time(() => store.page('bench', 7)), 50),
      quick('a record, ms', await time(() => store.recordOf((at = ((at * 7919) % id) + 1))), 50),
      figure('bytes a match', Number(size?.bytes) / (total + SINGLE)),
    ]
  } finally {
    await store.close()
    await server.stop()
  }
}
