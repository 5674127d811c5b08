/** Bots that answer at once delay other work of this thread, such as a signal or a timer, by no more than so many milliseconds. */
const YIELD_MS = 4
/** The same for bots of another match: until their answers are read they have nothing to do. */
const SOON_MS = 0.15

let yieldedAt = 0
const waiting: (() => void)[] = []

/** Lets this thread do other work, once, where it has not done so for a while; undefined: it has. */
export function yieldToOthers(soon = false): Promise<void> | undefined {
  if (performance.now() - yieldedAt < (soon ? SOON_MS : YIELD_MS)) return undefined
  return new Promise((done) => {
    if (waiting.push(done) === 1) setImmediate(resumeNext)
  })
}

/** One match goes on in a turn of the event loop: where all did, answers that are there would wait for all of them. */
function resumeNext(): void {
  const next = waiting.shift()
  if (waiting.length > 0) setImmediate(resumeNext)
  yieldedAt = performance.now()
  next?.()
}
