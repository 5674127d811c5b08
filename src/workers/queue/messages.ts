import type { Parcel } from '../../build/index.js'
import type { Failure, JobRequest, PastJob } from '../../engine/index.js'
import type { RunSetup } from '../messages.js'
import type { ComparedJob } from './compared-jobs.js'

/*
 * The messages between a run and workers on other machines, all of them plain data: the run is posted once, its jobs go in batches, and
 * the matches of a batch lie in the store when its outcome says so.
 */

/** What a run posts for the workers that play its jobs. */
export interface PostedRun {
  /** The agon that posted it: another one may judge otherwise. */
  readonly agon: string
  readonly setup: RunSetup
  /** As of the engine's `Setup`: keys of jobs are taken over them. */
  readonly tournament: string
  readonly hashes: readonly string[]
  /** By entrant. */
  readonly parcels: readonly Parcel[]
  /** No more bots are timed at once than there are cores. */
  readonly strictTiming: boolean
  /** Strangers' modules run in agon's own process. */
  readonly trust: boolean
  /** An entrant may be another program on another machine. */
  readonly mixed?: true
  /** The game's own file among its files, which are a source of that hash, where it does not come with agon. */
  readonly gameFile?: { readonly name: string; readonly hash: string }
}

/** Jobs that are played by one worker, one after the other. */
export interface BatchData {
  readonly run: string
  readonly jobs: readonly JobRequest[]
  /** They are played twice, to be compared with what another worker stored; nothing of it is stored. */
  readonly compare?: true
  /** Its bots live through the tournament. */
  readonly chain?: ChainPlace
}

/** Where a batch stands among all jobs of bots that live through the tournament: after so many of them, of which the last has that key. */
export interface ChainPlace {
  /** The id of the lane that sends the jobs: a run that is resumed begins a new one, and counts from 0. */
  readonly of: string
  readonly count: number
  /** '': there was none. */
  readonly last: string
  /** All that came before; absent: the worker that holds the bots knows it. */
  readonly history?: readonly PastJob[]
}

/** The outcome of a batch. */
export interface BatchOutcome {
  readonly worker: string
  /** Milliseconds that its jobs took, those that were played. */
  readonly ms: number
  /** By job. */
  readonly jobs: readonly JobOutcome[]
}

export type JobOutcome =
  /** It lies in the store under that key; `before`: it did so already, and was not played. */
  | { readonly key: string; readonly before?: true }
  | FailedJob
  /** It was played to be compared. */
  | ComparedJob
  /** It was not played: the worker was to end, or cannot play it. */
  | { readonly back: true }

/** It could not be played; `lost`: the thread that played it is gone. */
export type FailedJob = { readonly failure: Failure; readonly why: string } | { readonly lost: string }

/** What a worker needs for jobs of a run, as texts: a label, `bot NAME` for an entrant that some worker cannot play, `not WORKER`, or `only WORKER`. */
export type Needs = readonly string[]

/** Any worker but this one. */
export const needOfOther = (worker: string): string => `not ${worker}`
/** No worker but this one, which holds the bots. */
export const needOfHolder = (worker: string): string => `only ${worker}`
export const needOfBot = (name: string): string => `bot ${name}`
export const needOfLabel = (label: string): string => `label ${label}`
