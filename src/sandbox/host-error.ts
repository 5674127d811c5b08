import { BusyError, UserError, lookUp } from '../core/index.js'
import { kindOf, textIn } from '../files/index.js'

/** This machine could start no program at all: no fault of the bot. */
export class HostError extends Error {
  override readonly name = 'HostError'

  constructor(
    message: string,
    /** The system's short name for what it has run out of; absent: it is something else. */
    readonly code?: string,
  ) {
    super(message)
  }
}

interface Shortage {
  readonly lacks: string
  readonly remedy: string
}

/**
 * What the machine may run out of, by the system's short name; `words`: the C library's. A text is of the first whose
 * words it has.
 */
const OUT_OF: Readonly<Record<string, Shortage & { readonly words: string }>> = {
  EAGAIN: {
    words: 'Resource temporarily unavailable',
    lacks: 'room for more processes (EAGAIN)',
    remedy: 'ulimit -u 4096, or end other programs',
  },
  ENFILE: {
    words: 'Too many open files in system',
    lacks: 'open files of the whole system (ENFILE)',
    remedy: 'end other programs',
  },
  EMFILE: { words: 'Too many open files', lacks: 'open files (EMFILE)', remedy: 'ulimit -n 1024' },
  ENOMEM: {
    words: 'Cannot allocate memory',
    lacks: 'free memory (ENOMEM)',
    remedy: 'end other programs, or play fewer matches at a time',
  },
  ENOSPC: {
    words: 'No space left on device',
    lacks: 'room on the disk of TMPDIR (ENOSPC)',
    remedy: 'make room, or set TMPDIR to a folder on another disk',
  },
  EDQUOT: {
    words: 'Disk quota exceeded',
    lacks: 'room in the disk quota (EDQUOT)',
    remedy: 'make room, or set TMPDIR to a folder on another disk',
  },
}
export const EXHAUSTED: ReadonlySet<string> = new Set(Object.keys(OUT_OF))

/** What the machine has run out of, by a program's message or agon's own; undefined: the message is about something else. */
export const exhaustedBy = (text: string): string | undefined =>
  Object.entries(OUT_OF).find(([code, { words }]) => text.includes(words) || text.endsWith(`: ${code}`))?.[0]

/**
 * A sandbox's program found no room for one more process: no fault of the bot, whose own are gone then. undefined:
 * another reason.
 */
export const exhausted = (noStart: string | undefined): HostError | undefined =>
  noStart === 'EAGAIN' ? new HostError(`this machine can start no more programs: ${noStart}`, noStart) : undefined

/** What could not be started, by the system's error or its short name: with a code where this machine has run out of something. */
export function hostError(what: string, error: unknown): HostError {
  const code = codeOf(error)
  return new HostError(`${what}: ${code}`, EXHAUSTED.has(code) ? code : undefined)
}

/** The system's short name for what went wrong: the message would name this machine's paths. */
export function codeOf(error: unknown): string {
  return error instanceof Error && 'code' in error ? String(error.code) : String(error)
}

/**
 * Milliseconds after which a question ends at the latest, for a limit of milliseconds, however long others had the
 * core.
 */
export const hardStopMs = (limit: number): number => 3 * limit + 1000

/** The error for a bot of that name whose limit is so many milliseconds. `cpuUs`: what it ran meanwhile. */
export const tooBusy = (name: string, limit: number, cpuUs?: number): BusyError =>
  new BusyError(
    `the machine is too busy: ${name} did not get its core for ${limit} ms within ${hardStopMs(limit)} ms`,
    cpuUs,
  )

/**
 * What the launcher says where the kernel or processor gives no filter of system calls: a sandbox would not hold a bot.
 */
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
  if (process.platform === 'linux' && !kindOf('/proc/self/stat'))
    return { lacks: '/proc: processes cannot be distinguished', remedy: 'mount -t proc proc /proc' }
  return undefined
}

/** How many open files a process of this shell may have, or processes its user; undefined: no bound, or none that can be read. */
export function allowed(what: 'open files' | 'processes'): number | undefined {
  const limit = new RegExp(`^Max ${what}\\s+(\\d+)`, 'm').exec(textIn('/proc/self/limits'))?.[1]
  return limit === undefined ? undefined : Number(limit)
}
