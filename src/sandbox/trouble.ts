import { existsSync, readFileSync } from 'node:fs'
import { UserError, lookUp } from '../core/index.js'
import { HostError } from './host-error.js'

/** What this machine or this shell gives too little of, and what mends it. */
export interface Shortage {
  readonly lacks: string
  readonly remedy: string
}

/** What the machine has run out of, by the system's short name for it. */
const OUT_OF: Readonly<Record<string, Shortage>> = {
  EAGAIN: { lacks: 'room for more processes (EAGAIN)', remedy: 'ulimit -u 4096, or end other programs' },
  ENOMEM: { lacks: 'free memory (ENOMEM)', remedy: 'end other programs, or play fewer matches at a time' },
  EMFILE: { lacks: 'open files (EMFILE)', remedy: 'ulimit -n 1024' },
  ENFILE: { lacks: 'open files of the whole system (ENFILE)', remedy: 'end other programs' },
  ENOSPC: {
    lacks: 'room on the disk of TMPDIR (ENOSPC)',
    remedy: 'make room, or set TMPDIR to a folder on another disk',
  },
  EDQUOT: { lacks: 'room in the disk quota (EDQUOT)', remedy: 'make room, or set TMPDIR to a folder on another disk' },
}

/** What the launcher says on a kernel, or a processor, that gives no filter of system calls: a bot's sandbox would not hold it. */
export const NO_FILTER = 'Cannot filter system calls'

/** A sandbox's launcher keeps so many files open at the most. */
const FILES = 256

/** What kept a sandbox from being opened where it was not sandboxes that are lacking; undefined: it was. */
export function troubleOf(error: unknown): Shortage | undefined {
  if (error instanceof UserError) {
    const [what = '', remedy = ''] = error.message.split(/; (?=[^;]*$)/)
    return { lacks: what.replace(/^no /, 'a '), remedy }
  }
  const code = error instanceof HostError ? error.code : undefined
  const files = allowed('open files')
  if (files !== undefined && files < FILES)
    return { lacks: `open files: this shell allows ${files}, and a sandbox takes ${FILES}`, remedy: 'ulimit -n 1024' }
  if (code !== undefined) return lookUp(OUT_OF, code)
  if (process.platform === 'linux' && !existsSync('/proc/self/stat'))
    return { lacks: '/proc: processes cannot be distinguished', remedy: 'mount -t proc proc /proc' }
  return undefined
}

/** How many open files a process of this shell may have, or processes its user; undefined: no bound, or none that can be read. */
export function allowed(what: 'open files' | 'processes'): number | undefined {
  try {
    const limit = new RegExp(`^Max ${what}\\s+(\\d+)`, 'm').exec(readFileSync('/proc/self/limits', 'utf8'))?.[1]
    return limit === undefined ? undefined : Number(limit)
  } catch {
    return undefined
  }
}
