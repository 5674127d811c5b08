import { messageOf } from '../core/index.js'
import type { PlayedPart, SeenSoFar } from './under-way.js'
import type { JobRequest, JobResponse, WorkerPool } from './worker-pool.js'

/** Milliseconds: more workers are asked for after so long where at least as much seems to be left, since they take a moment to start. */
const GROW_MS = 1000

/** The first workers, until a run turns out to take longer than a moment; then those that it may ask for, once. */
export class GrowingPool implements WorkerPool {
  private readonly began = performance.now()
  private asked: Promise<void> | undefined
  private grown: WorkerPool | undefined

  constructor(
    private readonly first: WorkerPool,
    /** Starts more workers. Absent: there are none. */
    private readonly start: (() => Promise<WorkerPool>) | undefined,
    /** Awaited when they have started. */
    private readonly started: () => Promise<void>,
    private readonly note: (text: string) => void,
  ) {}

  get looks(): boolean {
    return (this.grown ?? this.first).looks === true
  }

  play(batch: readonly JobRequest[]): Promise<readonly JobResponse[]> {
    return (this.grown ?? this.first).play(batch)
  }

  /** The first workers end the jobs that they began, also when other workers play the rest. */
  async look(keys: readonly string[], seen: SeenSoFar | undefined): Promise<PlayedPart | undefined> {
    return (await this.grown?.look?.(keys, seen)) ?? this.first.look?.(keys, seen)
  }

  abandon(keys: readonly string[]): void {
    for (const pool of [this.first, this.grown]) pool?.abandon?.(keys)
  }

  /** Looks whether more workers are needed: so many matches were played since the beginning, and so many are left. */
  grow(played: number, left: number): void {
    const took = performance.now() - this.began
    if (this.start === undefined || this.asked || took < GROW_MS || (took / Math.max(1, played)) * left < GROW_MS)
      return
    this.asked = this.start().then(
      async (pool) => {
        this.grown = pool
        await this.started()
      },
      (error: unknown) => {
        const why = messageOf(error)
        this.note(`all is played in one thread: ${why}`)
      },
    )
  }

  /** Ends all workers, also those that are starting. */
  async close(): Promise<ReadonlyMap<string, string>> {
    await this.asked
    const grown = (await this.grown?.close()) ?? new Map<string, string>()
    const first = await this.first.close()
    return new Map([...grown, ...[...first].map(([name, text]) => [name, text + (grown.get(name) ?? '')] as const)])
  }
}
