import { BusyError, UserError, lookUp, spelled, visible } from '../core/index.js'
import { flagOf } from '../app/flag.js'
import { notify, notifyBelow } from './terminal.js'

/**
 * A user's mistake: one line and exit code 2. A machine that is too busy: one line and 75. What this machine could not do even when
 * tried again: one line and 70. Others are ours: with stack, exit code 70.
 */
export function fail(error: unknown): void {
  const known = userMistake(error)
  process.exitCode = 70
  if (known !== undefined) {
    process.exitCode = 2
    notify(`agon: ${withoutBreaks(known)}`)
  } else if (error instanceof BusyError) {
    process.exitCode = TOO_BUSY
    notify(`agon: ${error.message}; try again when less runs beside agon (--resume continues a run)`)
  } else if (error instanceof Error && error.name === 'HostError')
    notify(`agon failed: ${error.message}; agon doctor tells what this machine has and lacks`)
  else {
    notify(`agon failed; this is a fault of agon, not of a bot or yours. Please report it with these lines:`)
    notify(error instanceof Error ? (error.stack ?? error.message) : String(error))
  }
}

/** One line, even if a named word of the command line has line breaks. */
function withoutBreaks(text: string): string {
  const parts = process.argv.slice(2).flatMap((word) => [word, word.slice(word.indexOf('=') + 1)])
  return parts.filter((part) => /[\n\r]/.test(part)).reduce((all, part) => all.replaceAll(part, visible(part)), text)
}

/** Ends this process, and its bots with it, at the user's wish. */
export function interrupt(what: string): never {
  notifyBelow(what)
  process.exit(INTERRUPTED)
}

export const INTERRUPTED = 130
/** What sysexits.h calls a temporary failure. */
const TOO_BUSY = 75

/** The message of an error that the user can mend; undefined: another. */
function userMistake(error: unknown): string | undefined {
  if (error instanceof UserError) return spelled(error.text, flagOf)
  if (!(error instanceof Error)) return undefined
  const code = 'code' in error ? String(error.code) : ''
  if ('syscall' in error && error.syscall === 'uv_cwd')
    return 'the current folder has been removed: go to one that is there (cd), and try again'
  // By name: its module need not be loaded.
  if (error.name === 'HostError') return lookUp(SYSTEM, code) && `${error.message}; ${lookUp(SYSTEM, code)}`
  if (code.startsWith('ERR_PARSE_ARGS')) return error.message
  const path = 'path' in error ? String(error.path) : ''
  return lookUp(SYSTEM, code) && `${path === '' ? '' : `${path}: `}${lookUp(SYSTEM, code)} (${code})`
}

/** System errors that a user can mend, in words. */
const SYSTEM: Readonly<Record<string, string>> = {
  ENOSPC: 'no space left on the disk; make room and try again (--resume continues a run)',
  ENOENT: 'cannot be made there; choose another folder',
  EDQUOT: 'the disk quota is used up; make room and try again (--resume continues a run)',
  EACCES: 'permission denied; choose a place where you may read and write',
  EPERM: 'not permitted; choose a place where you may read and write',
  EROFS: 'a read-only file system; choose another place',
  ENOTDIR: 'a part of this path is a file, not a folder; choose another place',
  EEXIST: 'there is a file where a folder is needed; choose another place',
  EISDIR: 'a folder, and a file is needed',
  ENAMETOOLONG: 'the path is too long; choose a shorter one',
  EAGAIN:
    'the system starts no more processes; raise the limit (ulimit -u), end other programs or lower --jobs, and continue with --resume',
  ENOMEM: 'no memory is left; end other programs or lower --jobs, and continue with --resume',
  ENFILE: 'too many files are open on the whole system; end other programs, and continue with --resume',
  EMFILE: 'too many open files; raise the limit (ulimit -n) or lower --jobs, and continue with --resume',
}

const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP', 'SIGQUIT'] as const

/** Milliseconds for a stopped run to end, with all that it writes. */
const STOP_MS = 1500

/** Ctrl-C ends this process by its exit, and its bots. To be called before anything starts. */
export function endBotsOnSignals(): void {
  listen(() => interrupt('interrupted'))
}

/** Aborted by Ctrl-C, after `first` is called; a second Ctrl-C ends this process at once. */
export function abortOnSignals(
  first: () => void = () => undefined,
  again = 'interrupted again: ended at once',
): { readonly signal: AbortSignal; readonly off: () => void } {
  const controller = new AbortController()
  const off = listen(() => {
    if (controller.signal.aborted) interrupt(again)
    first()
    controller.abort()
  })
  return { signal: controller.signal, off }
}

/** Ctrl-C once: no new matches, and those under way are given up; twice, or if slow: at once. Call before any start. */
export function stopOnSignals(): { readonly signal: AbortSignal; readonly off: () => void } {
  let late: NodeJS.Timeout | undefined
  const { signal, off } = abortOnSignals(() => {
    notifyBelow('stopping; what is done is kept (Ctrl-C again ends at once)')
    const end = () => interrupt('ended before everything was written; what is done is kept, --resume continues')
    late = setTimeout(end, STOP_MS).unref()
  }, 'interrupted again: ended at once; what is done is kept, --resume continues')
  return {
    signal,
    off: () => {
      clearTimeout(late)
      off()
    },
  }
}

/** Listens for signals until stopped. A call that does not return blocks them: only SIGKILL ends it then. */
function listen(received: () => void): () => void {
  for (const signal of SIGNALS) process.on(signal, received)
  return () => {
    for (const signal of SIGNALS) process.off(signal, received)
  }
}
