import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { openStore } from '../src/store/index.js'
import type { Row } from './kit.js'
import { fieldRows } from './large/fields.js'
import { entrants, jobsOf, matchesOf, runOf, take } from './large/stored-run.js'

export const measures =
  'seconds that commands take over a store of 100,000 matches (--full: 1,000,000), and fields of 1,000 to their first match; the limit over each as ratio'

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
]

export default async function large(full: boolean): Promise<readonly Row[]> {
  const workspace = mkdtempSync(join(tmpdir(), 'agon-bench-large-'))
  try {
    const contest = join(workspace, 'bench.toml')
    writeFileSync(contest, '')
    const matches = full ? FULL : QUICK
    await fill(workspace, contest, matches)
    const commands = COMMANDS.map(([name, limit, words]): Row => {
      const seconds = secondsOf(words(contest), workspace)
      return {
        name: `${name}, s (${matchesOf(matches)} matches)`,
        value: seconds,
        limit,
        ratio: limit / seconds,
        goal: 1,
      }
    })
    return [...commands, ...fieldRows(full)]
  } finally {
    rmSync(workspace, { recursive: true, force: true })
  }
}

async function fill(workspace: string, contest: string, matches: number): Promise<void> {
  const store = openStore(workspace, 'bench')
  try {
    await store.addRun(runOf(contest, matches), entrants)
    const jobs = jobsOf(matches)
    for (let batch = take(jobs, BATCH); batch.length > 0; batch = take(jobs, BATCH)) await store.record('bench', batch)
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

const MAIN = join(import.meta.dirname, '../dist/bundle/main.js')
