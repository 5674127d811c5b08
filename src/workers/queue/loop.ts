import { setTimeout as sleep } from 'node:timers/promises'

/** Wakes a waiting loop. */
export class WakeSignal {
  private rung = new AbortController()

  /** Whatever else is to do in the same turn of the event loop wakes it with this. */
  ring(): void {
    setImmediate(() => this.rung.abort())
  }

  reset(): void {
    this.rung = new AbortController()
  }

  /** Waits for a ring, or so many milliseconds; not at all where it rang since `reset`. */
  async wait(ms: number): Promise<void> {
    await sleep(ms, undefined, { signal: this.rung.signal }).catch(() => undefined)
  }
}

/** Does work again so many milliseconds after the last time; failed work stays due. */
export function every(ms: number, work: () => Promise<void>): () => Promise<void> {
  let done = -Infinity
  return async () => {
    const now = performance.now()
    if (now - done < ms) return
    await work()
    done = now
  }
}
