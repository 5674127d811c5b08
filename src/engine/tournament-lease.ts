import type { LeaseStore } from '../store/index.js'
import type { Stopping } from './stopping.js'

/** Milliseconds between two looks whether another process has ended. */
const LOOK_MS = 500

/** The lease of a tournament whose bots live through it: what they remember is one life, so one process plays them. */
export class TournamentLease {
  private has = false

  constructor(
    private readonly store: LeaseStore,
    private readonly tournament: string,
    private readonly stopping: Stopping,
    private readonly note: (text: string) => void,
  ) {}

  /** This process holds the lease: it alone plays the bots that live through the tournament. */
  get held(): boolean {
    return this.has
  }

  /** Waits until no other process holds it, or the run is ended. */
  async acquire(): Promise<void> {
    for (let noted = false; !this.stopping.stopped; noted = true) {
      const owner = await this.store.acquireLease(this.tournament)
      this.has = owner === undefined
      if (owner === undefined) return
      if (!noted) this.note(`another agon (process ${owner}) plays this tournament: waiting for it`)
      await new Promise((done) => setTimeout(done, LOOK_MS))
    }
  }
}
