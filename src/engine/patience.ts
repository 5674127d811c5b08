import { BusyError } from '../core/index.js'

/** How long a run waits for a machine that is too busy, in milliseconds. */
export interface PatienceSetting {
  /** The shortest and the longest pause. */
  readonly shortest: number
  readonly longest: number
  /** After so long without a match that could be played, the run is given up. */
  readonly total: number
}
const USUAL: PatienceSetting = { shortest: 1000, longest: 60_000, total: 30 * 60_000 }

/**
 * Pauses between matches that are void because the machine is too busy: each as long as all before it took, so that they grow
 * until the load falls. Shared by all that is played at the same time.
 */
export class Patience {
  /** When the first match was void, since one could be played. */
  private since: number | undefined

  constructor(private readonly setting: PatienceSetting = USUAL) {}

  /** A match could be played. */
  played(): void {
    this.since = undefined
  }

  /** Milliseconds until it makes sense to try again. Throws a BusyError where the machine has been too busy for too long. */
  pause(error: BusyError, now = performance.now()): number {
    const { shortest, longest, total } = this.setting
    this.since ??= now
    const waited = now - this.since
    if (waited >= total) {
      throw new BusyError(
        `the machine was too busy for ${Math.round(total / 1000)} s: no match could be played to its end (the last: ${error.message}). What is done is kept`,
      )
    }
    return Math.min(Math.max(waited, shortest), longest)
  }
}

/** Does it, and again after growing pauses while the machine is too busy. Rejects with a BusyError where it stays so. */
export async function untilCalm<T>(
  work: () => Promise<T>,
  patience: Patience,
  note: (text: string) => void,
): Promise<T> {
  for (;;) {
    try {
      const done = await work()
      patience.played()
      return done
    } catch (error) {
      if (!(error instanceof BusyError)) throw error
      const ms = patience.pause(error)
      note(`${error.message}; tried again in ${Math.max(1, Math.round(ms / 1000))} s`)
      await new Promise((done) => setTimeout(done, ms))
    }
  }
}
