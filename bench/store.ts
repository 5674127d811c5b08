import { mkdtempSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { performance } from 'node:perf_hooks'
import { openStore } from '../src/store/index.js'
import { type Row, fast, figure, quick } from './kit.js'
import { jobsOf, runOf, take } from './large/stored-run.js'
import { LOOKS, readRows } from './large/store-reads.js'

export const measures =
  'recorded matches a second by one writer, milliseconds for tables, pages and lists, bytes a match (--full: over a million matches)'

const FULL = 1_000_000
const QUICK = 100_000
const BATCH = 1000
const SINGLE = 2000
const BYTES = 450

export default async function store(full: boolean): Promise<readonly Row[]> {
  const folder = mkdtempSync(join(tmpdir(), 'agon-bench-store-'))
  const opened = openStore(folder, 'bench')
  try {
    const total = full ? FULL : QUICK
    const jobs = jobsOf(total + 2 * SINGLE + 2 * LOOKS)
    await opened.addRun(runOf(join(folder, 'bench.toml'), total + 2 * SINGLE + 2 * LOOKS))
    let writing = 0
    let working = 0
    for (let from = 0; from < total; from += 2 * BATCH) {
      const batch = take(jobs, BATCH)
      const began = performance.now()
      const used = process.cpuUsage()
      await opened.record('bench', batch)
      writing += performance.now() - began
      const { user, system } = process.cpuUsage(used)
      working += (user + system) / 1000
    }
    // What a live run does: one deal a transaction.
    const single = take(jobs, SINGLE)
    const began = performance.now()
    for (const one of single) await opened.record('bench', [one])
    const singly = performance.now() - began
    const rows = [
      fast('recorded matches a second', total / (writing / 1000), 20_000),
      figure('recorded matches a CPU second', total / (working / 1000)),
      figure('one deal a transaction, a second', SINGLE / (singly / 1000)),
      ...(await readRows(opened, total, jobs)),
    ]
    await opened.close()
    const bytes = statSync(join(folder, 'agon.db')).size / (total + 2 * SINGLE)
    return [...rows, quick('bytes a match', bytes, BYTES)]
  } finally {
    await opened.close()
    rmSync(folder, { recursive: true, force: true })
  }
}
