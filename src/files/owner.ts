import { readlinkSync } from 'node:fs'
import { attempt } from './look.js'
import { statFields, textIn } from './proc.js'

/*
 * Who holds what others must leave alone: a tournament, a folder, a half made file.
 *
 * A process is named by its number, its start, the system's boot and its namespace: numbers come again, and mean another process on another
 * machine or in another container. Whether one that cannot be seen from here still runs is unknown; what it holds is its own while it gives
 * signs of life (`SIGN_MS`, `FRESH_MS`).
 */

/** Milliseconds between signs of life of a process others may not see. */
export const SIGN_MS = 60_000
/** Milliseconds after its last sign of life that an unseen process is taken to run. */
const FRESH_MS = 15 * SIGN_MS

/** This process, in letters that a file's name may have. */
export function thisProcess(): string {
  return (own ??= `${process.pid}-${stateOf(process.pid)[1]}-${here()}`)
}
let own: string | undefined

/** A process's name, as a part of a regular expression. */
export const NAME = '\\d+-\\d*-[0-9a-f]*-\\d*'

/** Whether that process still runs (no zombie does); `sign`: its last sign of life (ms since 1970), if any. */
export function isRunning(name: string, sign?: number): boolean {
  const [number = '', began = '', ...place] = name.split('-')
  const pid = Number(number)
  if (!Number.isInteger(pid) || pid <= 0) return false
  if (place.join('-') !== here()) return sign !== undefined && Date.now() - sign < FRESH_MS
  try {
    process.kill(pid, 0)
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'EPERM')) return false
  }
  const [state, start] = stateOf(pid)
  // It may be another user's, whose processes are unseen.
  if (state === '') return true
  return !/^[ZX]/.test(state) && (began === '' || began === start)
}

/** This system's boot and this process's namespace: within both a number means the same process. */
function here(): string {
  if (place !== undefined) return place
  const boot = textIn('/proc/sys/kernel/random/boot_id').slice(0, 8)
  const namespace = attempt(() => readlinkSync('/proc/self/ns/pid')) ?? ''
  return (place = `${boot}-${/\d+/.exec(namespace)?.[0] ?? ''}`)
}
let place: string | undefined

/** A process's state, and its start in ticks from the system's (Linux); empty: unknown. */
function stateOf(pid: number): readonly [state: string, start: string] {
  const { 0: state = '', 19: start = '' } = statFields(`/proc/${pid}`)
  return [state, start]
}
