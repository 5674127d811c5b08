/**
 * Calls `onTime` after that many milliseconds. Where this process itself was kept from running (its timer fires late), the bot
 * is given the lateness on top, once, and answers that already lie in the pipe are always read before the call. Returns a way
 * to call it off.
 */
export function deadline(limit: number, onTime: () => void): () => void {
  const ms = Math.min(limit, LONGEST_MS)
  const began = performance.now()
  let off = false
  let timer = setTimeout(() => {
    const late = performance.now() - began - ms
    if (late > SLIP_MS) timer = setTimeout(afterReading, Math.min(late, ms))
    else afterReading()
  }, ms)
  const afterReading = () => {
    // Timers run before the pipes are polled: one more turn of the loop reads what has come in time.
    setImmediate(() => setImmediate(() => off || onTime()))
  }
  return () => {
    off = true
    clearTimeout(timer)
  }
}

/** Lateness of a timer, in milliseconds, that is more than the machine's usual. */
const SLIP_MS = 25
/** What a timer of Node can hold: 24 days. */
const LONGEST_MS = 2 ** 31 - 1
