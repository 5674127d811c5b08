import type { Run } from '../../core/index.js'
import type { Parcel } from '../../build/index.js'
import type { JobRequest, JobResponse } from '../../engine/index.js'

/*
 * The messages between a run's coordinator and workers on other machines, as plain data: a run is published once, its jobs go in batches,
 * and a batch comes back as one result.
 */

export interface PublishedRun {
  /** Its publisher's agon: another version may judge otherwise. */
  readonly agon: string
  /** Without this machine's paths: what starts an entrant is absent. */
  readonly run: Run
  readonly parcels: readonly Parcel[]
  /** No more bots are timed at once than there are cores. */
  readonly strictTiming: boolean
  /** Strangers' modules run in agon's own process. */
  readonly trust: boolean
  /** The game's own file among its files, which are a source of that hash, if the game does not come with agon. */
  readonly gameFile?: { readonly name: string; readonly hash: string }
}

/** What a worker needs for a run's jobs: these labels, and the ability to play these entrants, each of which some worker lacks. */
export interface Needs {
  readonly labels: readonly string[]
  readonly bots: readonly string[]
}

/** Jobs that one worker plays, one after another. */
export interface BatchData {
  readonly run: string
  readonly jobs: readonly JobRequest[]
}

export interface BatchResult {
  readonly batch: string
  /** The worker's id, and its agon's version. */
  readonly worker: string
  readonly agon: string
  /** Milliseconds that the played jobs took. */
  readonly ms: number
  /** By job, in the batch's order. */
  readonly answers: readonly JobAnswer[]
}

export type JobAnswer = { readonly key: string } & (
  | JobResponse
  /** Played, but its records are too long to send. */
  | { readonly tooLong: number }
  /** Not played: the worker was to end, or cannot play it. */
  | { readonly back: true }
)

/** The end of each entrant's standard error on a worker. */
export interface WorkerStderr {
  readonly stderr: readonly (readonly [name: string, text: string])[]
}
