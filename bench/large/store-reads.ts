import { performance } from 'node:perf_hooks'
import type { BrowseFilter, PlayedJob, Store } from '../../src/store/index.js'
import { type Row, quick, time } from '../kit.js'
import { NAMES, take } from './stored-run.js'

/** What a list may be asked for. */
const LISTS: readonly (readonly [string, Omit<BrowseFilter, 'limit'>])[] = [
  ['a bot', { entrant: 7 }],
  ['two bots', { entrant: 7, opponent: 20 }],
  ['faults', { fault: 'any' }],
  ["a bot's faults", { entrant: 7, fault: 'timeout' }],
]

/** Jobs that the looks at a growing table take. */
export const LOOKS = 50

/** Milliseconds for what tables, pages and lists read of the run of a store with so many matches, to which these jobs are added. */
export async function readRows(store: Store, total: number, more: Generator<PlayedJob>): Promise<readonly Row[]> {
  const of = `(${total} matches)`
  const table = async (): Promise<void> => {
    await store.leaderboard('bench')
    await store.pairs('bench')
  }
  const began = performance.now()
  await table()
  const first = performance.now() - began
  const rows = [
    quick(`table at first, ms ${of}`, first, Math.max(500, total / 200)),
    quick(`table again, ms ${of}`, await time(table), 20),
  ]
  // Each look finds one more deal.
  await store.record('bench', take(more, 1))
  rows.push(
    quick(
      `table after a deal, ms ${of}`,
      await time(async () => {
        await store.record('bench', take(more, 1))
        await table()
      }),
      20,
    ),
    quick(`pairs, ms ${of}`, await time(() => store.pairs('bench')), 50),
  )
  for (const [name, filter] of LISTS) {
    const { next } = await store.browse('bench', { ...filter, limit: 50 })
    rows.push(
      quick(`list of ${name}, ms ${of}`, await time(() => store.browse('bench', { ...filter, limit: 50 })), 50),
      quick(
        `and on from its cursor, ms`,
        await time(() => store.browse('bench', { ...filter, limit: 50, before: next })),
        50,
      ),
    )
  }
  const { matches } = await store.browse('bench', { entrant: 7, limit: NAMES.length })
  let at = 0
  rows.push(quick('a record, ms', await time(() => store.recordOf(matches[at++ % matches.length]?.id ?? 0)), 50))
  return rows
}
