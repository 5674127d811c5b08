import { renameSync, rmSync, writeFileSync } from 'node:fs'
import { NAME, sweep, thisProcess } from '../lease/index.js'

/**
 * Puts a file in place whole, which `write` makes under another name: who reads it meanwhile has the one before, and so has
 * everybody where this process is killed. An error of the system names the file itself.
 */
export async function replaceFile(file: string, write: (own: string) => Promise<void>): Promise<void> {
  const own = `${file}.new-${thisProcess()}`
  try {
    await write(own)
    renameSync(own, file)
  } catch (error) {
    throw error instanceof Error && 'code' in error ? Object.assign(error, { path: file }) : error
  } finally {
    rmSync(own, { force: true })
  }
}

/** Puts a text in place whole; what is there under its name, a link or a pipe, is not written to. */
export function replaceText(file: string, text: string): void {
  const own = `${file}.new-${thisProcess()}`
  rmSync(own, { force: true })
  try {
    writeFileSync(own, text, { flag: 'wx' })
    renameSync(own, file)
  } catch (error) {
    throw error instanceof Error && 'code' in error ? Object.assign(error, { path: file }) : error
  } finally {
    rmSync(own, { force: true })
  }
}

/** What is half made, with its owner; older agons gave a number alone. */
const HALF_MADE = new RegExp(`\\.new-(${NAME}|\\d+)$`)

/** Removes from a folder what killed processes had half made. */
export function sweepHalfMade(folder: string): void {
  sweep(folder, (name) => HALF_MADE.exec(name)?.[1])
}
