import { type Wording, message, option } from '../../core/index.js'
import { DAMAGED } from '../damage.js'

/** A statement that gives rows throws without SQLite's code, and a number that no double holds is none of ours. */
export const isDamage = (error: unknown): boolean =>
  error instanceof Error &&
  /malformed|not a database|constraint failed|datatype mismatch|cannot store|too big|too large|unsupported file format|out of range/i.test(
    error.message,
  )

/** By SQLite's code of an error that the host can mend: what is wrong with the file. */
export const WORDS: Readonly<Record<number, Wording>> = {
  5: message`another program has held it for ten seconds; let it end, and continue with ${option('resume')}`,
  8: message`may not be written: the folder or the file is read-only; choose another workspace with ${option('workspace')}`,
  10: message`cannot be read or written (the disk is full, or fails); make room and continue with ${option('resume')}`,
  11: DAMAGED,
  13: message`no space left on the disk (SQLITE_FULL); make room and continue with ${option('resume')}`,
  19: DAMAGED,
  20: DAMAGED,
  14: message`cannot be opened: the folder or the file may not be used; choose another workspace with ${option('workspace')}`,
  26: 'is no store of agon, or is damaged; put a copy of it back, or move it away',
}
