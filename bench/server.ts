import { mkdtempSync, readFileSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { brotliCompressSync } from 'node:zlib'
import { openStore } from '../src/store/index.js'
import type { Row } from './kit.js'
import { jobsOf, runOf, take } from './large/stored-run.js'
import { ask, throughput } from './server/ask.js'
import { type Child, startChild } from './server/child.js'
import { Listener } from './server/listeners.js'
import { Reads } from './server/reads.js'

export const measures =
  'a site with 500 listeners and 200 reads a second while it plays: milliseconds, events, memory (--full: 60 s over a million matches)'

const root = join(import.meta.dirname, '..')
const LISTENERS = 500
const PER_SECOND = 200

/** The run that the workspace holds before anything is served. */
const FILLED = 'bench'
const BATCH = 2000

/** A round robin of house bots that outlasts the measuring. */
const CONTEST = `title = "Under way"
game = "samurai"
memory = "match"
[format]
kind = "round-robin"
repetitions = 20000
[[entrants]]
house = "Metronome"
[[entrants]]
house = "Abacus"
`

export default async function server(full: boolean): Promise<readonly Row[]> {
  const workspace = mkdtempSync(join(tmpdir(), 'agon-bench-server-'))
  let served: Child | undefined
  try {
    const matches = await fill(workspace, full ? 1_000_000 : 20_000)
    const flags = ['serve', '--json', '--proxy', '--port', '0', '--workspace', workspace]
    served = await startChild([join(root, 'dist/bundle/main.js'), ...flags])
    const rate = await routeRate(served, full ? 10 : 3)
    return [...rate, ...(await whilePlaying(served, matches, full ? 60 : 10)), scriptOf()]
  } finally {
    await served?.end()
    rmSync(workspace, { recursive: true, force: true })
  }
}

/** Fills a workspace with a run of about so many matches, and returns how many there are. */
async function fill(workspace: string, matches: number): Promise<number> {
  const store = openStore(workspace, 'bench')
  try {
    await store.addRun(runOf('/bench/bench.toml', matches))
    const jobs = jobsOf(matches)
    let count = 0
    for (let batch = take(jobs, BATCH); batch.length > 0; batch = take(jobs, BATCH)) {
      await store.record(FILLED, batch)
      count += batch.length
    }
    return count
  } finally {
    await store.close()
  }
}

/** The standings route beside a bare route that sends as many bytes, over the same client. */
async function routeRate(served: Child, seconds: number): Promise<readonly Row[]> {
  const url = `${served.url}/api/v1/contests/${FILLED}/standings`
  const own = await throughput(url, () => served.cpu(), seconds)
  const bare = await startChild(['--import', 'tsx', join(root, 'bench/server/bare.ts'), String(own.bytes)])
  try {
    const limit = await throughput(bare.url, () => bare.cpu(), seconds)
    const ratio = own.perSecond / limit.perSecond
    return [
      { name: 'standings, requests a CPU second', value: own.perSecond, limit: limit.perSecond, ratio, goal: 0.3 },
    ]
  } finally {
    await bare.end()
  }
}

/** Reads and listeners for so many seconds while a contest is played. */
async function whilePlaying(served: Child, matches: number, seconds: number): Promise<readonly Row[]> {
  const api = `${served.url}/api/v1`
  const host = { authorization: `Bearer ${served.hostToken}`, 'content-type': 'application/json' }
  const { id } = JSON.parse((await ask(`${api}/contests`, host, JSON.stringify({ toml: CONTEST }))).text) as {
    id: string
  }
  await ask(`${api}/contests/${id}/start`, host, '')
  const begun = async (): Promise<boolean> =>
    (JSON.parse((await ask(`${api}/contests/${id}`)).text) as { matches: number }).matches > 0
  while (!(await begun())) await wait(200)
  const reads = new Reads(api, [FILLED, id])
  // What is made once, and the bots that are started, are no part of it.
  await reads.warm()
  await reads.run(PER_SECOND, 3)
  const listeners = Array.from({ length: LISTENERS }, () => new Listener(`${api}/contests/${id}/events`))
  await wait(2000)
  const memory: number[] = []
  const watch = setInterval(() => memory.push(served.memory()), 500)
  // Every tenth is cut once, and comes back.
  const cuts = setInterval(() => listeners[10 * Math.floor((Math.random() * LISTENERS) / 10)]?.cut(), 1000)
  const before = listeners[0]?.matches ?? 0
  const took = (await reads.run(PER_SECOND, seconds)).sort((a, b) => a - b)
  clearInterval(watch)
  clearInterval(cuts)
  await ask(`${api}/contests/${id}/pause`, host, '')
  const total = (JSON.parse((await ask(`${api}/contests/${id}`)).text) as { matches: number }).matches
  for (let n = 0; n < 50 && listeners.some((one) => one.matches !== total); n++) await wait(100)
  for (const one of listeners) one.close()
  const lost = listeners.reduce((sum, one) => sum + one.lost, 0)
  const behind = listeners.filter((one) => one.matches !== total).length
  const received = listeners.reduce((sum, one) => sum + one.events, 0)
  const third = Math.floor(memory.length / 3)
  const middle = (of: readonly number[]) => [...of].sort((a, b) => a - b)[of.length >> 1] ?? NaN
  const [early, late] = [middle(memory.slice(third, 2 * third)), middle(memory.slice(2 * third))]
  const p99 = took[Math.floor(0.99 * took.length)] ?? NaN
  return [
    { name: `p99 of ${took.length} reads, ms (${matches} matches)`, value: p99, limit: 100, ratio: 100 / p99, goal: 1 },
    ...[...reads.tookBy].map(([kind, ms]): Row => {
      const value = ms.sort((a, b) => a - b)[Math.floor(0.99 * ms.length)] ?? NaN
      return { name: `p99 of ${kind}, ms`, value, limit: null, ratio: null, goal: null }
    }),
    { name: 'median, ms', value: took[took.length >> 1] ?? NaN, limit: null, ratio: null, goal: null },
    {
      name: 'matches played meanwhile, a second',
      value: (total - before) / seconds,
      limit: null,
      ratio: null,
      goal: null,
    },
    {
      name: 'connections that broke',
      value: listeners.reduce((sum, one) => sum + one.broken, 0),
      limit: null,
      ratio: null,
      goal: null,
    },
    { name: `events received by ${LISTENERS}`, value: received, limit: null, ratio: null, goal: null },
    {
      name: 'listeners that missed nothing',
      value: LISTENERS - behind - Math.min(LISTENERS, lost),
      limit: LISTENERS,
      ratio: (LISTENERS - behind - Math.min(LISTENERS, lost)) / LISTENERS,
      goal: 1,
    },
    { name: 'MB at the end, beside the middle', value: late / 1e6, limit: early / 1e6, ratio: early / late, goal: 0.9 },
  ]
}

/** What a browser loads of script for the first page, compressed as it is sent. */
function scriptOf(): Row {
  const folder = join(root, 'dist/web/site')
  const html = readFileSync(join(folder, 'index.html'), 'utf8')
  const bytes = readdirSync(folder)
    .filter((file) => file.endsWith('.js') && html.includes(file))
    .reduce((sum, file) => sum + brotliCompressSync(readFileSync(join(folder, file))).length, 0)
  return { name: 'script of the first page, kB', value: bytes / 1000, limit: 200, ratio: 200_000 / bytes, goal: 1 }
}
