import { mkdtempSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { performance } from 'node:perf_hooks'
import { derive, newLuck } from '../src/core/index.js'
import type { MatchRecord } from '../src/core/index.js'
import { openStore } from '../src/store/index.js'
import type { PlayedMatch, PlayedJob, RunInfo } from '../src/store/data.js'
import { FIELD, NAMES, SHAPES, entrants, shapes } from './filled/shapes.js'
import { median, type Row } from './kit.js'

export const measures =
  'recorded matches a second by one writer, milliseconds for a leaderboard and a bot’s page, bytes a match (--full: over a million matches)'

const FULL = 1_000_000
const QUICK = 50_000
const BATCH = 2000
/** The nth match: everyone meets everyone, over and over. */
function job(shape: MatchRecord, n: number): PlayedJob {
  const a = n % FIELD
  const b = (a + 1 + (Math.floor(n / FIELD) % (FIELD - 1))) % FIELD
  const names = [NAMES[a] as string, NAMES[b] as string]
  const seats = shape.seats.map((seat, i) => ({ ...seat, entrant: names[i] as string }))
  const record = { ...shape, key: `1/${names.join('-')}/${n}`, luck: newLuck(derive('luck', n)), seats }
  const faults: PlayedMatch['faults'] = n % 100 === 0 ? [{ seat: 0, turn: 3, fault: 'timeout' }] : []
  return { key: derive('unit', n), matches: [{ record, faults, seats: [a, b], playoff: false }] }
}

const run = (game: string): RunInfo => ({
  id: 'bench',
  agon: 'bench',
  contest: 'bench.toml',
  title: 'Bench',
  game,
  version: 1,
  seed: 'bench',
  out: 'bench',
  began: new Date().toISOString(),
  state: 'open',
  tournament: derive('tournament'),
  identity: {},
  plan: {
    options: {},
    format: { kind: 'round-robin', repetitions: 1, swap: true, playoff: 0 },
    scoring: { win: 1, draw: 0.5, loss: 0, ties: [] },
    limits: {},
    names: NAMES,
    seats: { min: 2, max: 2 },
    shuffled: false,
  },
})
/** Milliseconds, the middle of many. */
async function time(look: () => Promise<unknown>): Promise<number> {
  const times: number[] = []
  for (let n = 0; n < 21; n++) {
    const began = performance.now()
    await look()
    times.push(performance.now() - began)
  }
  return median(times)
}

export default async function store(full: boolean): Promise<readonly Row[]> {
  const folder = mkdtempSync(join(tmpdir(), 'agon-bench-store-'))
  const opened = openStore(folder, 'bench')
  try {
    const kinds = shapes()
    await opened.addRun(run('samurai'), entrants)
    const total = full ? FULL : QUICK
    let writing = 0
    let working = 0
    for (let from = 0; from < total; from += BATCH) {
      const jobs = Array.from({ length: BATCH }, (_, i) => job(kinds[i % SHAPES] as MatchRecord, from + i))
      const began = performance.now()
      const used = process.cpuUsage()
      await opened.record('bench', jobs)
      writing += performance.now() - began
      const { user, system } = process.cpuUsage(used)
      working += (user + system) / 1000
    }
    // What a live run does: one match a transaction.
    const single = 2000
    const jobs = Array.from({ length: single }, (_, i) => job(kinds[i % SHAPES] as MatchRecord, total + i))
    const began = performance.now()
    for (const one of jobs) await opened.record('bench', [one])
    const singly = performance.now() - began
    const [{ id } = { id: 1 }] = await opened.matches('bench', { last: 1 })
    let at = 1
    const rows = [
      fast('recorded matches a second', total / (writing / 1000), 20_000),
      figure('recorded matches a CPU second', total / (working / 1000)),
      figure('one a transaction, a second', single / (singly / 1000)),
      quick(`leaderboard, ms (${total} matches)`, await time(() => opened.leaderboard('bench')), 50),
      quick(`a bot's page, ms (${total} matches)`, await time(() => opened.page('bench', 7)), 50),
      quick('a record, ms', await time(() => opened.recordOf((at = ((at * 7919) % id) + 1))), 50),
    ]
    await opened.close()
    const bytes = statSync(join(folder, 'agon.db')).size / (total + single)
    return [...rows, figure('bytes a match', bytes)]
  } finally {
    await opened.close()
    rmSync(folder, { recursive: true, force: true })
  }
}

const figure = (name: string, value: number): Row => ({ name, value, limit: null, ratio: null, goal: null })
const fast = (name: string, value: number, limit: number): Row => ({
  name,
  value,
  limit,
  ratio: value / limit,
  goal: 1,
})
/** What may take so long at most: the ratio says how often it would fit. */
const quick = (name: string, value: number, limit: number): Row => ({
  name,
  value,
  limit,
  ratio: limit / value,
  goal: 1,
})
