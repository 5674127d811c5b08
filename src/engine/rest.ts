/** What else waits for this thread, such as a signal or a clock, waits no longer than so many milliseconds for bots that answer at once. */
const REST_MS = 4
/** The same of bots that another match waits for: until their answers are read they have nothing to do. */
const SOON_MS = 0.15

let restedAt = 0

/** Lets this thread do what else waits, once, where it has not done so for a while; undefined: it has. */
export function rest(soon = false): Promise<void> | undefined {
  const now = performance.now()
  if (now - restedAt < (soon ? SOON_MS : REST_MS)) return undefined
  restedAt = now
  return new Promise((done) => setImmediate(done))
}
