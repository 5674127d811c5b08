import { readFileSync } from 'node:fs'

/** Milliseconds between two looks. */
const LOOK_MS = 500

/**
 * Calls back once npm has ended, where it started this process: a `kill` of `npx agon worker` ends npm and its shell, and does not reach the command, which
 * would play on unnoticed. Returns what stops looking.
 */
export function onceNpmEnded(ended: () => void, env = process.env): () => void {
  if (env['npm_command'] === undefined) return () => undefined
  const [started, npm] = [process.ppid, shellsParent(process.ppid)]
  const timer = setInterval(() => {
    if (process.ppid === started && (npm === undefined || shellsParent(started) === npm)) return
    clearInterval(timer)
    ended()
  }, LOOK_MS).unref()
  return () => clearInterval(timer)
}

/**
 * Who started a process that is a shell with one command: npm starts what it runs through such a shell, which outlives an npm that is killed.
 * Undefined: it is no such shell, or the system does not say (Linux does).
 */
function shellsParent(pid: number): number | undefined {
  try {
    if (readFileSync(`/proc/${pid}/cmdline`, 'utf8').split('\0')[1] !== '-c') return undefined
    return Number(readFileSync(`/proc/${pid}/stat`, 'latin1').split(') ').at(-1)?.split(' ')[1])
  } catch {
    return undefined
  }
}
