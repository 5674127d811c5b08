import { setImmediate } from 'node:timers/promises'

/** Milliseconds of work after which timers and signals have their turn. */
const SLICE_MS = 10

/**
 * Does work that comes in steps: strangers' trees may be large, and agon must notice a signal meanwhile. Gives what the work
 * returns.
 */
export async function paced<T>(work: Generator<unknown, T>): Promise<T> {
  let since = performance.now()
  for (;;) {
    const { done, value } = work.next()
    if (done) return value
    if (performance.now() - since < SLICE_MS) continue
    await setImmediate()
    since = performance.now()
  }
}

/** The same without a pause. */
export function atOnce<T>(work: Generator<unknown, T>): T {
  for (;;) {
    const { done, value } = work.next()
    if (done) return value
  }
}
