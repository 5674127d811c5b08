import { execFile } from 'node:child_process'
import { createHash } from 'node:crypto'
import { accessSync, chmodSync, constants, readFileSync, renameSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { trustedProgram } from '../files/index.js'
import { isOwn, openCache, userCaches } from './user-cache.js'

/** The launcher's source, and what it includes. */
const SOURCES = ['launcher.c', 'clock.h', 'calls.h'].map((name) =>
  fileURLToPath(new URL(`launcher/${name}`, import.meta.url)),
)
/** Where `npm run build` puts the program: a package may be packed on another kind of processor. */
const BUILT = fileURLToPath(new URL(`launcher/launcher-${process.arch}`, import.meta.url))

/** Compilers in the order they are tried: a small static program first, at last a dynamic one. */
export const COMPILERS: readonly (readonly string[])[] = [
  ['musl-gcc', '-static', '-O2'],
  ['cc', '-static', '-O2'],
  ['cc', '-O2'],
]

let found: Promise<string | undefined> | undefined

/**
 * The launcher's program: built with the package, or compiled once with this machine's compiler and kept in the user's cache.
 * Undefined where there is no compiler, or the system is not Linux.
 */
export function findLauncher(): Promise<string | undefined> {
  found ??= find()
  return found
}

async function find(): Promise<string | undefined> {
  if (process.platform !== 'linux') return undefined
  if (isFresh(BUILT)) return BUILT
  const key = createHash('sha256')
    .update(Buffer.concat(SOURCES.map((file) => readFileSync(file))))
    .update(process.arch)
    .digest('hex')
    .slice(0, 16)
  for (const folder of userCaches()) {
    const program = join(folder, `launcher-${key}`)
    if (!openCache(folder)) continue
    if (isOwn(program, 'file')) return program
    if (await compile(program)) return program
  }
  return undefined
}

/** The package brought its launcher: no compiler is looked for. */
export const isBuilt = (): boolean => isFresh(BUILT)

const isFresh = (program: string): boolean => {
  try {
    accessSync(program, constants.X_OK)
    return true
  } catch {
    return false
  }
}

async function compile(program: string): Promise<boolean> {
  const made = `${program}.${process.pid}`
  try {
    for (const [compiler = '', ...options] of COMPILERS) {
      const path = trustedProgram(compiler)
      if (path === undefined || !(await runs(path, [...options, '-o', made, SOURCES[0] ?? '']))) continue
      chmodSync(made, 0o755)
      renameSync(made, program)
      return true
    }
  } catch {
    // The folder cannot be written: the next one may.
  } finally {
    rmSync(made, { force: true })
  }
  return false
}

const runs = (program: string, args: readonly string[]): Promise<boolean> =>
  new Promise((done) => {
    execFile(program, args, { cwd: '/', timeout: 60_000 }, (error) => done(error === null))
  })
