import { closeSync, constants, fstatSync, openSync, readSync, writeSync } from 'node:fs'
import { sumOf } from '../sums.js'

/*
 * Theory of operation.
 *
 * A write-ahead log that is cut short or removed is no damage to SQLite: it takes what is left of it for all there was. So a
 * file beside the store, agon.db-mark, says how much had been committed. It is written after each commit, so it may be behind the
 * store (a kill in between, two processes), and is ahead of it only where commits were lost.
 */

/** How much was ever committed. */
export interface Level {
  /** The store's own name: the mark of another file says nothing. */
  readonly store: string
  readonly commits: number
  readonly matches: number
}

/** What was committed once, and is not in the store. */
export interface Lost {
  readonly commits: number
  readonly matches: number
}

/** A mark is one line of that many bytes: a shorter one never leaves the end of a longer one behind it. */
const LENGTH = 80

/** The mark beside a store. A mark that cannot be read or written is none: it guards the store, and must not stop it. */
export class Mark {
  private readonly fd: number | undefined

  constructor(private readonly file: string) {
    this.fd = quietly(() => openPlain(file, constants.O_RDWR)) ?? quietly(() => openSync(file, 'wx+', 0o600))
  }

  write({ store, commits, matches }: Level): void {
    const { fd } = this
    if (fd === undefined) return
    const line = `${store} ${commits} ${matches} ${sumOf(store, commits, matches)}`.padEnd(LENGTH - 1)
    quietly(() => writeSync(fd, `${line}\n`, 0))
  }

  /**
   * What the store once held beyond what it holds now, if it did. The mark is read before the store: another process that
   * commits between the two looks makes the store newer than the mark, never the mark newer than the store.
   */
  lost(now: () => Level): Lost | undefined {
    const then = quietly(() => parse(textOf(this.file)))
    const { store, commits, matches } = now()
    if (then === undefined || then.store !== store || then.commits <= commits) return undefined
    return { commits: then.commits - commits, matches: Math.max(0, then.matches - matches) }
  }

  close(): void {
    const { fd } = this
    if (fd !== undefined) quietly(() => closeSync(fd))
  }
}

function parse(text: string): Level | undefined {
  const [store = '', commits, matches, sum] = text.trim().split(' ')
  const level = { store, commits: Number(commits), matches: Number(matches) }
  return Number(sum) === sumOf(store, level.commits, level.matches) ? level : undefined
}

/** Opens a mark; not one that is a link, into whose file it would be written, or a pipe, which would be waited for. */
function openPlain(file: string, flags: number): number {
  const fd = openSync(file, flags | constants.O_NOFOLLOW | constants.O_NONBLOCK)
  if (fstatSync(fd).isFile()) return fd
  closeSync(fd)
  throw new Error('no plain file')
}

function textOf(file: string): string {
  const fd = openPlain(file, constants.O_RDONLY)
  try {
    const bytes = Buffer.alloc(2 * LENGTH)
    return bytes.toString('latin1', 0, readSync(fd, bytes, 0, bytes.length, 0))
  } finally {
    closeSync(fd)
  }
}

function quietly<T>(work: () => T): T | undefined {
  try {
    return work()
  } catch {
    return undefined
  }
}
