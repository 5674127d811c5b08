import { readdirSync, renameSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { isAlive } from '../cells/index.js'

/**
 * Puts a file in place whole, which `write` makes under another name: who reads it meanwhile has the one before, and so has
 * everybody where this process is killed. An error of the system names the file itself.
 */
export async function replaceFile(file: string, write: (own: string) => Promise<void>): Promise<void> {
  const own = `${file}.new-${process.pid}`
  try {
    await write(own)
    renameSync(own, file)
  } catch (error) {
    throw error instanceof Error && 'code' in error ? Object.assign(error, { path: file }) : error
  } finally {
    rmSync(own, { force: true })
  }
}

/** Removes from a folder what killed processes had half made. */
export function sweepHalfMade(folder: string): void {
  for (const name of readdirSync(folder)) {
    const pid = /\.new-(\d+)$/.exec(name)?.[1]
    if (pid !== undefined && !isAlive(Number(pid))) rmSync(join(folder, name), { force: true })
  }
}
