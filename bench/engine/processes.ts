import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { type Running, startAgon } from '../../test/kit/agon-process.js'
import type { TestServer } from '../../test/kit/postgres.js'
import { type Row, fast, figure, quick } from '../kit.js'

const WORKERS = 4
/** Milliseconds that each match of `ideal` takes at least. */
const WAIT_MS = 100
const LEAST_SHARE = 0.95
/** The same matches may take so much longer through the server. */
const DEARER = 1.15
/** So many times fewer matches are those of the run that is taken off: enough that its threads have started. */
const SHORTER = 4
const IDLE_S = 20
/** Of a core. */
const IDLE_SHARE = 0.02

const contest = (matches: number, bot: string): string => `title = "Engine"
game = "samurai"
seed = "engine"
memory = "match"
[options]
turns = 1
[format]
repetitions = ${matches}
swap = false
${['One', 'Two'].map((name) => `[[entrants]]\nname = "${name}"\n${bot}\n`).join('')}`

const BOTS = {
  'waits.mjs': `export default () => new Promise((done) => setTimeout(() => done('B'), ${WAIT_MS}))\n`,
  'quick.mjs': `export default () => 'B'\n`,
  'quick.sh': 'echo B\n',
}

/** A folder in which agon is run against a server. */
export class Bench {
  constructor(
    private readonly folder: string,
    private readonly server: TestServer,
  ) {
    mkdirSync(folder, { recursive: true })
    for (const [name, text] of Object.entries(BOTS)) writeFileSync(join(folder, name), text)
  }

  /** Workers on bots that wait: their share in what they could play at best, from the first match to the last. */
  async ideal(matches: number): Promise<Row> {
    const url = await this.server.database()
    const workers = await this.workers(url, WORKERS, '--slots', '1')
    writeFileSync(join(this.folder, 'waits.toml'), contest(matches, 'module = "waits.mjs"'))
    await this.run('waits.toml', '--trust', '--store', url, '--workers-only')
    await this.end(workers)
    const [{ first, last, n } = { first: 0, last: 0, n: 0 }] = await this.server.query<{
      first: number
      last: number
      n: number
    }>(
      new URL(url).pathname.slice(1),
      'SELECT min(at)::float8 AS first, max(at)::float8 AS last, count(*)::int AS n FROM agon1.match',
    )
    const best = (n * WAIT_MS) / WORKERS
    const row = fast(
      `four workers, bots that wait ${WAIT_MS} ms: share of the ideal`,
      best / (last - first + WAIT_MS),
      1,
    )
    return { ...row, goal: LEAST_SHARE }
  }

  /**
   * What a match costs through the server, beside the threads of one process: in processor time, agon's and PostgreSQL's together, which other
   * work on the machine changes less than it does seconds. A short run is taken off, so that it is the cost of a match, and not of the start. The
   * matches a second are those of the whole long run.
   */
  async cost(name: string, bot: string, matches: number, ...words: readonly string[]): Promise<readonly Row[]> {
    const long: RunCost[] = []
    const perMatch: number[] = []
    for (const isHere of [true, false]) {
      const costs: RunCost[] = []
      for (const n of [matches / SHORTER, matches]) {
        writeFileSync(join(this.folder, 'quick.toml'), contest(n, bot))
        const [place, workspace] = isHere ? ['workspace', 'here'] : [await this.server.database(), 'there']
        const where = ['--store', place, '--workspace', `${workspace}-${n}`]
        costs.push(await this.costOf(() => this.run('quick.toml', ...words, ...where)))
      }
      const [short, whole] = costs as [RunCost, RunCost]
      perMatch.push((1000 * (whole.processor - short.processor)) / (matches - matches / SHORTER))
      long.push(whole)
    }
    const [here = NaN, there = NaN] = perMatch
    const [threads, server] = long as [RunCost, RunCost]
    return [
      { ...quick(`${name}: ms of a core a match through a server, beside threads`, there, here), goal: 1 / DEARER },
      {
        ...fast(`${name}: matches a second, start included`, matches / server.seconds, matches / threads.seconds),
        goal: 1 / DEARER,
      },
      figure(`${name}: ms of a core a match of PostgreSQL's`, (1000 * server.postgres) / matches),
    ]
  }

