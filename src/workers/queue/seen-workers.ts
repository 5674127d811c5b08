import { type Store, isOnServer } from '../../store/index.js'
import { Registry, type WorkerSeen } from './registry.js'

/** Milliseconds between two looks. */
const LOOK_MS = 2000

/**
 * Who plays for the runs on a server, and which runs no worker can play: a look every few seconds, whichever process runs them. Nothing is known of
 * a store in a file. To be closed.
 */
export class SeenWorkers {
  private readonly registry: Registry | undefined
  private waiting: ReadonlyMap<string, string> = new Map()
  private timer: NodeJS.Timeout | undefined
  private looking: Promise<unknown> = Promise.resolve()

  constructor(store: Store) {
    if (isOnServer(store)) this.registry = new Registry(store.sql)
  }

  /** `on`: called when a run begins to wait, with why, or waits no more. */
  open(on: (run: string, why?: string) => void): void {
    if (this.registry === undefined) return
    // A lost server is asked again.
    this.timer = setInterval(() => {
      this.looking = this.look(on).catch(() => undefined)
    }, LOOK_MS).unref()
  }

  async close(): Promise<void> {
    clearInterval(this.timer)
    await this.looking
  }

  /** The server's workers, as `agon workers` lists them; undefined: the store is a file. */
  async workers(): Promise<readonly WorkerSeen[] | undefined> {
    return this.registry?.workers()
  }

  /** Why no worker plays what is left of a run; undefined: one does, or nothing is left. */
  waits(run: string): string | undefined {
    return this.waiting.get(run)
  }

  /** Reads which runs wait for workers, and reports changes. */
  async look(on: (run: string, why?: string) => void): Promise<void> {
    const before = this.waiting
    this.waiting = (await this.registry?.waiting()) ?? new Map()
    for (const run of before.keys()) if (!this.waiting.has(run)) on(run)
    for (const [run, why] of this.waiting) if (before.get(run) !== why) on(run, why)
  }
}
