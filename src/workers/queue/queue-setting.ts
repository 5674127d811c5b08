import type { Spell } from '../../core/index.js'
import type { ServerStore } from '../../store/index.js'
import type { Batches } from './boss.js'
import type { Board } from './board.js'
import type { JobVerifier } from './job-verifier.js'
import type { PostedRun } from './messages.js'
import type { OwnBatches } from './own-batches.js'

/** A run whose jobs are played through queues. */
export interface QueuePoolSetting {
  readonly run: string
  readonly posted: PostedRun
  /** What the run's jobs are, wherever they are played. */
  readonly verifier: JobVerifier
  /** By entrant: the labels that a worker must have. */
  readonly labels: readonly (readonly string[])[]
  readonly store: ServerStore
  readonly batches: Batches
  readonly board: Board
  /** Batches played at once, at most; absent: any number. */
  readonly cap?: number
  readonly urgent?: boolean
  /** How often matches had been taken back from the run before any was read from the store; absent: no other process takes any back. */
  readonly takenBack?: number
  /** What the run's own worker has ended, which is believed. Absent: it has none. */
  readonly mine?: OwnBatches
  /** Called when workers can see that the run has ended: its own need not wait for its next look. */
  readonly onEnded?: () => void
  readonly note: (text: string) => void
  /** How notes write options and commands; absent: plainly. */
  readonly spell?: Spell
}