  private async costOf(work: () => Promise<number>): Promise<RunCost> {
    const [ownBefore, serverBefore] = [endedCpu(process.pid), await this.serverCpu()]
    const seconds = await work()
    const postgres = (await this.serverCpu()) - serverBefore
    return { seconds, postgres, processor: endedCpu(process.pid) - ownBefore + postgres }
  }

  /** Seconds of processor time that PostgreSQL has used, with its processes that have ended. */
  private async serverCpu(): Promise<number> {
    const pids = await this.serverPids()
    // The process that was asked has ended by now.
    const main = pids.map(parentOf).find((pid) => pid > 0) ?? 0
    return [...pids, main].reduce((sum, pid) => sum + cpuOf(pid), endedCpu(main))
  }

  private async serverPids(): Promise<readonly number[]> {
    const rows = await this.server.query<{ pid: number }>('postgres', 'SELECT pid FROM pg_stat_activity')
    return rows.map(({ pid }) => pid)
  }

  /** What a worker, and the server for its sake, use of a core while there is nothing to play. */
  async idle(): Promise<readonly Row[]> {
    const url = await this.server.database()
    const [worker] = await this.workers(url, 1)
    const used = async () => [cpuOf(worker?.pid ?? 0), await this.serverCpu()] as const
    const before = await used()
    await new Promise((done) => setTimeout(done, 1000 * IDLE_S))
    const after = await used()
    await this.end(worker ? [worker] : [])
    const share = (n: 0 | 1): number => (after[n] - before[n]) / IDLE_S
    return [
      quick('an idle worker: share of a core', share(0), IDLE_SHARE),
      figure('the server for an idle worker: share of a core', share(1)),
    ]
  }

  private async workers(url: string, n: number, ...words: readonly string[]): Promise<readonly Running[]> {
    const all = Array.from({ length: n }, (_, i) =>
      this.start('worker', '--store', url, '--json', '--workspace', `worker-${i}`, ...words),
    )
    for (const one of all) await one.printed('{"id"')
    return all
  }

  private async end(workers: readonly Running[]): Promise<void> {
    for (const one of workers) one.signal('SIGTERM')
    await Promise.all(workers.map((one) => one.ended))
  }

  /** Runs a contest to its end. Returns the seconds that it took, as the run itself counts them. */
  private async run(file: string, ...words: readonly string[]): Promise<number> {
    const out = `out-${Math.random().toString(36).slice(2)}`
    const began = performance.now()
    const { status, stderr } = await this.start('run', file, '--out', out, '--json', ...words).ended
    if (status !== 0) throw new Error(stderr)
    return (performance.now() - began) / 1000
  }

  private start(...words: readonly string[]): Running {
    return startAgon(this.folder, words, { AGON_WORKSPACE: join(this.folder, 'workspace') })
  }
}

/** What a run took: seconds, and seconds of processor time. */
interface RunCost {
  readonly seconds: number
  /** Of agon, its programs and PostgreSQL together. */
  readonly processor: number
  readonly postgres: number
}

/** Seconds of processor time that a process has used. */
const cpuOf = (pid: number): number => (fieldOf(pid, 11) + fieldOf(pid, 12)) / 100
/** The same of those that it started, which have ended. */
const endedCpu = (pid: number): number => (fieldOf(pid, 13) + fieldOf(pid, 14)) / 100
const parentOf = (pid: number): number => fieldOf(pid, 1)

/** A field of what the system tells of a process, after its name; 0: there is none. */
function fieldOf(pid: number, field: number): number {
  try {
    return Number(readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]?.split(' ')[field] ?? 0)
  } catch {
    return 0
  }
}
