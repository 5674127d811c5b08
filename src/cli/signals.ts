import { interrupt } from './exit.js'
import { onceNpmEnded } from './npm-ended.js'
import { notifyBelow } from './terminal.js'
import { onceStuck } from './stuck.js'

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

/** Resolves at the first signal, or when npm has ended that started this process; a second signal ends this process at once. */
export function untilSignal(): Promise<void> {
  return new Promise((done) => {
    let first = true
    onceNpmEnded(done)
    listen(() => {
      if (!first) interrupt('interrupted again: ended at once')
      first = false
      done()
    }, 'matches under way')
  })
}

/**
 * Listens for signals until it is stopped. While this thread is stuck in a call that does not return, it cannot notice them: a signal
 * then ends the process as it does without a handler, and the guards of its sandboxes see to what it leaves. With matches under way that are to be
 * finished or handed back, its loop may turn late, and it is left alone.
 */
function listen(received: () => void, ends?: 'matches under way'): () => void {
  let wanted = true
  const on = (): void => {
    for (const signal of SIGNALS) process.on(signal, received)
  }
  const off = (): void => {
    for (const signal of SIGNALS) process.off(signal, received)
  }
  on()
  const letGo = (): void => {
    off()
    setImmediate(() => {
      if (wanted) on()
    })
  }
  const end = ends === undefined ? onceStuck(letGo) : () => undefined
  return () => {
    wanted = false
    end()
    off()
  }
}
