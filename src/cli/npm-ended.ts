/** Milliseconds between two looks. */
const LOOK_MS = 500

/**
 * Calls back once npm has ended, where it started this process: a `kill` of `npx agon worker` ends npm and its shell, and does not reach the command, which
 * would play on unnoticed. Returns what stops looking.
 */
export function onceNpmEnded(ended: () => void, started = process.ppid, env = process.env): () => void {
  if (env['npm_command'] === undefined) return () => undefined
  const timer = setInterval(() => {
    if (process.ppid === started) return
    clearInterval(timer)
    ended()
  }, LOOK_MS).unref()
  return () => clearInterval(timer)
}
