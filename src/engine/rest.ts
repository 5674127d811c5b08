/** What else waits for this thread, such as a signal or a clock, waits no longer than so many milliseconds for bots that answer at once. */
const REST_MS = 4

let restedAt = 0

/** Lets this thread do what else waits, once, where it has not done so for a while; undefined: it has. */
export function rest(): Promise<void> | undefined {
  const now = performance.now()
  if (now - restedAt < REST_MS) return undefined
  restedAt = now
  return new Promise((done) => setImmediate(done))
}
