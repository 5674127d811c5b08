import { execFileSync } from 'node:child_process'
import { readlinkSync } from 'node:fs'
import { attempt, statFields, textIn } from '../files/index.js'

/** The cores that this process may run on, by number; empty where the system does not say. */
export function coresAllowed(): readonly number[] {
  const list = /^Cpus_allowed_list:\s*(\S+)$/m.exec(textIn('/proc/self/status'))?.[1]
  return (list?.split(',') ?? []).flatMap((range) => {
    const [first = NaN, last = first] = range.split('-').map(Number)
    return Array.from({ length: last - first + 1 }, (_, i) => first + i)
  })
}

/**
 * Binds this thread, and what it starts from now on, to one core: to wake another for each question costs as much again
 * as a short turn. `slice`: nanoseconds of its pieces of it (0: the usual; absent: they stay). Where that cannot be,
 * nothing changes.
 */
export function pinThread(launcher: string, core: number, slice?: number): void {
  const words = slice === undefined ? [] : [String(slice)]
  attempt(() => execFileSync(launcher, ['pin', ownThread(), String(core), ...words], { stdio: 'ignore' }))
}

/**
 * Nanoseconds of the pieces in which a thread and its bots share a core: a quarter of the usual. So it runs as soon as
 * it wakes, and a bot that thinks does not keep others waiting for long. From Linux 6.12 on.
 */
export const SLICE_NS = 400_000

/** Runs that keep this thread on its core. */
let stays = 0
let pinned: number | undefined

/** The core that this thread stays on, with bots that answer at once; undefined: any. */
export const pinnedCore = (): number | undefined => pinned

/** Keeps this thread on its core, near quick bots, until the last calls what this returns. May change nothing. */
export function stayOnCore(launcher: string): () => void {
  if (stays++ === 0) {
    pinned = currentCore()
    if (pinned !== undefined) pinThread(launcher, pinned, SLICE_NS)
  }
  let left = false
  return () => {
    if (left) return
    left = true
    if (--stays > 0 || pinned === undefined) return
    pinned = undefined
    pinThread(launcher, ANY_CORE, 0)
  }
}

/** The system's number of this thread. Throws where the system does not say (Linux does). */
export const ownThread = (): string => readlinkSync('/proc/thread-self').split('/').at(-1) ?? ''

/** In place of a core's number: it is bound to none. */
export const ANY_CORE = -1

/** The core that this thread runs on now: the 39th word of its stat, two of which stand before the fields. */
function currentCore(): number | undefined {
  const core = Number(statFields('/proc/thread-self')[36])
  return coresAllowed().includes(core) ? core : undefined
}
