import type { Needs } from './messages.js'

/** Jobs that a worker may play at once: a run counts no more, whatever it announces. */
export const MOST_SLOTS = 256

/** A worker as it announces itself. */
export interface WorkerCard {
  readonly id: string
  readonly host: string
  readonly pid: number
  readonly agon: string
  readonly cores: number
  readonly slots: number
  readonly labels: readonly string[]
  /** By program: its version. */
  readonly toolchains: Readonly<Record<string, string>>
  /** How it holds strangers' bots: `cells`, or `none`. */
  readonly isolation: 'cells' | 'none'
}

/** A worker as others see it. */
export interface WorkerSeen extends WorkerCard {
  readonly playing: readonly { readonly run: string }[]
  /** Matches of its own that lie in the store, and faults in them. */
  readonly matches: number
  readonly faults: number
  /** ISO 8601. */
  readonly since: string
  readonly heard: string
  /** Seconds since its last heartbeat, by the server's clock. */
  readonly silent: number
  /** Why it gets no more batches; absent: it gets some. */
  readonly aside?: string
}

/** A queue of a run's batches. */
export interface Lane {
  readonly queue: string
  readonly run: string
  readonly needs: Needs
  /** Goes before all others. */
  readonly urgent: boolean
  /** Batches of the run that may be played at once; absent: any number. */
  readonly cap?: number
  readonly paused: boolean
  /** Its jobs are played no more. */
  readonly ended: boolean
  /** A batch of it waits. */
  readonly ready: boolean
  /** Batches of it that are played. */
  readonly active: number
}
