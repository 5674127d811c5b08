import type { Run } from '../core/index.js'
import type { BotIsolation } from '../build/index.js'
import type { ArenaPlace, JobRequest, JobResponse, PlayedPart, SeenSoFar } from '../engine/index.js'

export interface ThreadPlace extends ArenaPlace {
  readonly isolation: BotIsolation
  /** The core that it is bound to, with all that it starts. */
  readonly core?: number
  /** Memory in which it marks the calls of a game's file. */
  readonly calls?: SharedArrayBuffer
}

export interface ThreadStart {
  /** Its entrants were built on this machine. */
  readonly run: Run
  readonly place: ThreadPlace
}

/** What a worker is asked, and answers under the same number. */
export type Question =
  /** A response a job. */
  | { readonly jobs: readonly JobRequest[] }
  /** What was played by now of one of these matches; undefined: nothing. */
  | { readonly keys: readonly string[]; readonly seen: SeenSoFar | undefined }

export type Request =
  (Question & { readonly number: number }) | { readonly abandon: readonly string[] } | { readonly end: true }

export type Response =
  | { readonly ready: true }
  | { readonly note: string }
  | { readonly number: number; readonly answer: readonly JobResponse[] | PlayedPart | undefined }
  /** The last: the end of what each entrant wrote to its standard error. */
  | { readonly stderr: readonly (readonly [name: string, text: string])[] }
