import { setImmediate } from 'node:timers/promises'

/** Milliseconds of work after which timers and signals have a turn. */
const SLICE_MS = 10

let since = 0

/** Gives timers and signals a turn, if work has kept this thread; undefined: it has not. */
export function pause(): Promise<void> | undefined {
  if (performance.now() - since < SLICE_MS) return undefined
  return setImmediate().then(() => void (since = performance.now()))
}

/** Does work in steps, as strangers' trees may be large and agon must notice a signal meanwhile. Gives its result. */
export async function paced<T>(work: Generator<unknown, T>): Promise<T> {
  for (;;) {
    const { done, value } = work.next()
    if (done) return value
    const pausing = pause()
    if (pausing !== undefined) await pausing
  }
}

export function atOnce<T>(work: Generator<unknown, T>): T {
  for (;;) {
    const { done, value } = work.next()
    if (done) return value
  }
}
