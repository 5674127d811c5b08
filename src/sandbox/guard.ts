import { readFileSync, readdirSync } from 'node:fs'
import { constants as system } from 'node:os'
import type { Outside } from './frames.js'

/**
 * Whether a sandbox's end came from outside, by how its guard ended (bubblewrap and the guard pass on what ended the launcher as 128
 * and the signal). No bot can signal any of the three so that they end; what a launcher does that fails by itself, or trips over a
 * fault of its own, a bot may have brought about.
 */
export function outsideOf(code: number | null, signal: string | null): Outside {
  const own = code === 70 || OWN_FAULTS.has((code ?? 0) - 128)
  return signal === null && own ? 'possible' : 'certain'
}
const { SIGILL, SIGTRAP, SIGABRT, SIGBUS, SIGFPE, SIGSEGV, SIGSYS } = system.signals
const OWN_FAULTS: ReadonlySet<number> = new Set([SIGILL, SIGTRAP, SIGABRT, SIGBUS, SIGFPE, SIGSEGV, SIGSYS])

/** Kills what a guard that was itself killed has left of a room that it was making: all is in its session until the room is there. */
export function killSession(guard: number | undefined): void {
  if (guard === undefined) return
  for (const name of readdirSync('/proc')) {
    if (!/^\d+$/.test(name)) continue
    try {
      const stat = readFileSync(`/proc/${name}/stat`, 'latin1')
      const session = stat.slice(stat.lastIndexOf(')') + 2).split(' ')[3]
      if (Number(session) === guard) process.kill(Number(name), 'SIGKILL')
    } catch {
      // It has ended already.
    }
  }
}

/** The first process that a process has started. */
export const childrenOf = (pid: string): string =>
  readFileSync(`/proc/${pid}/task/${pid}/children`, 'latin1').split(' ')[0] ?? ''
