import { BusyError, type MatchRecord, UserError, messageOf, type Job, type JudgedMatch } from '../core/index.js'
import { HostError, exhaustedBy } from '../sandbox/index.js'
import { AbandonedError, type Arena, Disturbed } from './arena.js'
import type { PlayedPart, SeenSoFar } from './under-way.js'

/*
 * The port of workers: they play jobs, anywhere. Requests and responses are plain data without paths, so that they can travel. Judging,
 * storing and scheduling stay with the engine, and so do bots that live through the tournament.
 */

export interface JobRequest {
  readonly job: Job
  /** How often a bot was killed from outside in it. */
  readonly disturbed: number
  readonly key: string
}

/** Why a job could not be played; none of it is a bot's fault. */
export type Failure = 'disturbed' | 'abandoned' | 'busy' | 'host' | 'mistake' | 'lost' | 'fault'

/**
 * A job's outcome: its matches' records, in order, or why there are none. `judged`: the same, judged again on the way, in this process.
 * `stored`: it was in the store already, and not played.
 */
export type JobResponse =
  | { readonly records: readonly MatchRecord[]; readonly judged?: readonly JudgedMatch[] }
  | { readonly stored: true }
  | { readonly failure: Failure; readonly why: string }

export interface WorkerPool {
  /** Jobs it may be given at once: it decides how many are played. Absent: as many as the run plays at once. */
  readonly window?: number
  /** Workers check themselves whether a job is stored. */
  readonly looks?: boolean
  /**
   * Plays a batch and resolves with a response to each job, in order. A failed job leaves the others alone. Rejects with a
   * WorkerLostError where the batch's worker is gone: its jobs can then be given to the pool again.
   */
  play(batch: readonly JobRequest[]): Promise<readonly JobResponse[]>
  /**
   * What was played of the first of these matches under way here, beyond what was seen; undefined: none is. Absent: these workers
   * cannot be watched.
   */
  look?(keys: readonly string[], seen: SeenSoFar | undefined): Promise<PlayedPart | undefined>
  /** Gives up jobs of these keys (`Job.key`) under way: each is answered as abandoned. Absent: they are played to their ends. */
  abandon?(keys: readonly string[]): void
  /** Ends all play (WorkerLostError); resolves with the end of each entrant's standard error, by its name. */
  close(): Promise<ReadonlyMap<string, string>>
}

/** A worker is gone, with what it played. */
export class WorkerLostError extends Error {}

export function workersHere(arena: Arena): WorkerPool {
  const playJob = async ({ job, disturbed }: JobRequest): Promise<JobResponse> => {
    try {
      return { records: await arena.job(job, disturbed) }
    } catch (error) {
      return { failure: failureOf(error), why: messageOf(error) }
    }
  }
  let closed = false
  const refuseClosed = (): void => {
    if (closed) throw new WorkerLostError('the workers have ended')
  }
  return {
    async play(batch) {
      const responses: JobResponse[] = []
      for (const request of batch) {
        refuseClosed()
        responses.push(await playJob(request))
      }
      // Jobs under way when they ended are lost.
      refuseClosed()
      return responses
    },
    look: async (keys, seen) => arena.live.look(keys, seen),
    abandon: (keys) => arena.abandon(keys),
    async close() {
      closed = true
      await arena.close()
      return arena.stderr()
    },
  }
}

/** The records of a response. Throws its error. */
export function recordsOf(response: Exclude<JobResponse, { stored: true }>): readonly MatchRecord[] {
  if ('records' in response) return response.records
  const { failure, why } = response
  // The words tell what the machine has run out of: the error then names the remedy.
  if (failure === 'host') throw new HostError(why, exhaustedBy(why))
  const Kind = KINDS.find(([kind]) => kind === failure)?.[1] ?? Error
  throw new Kind(why)
}

const KINDS: readonly (readonly [Failure, new (why: string) => Error])[] = [
  ['disturbed', Disturbed],
  ['abandoned', AbandonedError],
  ['busy', BusyError],
  ['host', HostError],
  ['mistake', UserError],
  ['lost', WorkerLostError],
]

export const failureOf = (error: unknown): Failure => KINDS.find(([, Kind]) => error instanceof Kind)?.[0] ?? 'fault'
