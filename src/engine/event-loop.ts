/** Milliseconds for which bots that answer at once may delay other work of this thread, such as a signal or a timer. */
const YIELD_MS = 4
/** The same for another match's bots: until their answers are read they have nothing to do. */
const SOON_MS = 0.15

let yieldedAt = 0
const waiting: (() => void)[] = []

/** Lets this thread do other work, once, where it has not for a while; undefined: it has. */
export function yieldToOthers(soon = false): Promise<void> | undefined {
  if (performance.now() - yieldedAt < (soon ? SOON_MS : YIELD_MS)) return undefined
  return new Promise((done) => {
    if (waiting.push(done) === 1) setImmediate(resumeNext)
  })
}

/** One match resumes per turn of the event loop: else answers that are there would wait for all. */
function resumeNext(): void {
  const next = waiting.shift()
  if (waiting.length > 0) setImmediate(resumeNext)
  yieldedAt = performance.now()
  next?.()
}
