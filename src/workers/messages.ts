import type { Options } from '../core/index.js'
import type { BotIsolation, Prepared } from '../build/index.js'
import type { JobRequest, JobResponse, PlayedPart, SeenSoFar } from '../engine/index.js'

/**
 * What the jobs of a run have in common, as it is sent to a worker: plain data that can travel. No path of a machine stands in it: an
 * entrant's source is named by its hash, and what is made of it by its build and its command.
 */
export interface RunSetup {
  readonly game: { readonly id: string; readonly version: number }
  readonly options: Options
  readonly entrants: readonly EntrantSetup[]
  /** By entrant: the number that the historic wires show. */
  readonly ids: readonly number[]
  readonly seed: string
  /** As of the engine's `Setup`. */
  readonly source?: string
  readonly limits: Readonly<Record<string, number>>
  readonly steps?: number
}

/** An entrant as it travels. */
export type EntrantSetup = Omit<Prepared, 'run'>

/** What a worker finds where it is. */
export interface Workplace {
  /** The game's file, where it did not come with agon. */
  readonly gameFile?: string
  /** By an entrant's name: what was made of its source here. */
  readonly programs: ReadonlyMap<string, Prepared['run']>
  readonly isolation: BotIsolation
  /** A folder of its own for its bots' rooms and pipes. */
  readonly rooms: string
  /** Bots whose clocks may run at the same time. */
  readonly timed?: number
  /** The core that it is bound to, with all that it starts. */
  readonly core?: number
  /** Memory in which it marks the calls of a game's file. */
  readonly calls?: SharedArrayBuffer
}

/** What a worker is started with. */
export interface WorkerStart {
  readonly setup: RunSetup
  readonly place: Workplace
}

/** What a worker is asked. */
export type Request =
  | { readonly batch: number; readonly jobs: readonly JobRequest[] }
  /** What was played by now of one of these matches: answered under the same number. */
  | { readonly look: number; readonly keys: readonly string[]; readonly seen: SeenSoFar | undefined }
  /** Gives up jobs of these keys. */
  | { readonly abandon: readonly string[] }
  | { readonly end: true }

/** What it answers. */
export type Response =
  | { readonly ready: true }
  | { readonly note: string }
  /** To the batch of that number, a response a job. */
  | { readonly batch: number; readonly responses: readonly JobResponse[] }
  | { readonly look: number; readonly part: PlayedPart | undefined }
  /** The last: the end of what each entrant wrote to its standard error. */
  | { readonly stderr: readonly (readonly [name: string, text: string])[] }
