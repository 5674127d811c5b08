import { type JobRequest, WorkerDistrusted } from '../../engine/index.js'
import { type ServerStore, type StoredJob, isLost } from '../../store/index.js'
import type { Board } from './board.js'
import type { Landing } from './landing.js'
import type { JobOutcome } from './messages.js'

/*
 * Reads the stored jobs that workers report. Anyone with access to the tables could have written them. A row that cannot be read
 * is held against the worker that reported it. A row that does not replay is refused, and is held against the worker that stored it.
 */

/** A batch of which a worker has said what became of it. */
export interface Reported {
  readonly worker: string
  readonly requests: readonly JobRequest[]
  /** By request. */
  readonly jobs: readonly JobOutcome[]
  /** By key: what is known of them here, and need not be read. */
  readonly here?: ReadonlyMap<string, unknown> | undefined
}

interface Reading {
  readonly run: string
  readonly store: Pick<ServerStore, 'readJobs'>
  readonly board: Pick<Board, 'playedBy'>
  readonly landing: Pick<Landing, 'refuses'>
}

/**
 * The stored jobs that are reported, by key. Throws WorkerDistrusted where they cannot be read, and
 * where one that lay there before was not played as it should be.
 */
export async function readReported(
  reading: Reading,
  reported: readonly Reported[],
): Promise<ReadonlyMap<string, StoredJob>> {
  const keys = new Set(reported.flatMap(keysOf))
  if (keys.size === 0) return new Map()
  const stored = await readAll(reading, reported, keys)
  for (const { requests, jobs } of reported)
    for (const [i, job] of jobs.entries()) {
      const [request, there] = [requests[i], 'key' in job && job.before ? stored.get(job.key) : undefined]
      if (request && there && 'key' in job) await refuseForged(reading, request, job.key, there)
    }
  return stored
}

const keysOf = ({ jobs, here }: Reported): string[] =>
  jobs.flatMap((one) => ('key' in one && here?.has(one.key) !== true ? [one.key] : []))

async function readAll(
  { store, run }: Reading,
  reported: readonly Reported[],
  keys: ReadonlySet<string>,
): Promise<ReadonlyMap<string, StoredJob>> {
  try {
    return await store.readJobs(run, [...keys])
  } catch (error) {
    if (isLost(error)) throw error
    for (const one of reported) {
      const own = keysOf(one)
      await store.readJobs(run, own).catch((damage: unknown) => {
        if (isLost(damage)) throw damage
        throw new WorkerDistrusted(one.worker, 'what it stored cannot be read', own)
      })
    }
    throw error
  }
}

/** Judges a stored job again. A forged one is held against the worker that stored it, not against the one that found it. */
async function refuseForged(
  { landing, board }: Reading,
  { job }: JobRequest,
  key: string,
  { matches }: StoredJob,
): Promise<void> {
  const why = landing.refuses(job, matches)
  if (why !== undefined) throw new WorkerDistrusted((await board.playedBy(key)) ?? '', why, [key])
}
