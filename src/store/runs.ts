import { existsSync, mkdirSync, readFileSync, readdirSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

/** What is known of a run beside its matches. */
export interface RunInfo {
  readonly id: string
  /** The agon that began it. */
  readonly agon: string
  /** The contest file's full path, or the built-in contest's name. */
  readonly contest: string
  readonly game: string
  readonly seed: string
  /** Where its results are written. */
  readonly out: string
  /** ISO 8601. */
  readonly began: string
  readonly finished: boolean
  /** All that decides what is played, part by part, as texts to compare: a run goes on only where nothing of it has changed. */
  readonly identity: Readonly<Record<string, string>>
}

/** The runs of a workspace, the newest first. */
export function listRuns(workspace: string): RunInfo[] {
  const folder = join(workspace, 'runs')
  if (!existsSync(folder)) return []
  return readdirSync(folder)
    .map((id) => join(folder, id, 'run.json'))
    .filter((file) => existsSync(file))
    .map((file) => JSON.parse(readFileSync(file, 'utf8')) as RunInfo)
    .sort((a, b) => (a.began < b.began ? 1 : -1))
}

/** Writes a run's facts, whole or not at all. */
export function saveRun(workspace: string, run: RunInfo): void {
  const folder = runFolder(workspace, run.id)
  mkdirSync(folder, { recursive: true })
  const file = join(folder, 'run.json')
  writeFileSync(`${file}.new`, JSON.stringify(run, undefined, 2))
  renameSync(`${file}.new`, file)
}

export function removeRun(workspace: string, id: string): void {
  rmSync(runFolder(workspace, id), { recursive: true, force: true })
}

export const runFolder = (workspace: string, id: string): string => join(workspace, 'runs', id)
