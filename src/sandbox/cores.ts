import { execFileSync } from 'node:child_process'
import { readFileSync, readlinkSync } from 'node:fs'

/** The cores that this process may run on, by number; empty where the system does not say. */
export function coresAllowed(): readonly number[] {
  try {
    const list = /^Cpus_allowed_list:\s*(\S+)$/m.exec(readFileSync('/proc/self/status', 'utf8'))?.[1] ?? ''
    return list.split(',').flatMap((range) => {
      const [first = NaN, last = first] = range.split('-').map(Number)
      return Array.from({ length: last - first + 1 }, (_, i) => first + i)
    })
  } catch {
    return []
  }
}

/**
 * Binds this thread, and what it starts from now on, to one core: waking another core for each question and each answer costs as
 * much again as a short turn. Where that cannot be, nothing changes.
 */
export function pinThread(launcher: string, core: number): void {
  try {
    const thread = readlinkSync('/proc/thread-self').split('/').at(-1) ?? ''
    execFileSync(launcher, ['pin', thread, String(core)], { stdio: 'ignore' })
  } catch {
    // It runs wherever the system puts it.
  }
}
