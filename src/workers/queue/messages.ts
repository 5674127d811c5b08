import type { Run } from '../../core/index.js'
import type { Parcel } from '../../build/index.js'
import type { JobRequest, JobResponse } from '../../engine/index.js'

/*
 * The messages between a run's coordinator and workers on other machines, all of them plain data: the run is published once, its jobs go in
 * batches, and what was played of a batch comes back as one result.
 */

export interface PublishedRun {
  /** The agon that published it: another version may judge otherwise. */
  readonly agon: string
  /** No path of this machine in it means anything elsewhere: what starts an entrant is absent. */
  readonly run: Run
  readonly parcels: readonly Parcel[]
  /** No more bots are timed at once than there are cores. */
  readonly strictTiming: boolean
  /** Strangers' modules run in agon's own process. */
  readonly trust: boolean
  /** The game's own file among its files, which are a source of that hash, if the game does not come with agon. */
  readonly gameFile?: { readonly name: string; readonly hash: string }
}

/** What a worker needs for jobs of a run: these labels, and to be able to play these entrants, each of which some worker cannot play. */
export interface Needs {
  readonly labels: readonly string[]
  readonly bots: readonly string[]
}

/** Jobs that are played by one worker, one after the other. */
export interface BatchData {
  readonly run: string
  readonly jobs: readonly JobRequest[]
}

export interface BatchResult {
  readonly batch: string
  /** The worker's id, and the version of its agon. */
  readonly worker: string
  readonly agon: string
  /** Milliseconds that the jobs took that were played. */
  readonly ms: number
  /** By job, in the batch's order. */
  readonly answers: readonly JobAnswer[]
}

export type JobAnswer = { readonly key: string } & (
  | JobResponse
  /** It was played, and its records are too long to be sent. */
  | { readonly tooLong: number }
  /** It was not played: the worker was to end, or cannot play it. */
  | { readonly back: true }
)

/** The end of what each entrant of a run wrote to its standard error on a worker. */
export interface WorkerStderr {
  readonly stderr: readonly (readonly [name: string, text: string])[]
}
