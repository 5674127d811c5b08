import { interrupt } from './exit.js'
import { notifyBelow } from './terminal.js'

/** What ends agon at a user's wish. */
const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP', 'SIGQUIT'] as const

/** A run that is stopped may take this many milliseconds to end, with all that it writes. */
const STOP_MS = 1500

/** Ctrl-C ends this process by its exit, which takes the bots along. To be called before anything is started. */
export function endBotsOnSignals(): void {
  listen(() => interrupt('interrupted'))
}

/**
 * Ctrl-C once: no new matches, and those under way are given up; twice, or where that takes long: at once. To be called before anything is started.
 */
export function stopOnSignals(): { signal: AbortSignal; off(): void } {
  const controller = new AbortController()
  let late: NodeJS.Timeout | undefined
  const off = listen(() => {
    if (controller.signal.aborted)
      interrupt('interrupted again: ended at once; what is done is kept, --resume continues')
    notifyBelow('stopping; what is done is kept (Ctrl-C again ends at once)')
    late = setTimeout(
      () => interrupt('ended before everything was written; what is done is kept, --resume continues'),
      STOP_MS,
    )
    late.unref()
    controller.abort()
  })
  return {
    signal: controller.signal,
    off: () => {
      clearTimeout(late)
      off()
    },
  }
}

/** Resolves at the first signal; a second signal ends this process at once. */
export function untilSignal(): Promise<void> {
  return new Promise((done) => {
    let first = true
    listen(() => {
      if (!first) interrupt('interrupted again: ended at once')
      first = false
      done()
    })
  })
}

/** Listens for signals until it is stopped. A call that does not return keeps this thread from noticing them: only SIGKILL ends it then. */
function listen(received: () => void): () => void {
  for (const signal of SIGNALS) process.on(signal, received)
  return () => {
    for (const signal of SIGNALS) process.off(signal, received)
  }
}
