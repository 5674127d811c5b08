import { existsSync, lstatSync, mkdirSync, renameSync, rmSync } from 'node:fs'
import { writeFile } from 'node:fs/promises'
import { dirname, join, resolve } from 'node:path'
import { UserError, parseStrange } from '../core/index.js'
import { NAME, readPlain, sweep, thisProcess } from '../files/index.js'

/**
 * Moves a whole file into place, which `write` makes under another name, where nothing is (flag `wx`): readers, and all if this process is killed, have the one
 * before. A link or a pipe of its name is not written to. A system error names the file itself.
 */
export async function replaceFile(file: string, write: (own: string) => Promise<void>): Promise<void> {
  const own = `${file}.new-${thisProcess()}`
  rmSync(own, { force: true })
  try {
    await write(own)
    renameSync(own, file)
  } catch (error) {
    throw error instanceof Error && 'code' in error ? Object.assign(error, { path: file }) : error
  } finally {
    rmSync(own, { force: true })
  }
}

/** The same of a text. `mode`: of the file, less the umask. */
export const replaceText = (file: string, text: string, mode?: number): Promise<void> =>
  replaceFile(file, (own) => writeFile(own, text, { mode, flag: 'wx' }))

/** A system's names of this process's streams and terminal: links and pipes. */
const STREAM = /^\/dev\/(?:std(?:out|err)|null|tty|fd\/\d+)$|^\/proc\/self\/fd\/\d+$/

/** Writes a text into a user's file and its folders, as `replaceText` does, or to a stream of this process. */
export async function writeNamed(file: string, text: string): Promise<void> {
  const path = resolve(file)
  if (STREAM.test(path)) return writeFile(path, text)
  makeFolder(dirname(path))
  await replaceText(path, text)
}

const HALF_MADE = new RegExp(`\\.new-(${NAME})$`)

/** Removes from a folder what killed processes had half made. */
export function sweepHalfMade(folder: string): void {
  sweep(folder, (name) => HALF_MADE.exec(name)?.[1])
}

/**
 * Makes a folder and those above it. Throws the system's first error: Node's own way tries for ever where the system says that
 * an existing parent is missing, as /proc does.
 */
export function makeFolder(path: string): void {
  const missing: string[] = []
  for (let folder = resolve(path); !existsSync(folder); folder = dirname(folder)) missing.push(folder)
  // If something is there, Node says whether it is a folder.
  if (missing.length === 0) mkdirSync(path, { recursive: true })
  for (const folder of missing.reverse()) mkdirSync(folder)
}

/*
 * A results folder may be a stranger's. Its files may be links to files of this user, whose words a message would quote, or pipes or
 * devices, which have no end.
 */

/** Bytes of a run's document at most; the largest fields need a hundredth. */
const MOST = 2 ** 28

/** The text of a results folder's file. Throws UserError for what is no plain file, or is too large. */
export function partText(file: string): string {
  const { size } = statOf(file)
  if (size > MOST) throw new UserError(`${file}: it has more than ${MOST} bytes, which no run's has`)
  const text = readPlain(file, MOST)?.toString()
  if (text === undefined) throw new UserError(`${file}: it cannot be read`)
  return text
}

/** The size of a results folder's file. Throws UserError for what is no plain file. */
export const partSize = (file: string): number => statOf(file).size

function statOf(file: string): { readonly size: number } {
  const stat = lstatSync(file, { throwIfNoEntry: false })
  if (stat === undefined) throw new UserError(`there is no ${file}`)
  if (!stat.isFile())
    throw new UserError(`${file}: this is no plain file; a results folder has no links, pipes or devices`)
  return stat
}

/** A key's value in a results folder's contest.json; undefined: none, or agon did not write the file. */
export function contestFact(folder: string, key: 'gameFile' | 'seed'): unknown {
  try {
    const facts = parseStrange(partText(join(folder, 'contest.json'))) as Readonly<Record<string, unknown>> | null
    return facts?.[key]
  } catch {
    return undefined
  }
}

/** The game's file of an archive's contest, by its contest.json: to be named, not run. */
export function playedWith(folder: string): string | undefined {
  const file = contestFact(folder, 'gameFile')
  return typeof file === 'string' ? file : undefined
}
