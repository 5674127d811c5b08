import { type FoundJob, type JobRequest, WorkerDistrusted } from '../../engine/index.js'
import { type ServerStore, type StoredJob, isLost } from '../../store/index.js'
import type { Board } from './board.js'
import type { JobVerifier } from './job-verifier.js'
import type { JobOutcome } from './messages.js'

/*
 * Reads the stored jobs that workers report. Anyone with access to the tables could have written them. A row that cannot be read
 * is held against the worker that reported it. A row that does not replay is refused, and is held against the worker that stored it.
 */

/** A batch whose outcome a worker has reported. */
export interface Reported {
  readonly worker: string
  readonly requests: readonly JobRequest[]
  /** By request. */
  readonly jobs: readonly JobOutcome[]
  /** By key: the jobs that are known here, and need not be read. */
  readonly here?: ReadonlyMap<string, unknown> | undefined
}

interface Reading {
  readonly run: string
  readonly store: Pick<ServerStore, 'readJobs'>
  readonly board: Pick<Board, 'playedBy'>
  readonly verifier: Pick<JobVerifier, 'refuses'>
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
  const before = reported.flatMap(({ requests, jobs }) =>
    jobs.flatMap((said, i) => {
      const [request, there] = [requests[i], 'key' in said && said.before ? stored.get(said.key) : undefined]
      return request && there && 'key' in said ? [{ job: request.job, key: said.key, matches: there.matches }] : []
    }),
  )
  await refuseForged(reading, before)
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

/** Throws WorkerDistrusted for jobs that were not played as they should be: the one that stored a job is accused, not the one that found it. */
export async function refuseForged(
  { verifier, board }: Pick<Reading, 'verifier' | 'board'>,
  found: readonly FoundJob[],
): Promise<void> {
  const forged = found.flatMap(({ job, key, matches }) => {
    const why = verifier.refuses(job, matches)
    return why === undefined ? [] : [{ key, why }]
  })
  const [first] = forged
  if (first === undefined) return
  const keys = forged.map(({ key }) => key)
  throw new WorkerDistrusted((await board.playedBy(first.key)) ?? '', first.why, keys)
}
