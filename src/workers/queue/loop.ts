import { setTimeout as sleep } from 'node:timers/promises'

/** Wakes a loop that waits for something to do. */
export class WakeSignal {
  private rung = new AbortController()

  /** Whatever else is to do in the same turn of the event loop wakes it with this. */
  ring(): void {
    setImmediate(() => this.rung.abort())
  }

  /** All signals until now are being handled. */
  reset(): void {
    this.rung = new AbortController()
  }

  /** Waits until it rings, or for so many milliseconds; not at all where it has rung since `reset`. */
  async wait(ms: number): Promise<void> {
    await sleep(ms, undefined, { signal: this.rung.signal }).catch(() => undefined)
  }
}

/** Does work that is due again so many milliseconds after it was done last; while it fails it stays due. */
export function every(ms: number, work: () => Promise<void>): () => Promise<void> {
  let done = -Infinity
  return async () => {
    const now = performance.now()
    if (now - done < ms) return
    await work()
    done = now
  }
}
