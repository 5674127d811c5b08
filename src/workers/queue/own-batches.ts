import type { JudgedMatch, PlayedJob } from '../../store/index.js'
import type { BatchData, BatchOutcome } from './messages.js'

/** A batch that a run's own worker has stored. */
interface OwnBatch {
  readonly outcome: BatchOutcome
  /** Of the jobs that were not stored before, by their keys. */
  readonly matches: ReadonlyMap<string, readonly JudgedMatch[]>
}

/**
 * Batches that a run's own worker has ended, in the process of the run: it believes them, and does not read their outcomes or their
 * matches, which were played and judged here, from the server.
 */
export class OwnBatches {
  /** By the batch's id. */
  private readonly ended = new Map<string, OwnBatch>()
  private readonly storing = new Set<string>()
  /** By the batch's id: what the run has sent. */
  private readonly asked = new Map<string, BatchData>()

  /** `onStored` is called when a batch lies in the store. */
  constructor(private readonly onStored: () => void) {}

  /** The run sends a batch, with the keys of its jobs as far as it has them. */
  sent(batch: string, data: BatchData): void {
    this.asked.set(batch, data)
  }

  /** A batch as the run has sent it, whatever the server's tables say; undefined: the run knows nothing of it. */
  dataOf(batch: string): BatchData | undefined {
    return this.asked.get(batch)
  }

  /** A batch is about to be stored, and may be seen in the store before that is known here: `stored` or `forget` follows. */
  ending(batch: string): void {
    this.storing.add(batch)
  }

  isEnding(batch: string): boolean {
    return this.storing.has(batch)
  }

  /** The batch is stored, with those of its jobs that were not stored before. */
  stored(batch: string, outcome: BatchOutcome, jobs: readonly PlayedJob[]): void {
    const byKey = new Map(jobs.map(({ key, matches }) => [key, matches]))
    if (this.storing.delete(batch)) this.ended.set(batch, { outcome, matches: byKey })
    this.onStored()
  }

  /** A batch that it has stored; undefined: it did not. */
  of(batch: string): OwnBatch | undefined {
    return this.ended.get(batch)
  }

  /** Forgets a batch: its outcome was taken, or another worker ended it. */
  forget(batch: string): void {
    this.storing.delete(batch)
    this.ended.delete(batch)
    this.asked.delete(batch)
  }
}
