/** What else waits for this thread, such as a signal or a clock, waits no longer than so many milliseconds for bots that answer at once. */
const REST_MS = 4
/** The same of bots that another match waits for: until their answers are read they have nothing to do. */
const SOON_MS = 0.15

let restedAt = 0
const resting: (() => void)[] = []

/** Lets this thread do what else waits, once, where it has not done so for a while; undefined: it has. */
export function rest(soon = false): Promise<void> | undefined {
  if (performance.now() - restedAt < (soon ? SOON_MS : REST_MS)) return undefined
  return new Promise((done) => {
    if (resting.push(done) === 1) setImmediate(goOn)
  })
}

/** One match goes on in a turn of the event loop: where all did, answers that are there would wait for all of them. */
function goOn(): void {
  const next = resting.shift()
  if (resting.length > 0) setImmediate(goOn)
  restedAt = performance.now()
  next?.()
}
