import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { openStore } from '../src/store/index.js'
import { type Row, quick } from './kit.js'
import { admissionRows, memoryRows, swissRows } from './large/fields.js'
import { ratingRows } from './large/ratings.js'
import { seriesRows } from './large/series.js'
import { MAIN, jobsOf, matchesOf, runOf, take, writeFolder } from './large/stored-run.js'

export const measures =
  'seconds that commands take over a store of 100,000 matches (--full: 1,000,000), ratings of large fields, the admission of 1,000 entrants, memory of a long run, series; the limit over each as ratio'

const PARTS = ['commands', 'ratings', 'admission', 'swiss', 'memory', 'series'] as const
export const parts: readonly string[] = PARTS

const FULL = 1_000_000
const QUICK = 100_000
const BATCH = 2000

/** The command's words behind the contest, and how many seconds it may take. */
const COMMANDS: readonly (readonly [name: string, seconds: number, words: (contest: string) => readonly string[]])[] = [
  ['runs', 1, () => ['runs']],
  ['log', 1, (contest) => ['log', contest]],
  ['standings', 1, (contest) => ['standings', contest]],
  ['show', 1, (contest) => ['show', contest, 'Bot7']],
  ['show-losses', 1, (contest) => ['show', contest, 'Bot7', '--losses']],
  ['rank', 10, (contest) => ['rank', contest]],
  ['report', 20, (contest) => ['report', contest]],
]
const REPORT_MB = 20

export default async function large(full: boolean, _quick: boolean, wanted: readonly string[] = []): Promise<Row[]> {
  const measured: Readonly<Record<(typeof PARTS)[number], () => Promise<readonly Row[]> | readonly Row[]>> = {
    commands: () => commandRows(full ? FULL : QUICK),
    ratings: ratingRows,
    admission: admissionRows,
    swiss: swissRows,
    memory: () => (full || wanted.includes('memory') ? memoryRows() : []),
    series: seriesRows,
  }
  const rows: Row[] = []
  for (const part of PARTS) if (wanted.length === 0 || wanted.includes(part)) rows.push(...(await measured[part]()))
  return rows
}

async function commandRows(matches: number): Promise<readonly Row[]> {
  const workspace = mkdtempSync(join(tmpdir(), 'agon-bench-large-'))
  try {
    const contest = join(workspace, 'bench.toml')
    writeFileSync(contest, '')
    await fill(workspace, contest, matches)
    await writeFolder(contest, matches)
    const named = (name: string): string => `${name} (${matchesOf(matches)} matches)`
    const rows = COMMANDS.map(([name, limit, words]) =>
      quick(named(`${name}, s`), secondsOf(words(contest), workspace), limit),
    )
    const megabytes = statSync(join(runOf(contest, matches).out, 'report.html')).size / 2 ** 20
    return [...rows, quick(named('report, MB'), megabytes, REPORT_MB)]
  } finally {
    rmSync(workspace, { recursive: true, force: true })
  }
}

async function fill(workspace: string, contest: string, matches: number): Promise<void> {
  const store = openStore(workspace, 'bench')
  try {
    await store.addRun(runOf(contest, matches))
    const jobs = jobsOf(matches)
    for (let batch = take(jobs, BATCH); batch.length > 0; batch = take(jobs, BATCH)) await store.record('bench', batch)
    await store.setState('bench', 'finished')
  } finally {
    await store.close()
  }
}

/** Seconds from the start of a command to its end. */
function secondsOf(words: readonly string[], workspace: string): number {
  const began = performance.now()
  const { status, stderr } = spawnSync(process.execPath, [MAIN, ...words], {
    env: { ...process.env, AGON_WORKSPACE: workspace },
    encoding: 'utf8',
  })
  if (status !== 0) throw new Error(`agon ${words.join(' ')} ended with ${status}: ${stderr}`)
  return (performance.now() - began) / 1000
}
