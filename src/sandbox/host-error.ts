import { BusyError } from '../core/index.js'

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

/** The system's messages when it has run out of processes, files, memory or disk. */
export const EXHAUSTED: ReadonlySet<string> = new Set(['EAGAIN', 'EMFILE', 'ENFILE', 'ENOMEM', 'ENOSPC', 'EDQUOT'])

/** The same in the words of the C library, as programs print them. */
const IN_WORDS: readonly (readonly [string, string])[] = [
  ['Resource temporarily unavailable', 'EAGAIN'],
  ['Too many open files in system', 'ENFILE'],
  ['Too many open files', 'EMFILE'],
  ['Cannot allocate memory', 'ENOMEM'],
  ['No space left on device', 'ENOSPC'],
  ['Disk quota exceeded', 'EDQUOT'],
]

/** What the machine has run out of, by a program's message or agon's own; undefined: the message is about something else. */
export const exhaustedBy = (text: string): string | undefined =>
  IN_WORDS.find(([words, code]) => text.includes(words) || text.endsWith(`: ${code}`))?.[1]

/**
 * A sandbox's program that found no room for one more process: a limit that agon was started with, or other programs of its user. The
 * bot's own are gone whenever one is started. undefined: it was something else that kept it from starting.
 */
export const exhausted = (noStart: string | undefined): HostError | undefined =>
  noStart === 'EAGAIN' ? new HostError(`this machine can start no more programs: ${noStart}`, noStart) : undefined

/** What could not be started, as a HostError: with its code where this machine has run out of something. */
export const hostError = (what: string, error: unknown): HostError => hostErrorOf(what, codeOf(error))

/** The same by the system's short name for what went wrong. */
export const hostErrorOf = (what: string, code: string): HostError =>
  new HostError(`${what}: ${code}`, EXHAUSTED.has(code) ? code : undefined)

/** The system's short name for what went wrong: the message would name this machine's paths. */
export function codeOf(error: unknown): string {
  return error instanceof Error && 'code' in error ? String(error.code) : String(error)
}

/** When a question ends at the latest, in milliseconds from its beginning, however long others had the core: for a limit of milliseconds. */
export const hardStopMs = (limit: number): number => 3 * limit + 1000

/** The error for a bot of that name whose limit is so many milliseconds. `cpuUs`: what it ran meanwhile. */
export const tooBusy = (name: string, limit: number, cpuUs?: number): BusyError =>
  new BusyError(
    `the machine is too busy: ${name} did not get its core for ${limit} ms within ${hardStopMs(limit)} ms`,
    cpuUs,
  )
