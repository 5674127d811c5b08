import { UserError } from '../core/index.js'
import { tell, tellBelow, visibleLines } from './terminal.js'

/** A user's mistake: one line and exit code 2. Anything else is our own: told as such, with its stack, exit code 70. */
export function fail(error: unknown): void {
  const known = userMistake(error)
  if (known !== undefined) {
    tell(`agon: ${visibleLines(known)}`)
    process.exitCode = 2
    return
  }
  tell(`agon failed; this is a fault of agon, not of a bot or yours. Please report it with these lines:`)
  tell(visibleLines(error instanceof Error ? (error.stack ?? error.message) : String(error)))
  process.exitCode = 70
}

/** Ends this process, and its bots with it, at the user's wish. */
export function interrupt(what: string): never {
  tellBelow(what)
  process.exit(INTERRUPTED)
}

export const INTERRUPTED = 130

/** The message, where what was thrown is the user's to mend. */
function userMistake(error: unknown): string | undefined {
  if (error instanceof UserError) return error.message
  if (!(error instanceof Error)) return undefined
  const code = 'code' in error ? String(error.code) : ''
  if (code.startsWith('ERR_PARSE_ARGS')) return error.message
  const path = 'path' in error ? String(error.path) : ''
  return SYSTEM[code] && `${path === '' ? '' : `${path}: `}${SYSTEM[code]} (${code})`
}

/** What the system says that a user can mend, in words. */
const SYSTEM: Readonly<Record<string, string>> = {
  ENOSPC: 'no space left on the disk; make room and try again (a run goes on with --resume)',
  ENOENT: 'cannot be made there; choose another folder',
  EDQUOT: 'the disk quota is used up; make room and try again (a run goes on with --resume)',
  EACCES: 'permission denied; choose a place where you may read and write',
  EPERM: 'not permitted; choose a place where you may read and write',
  EROFS: 'a read-only file system; choose another place',
  ENOTDIR: 'a part of this path is a file, not a folder; choose another place',
  EEXIST: 'there is a file where a folder is needed; choose another place',
  EISDIR: 'a folder, and a file is needed',
  ENAMETOOLONG: 'the path is too long; choose a shorter one',
  EMFILE: 'too many open files; raise the limit (ulimit -n) or lower --jobs, and go on with --resume',
}
