import { readdirSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

/**
 * Puts a file in place whole: who reads it meanwhile has the one before, and so has everybody where this process is killed. An
 * error of the system names the file itself.
 */
export function replaceText(file: string, text: string): void {
  const own = `${file}${mark()}`
  try {
    writeFileSync(own, text)
    renameSync(own, file)
  } catch (error) {
    throw naming(file, error)
  } finally {
    rmSync(own, { force: true })
  }
}

/** The same for one that `write` makes under another name. */
export async function replaceFile(file: string, write: (own: string) => Promise<void>): Promise<void> {
  const own = `${file}${mark()}`
  try {
    await write(own)
    renameSync(own, file)
  } catch (error) {
    throw naming(file, error)
  } finally {
    rmSync(own, { force: true })
  }
}

/** Removes from a folder what killed processes had half made. */
export function sweepHalfMade(folder: string): void {
  for (const name of readdirSync(folder)) {
    const pid = Number(/\.new-(\d+)$/.exec(name)?.[1])
    if (pid > 0 && !isAlive(pid)) rmSync(join(folder, name), { force: true })
  }
}

const mark = (): string => `.new-${process.pid}`

function naming(file: string, error: unknown): unknown {
  return error instanceof Error && 'code' in error ? Object.assign(error, { path: file }) : error
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return error instanceof Error && 'code' in error && error.code === 'EPERM'
  }
}
