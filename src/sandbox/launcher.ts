import { execFile } from 'node:child_process'
import { createHash } from 'node:crypto'
import { chmodSync, readFileSync, readdirSync, renameSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { isExecutable, isOwn, openCache, trustedProgram, userCaches } from '../files/index.js'

const FOLDER = fileURLToPath(new URL('launcher', import.meta.url))
/** Paths of the launcher's sources, headers included, in the order of their names. */
export const launcherSources = (): string[] =>
  readdirSync(FOLDER)
    .filter((name) => /\.[ch]$/.test(name))
    .sort()
    .map((name) => join(FOLDER, name))

/** From `npm run build`: a package may be packed on another kind of processor. */
const BUILT = fileURLToPath(new URL(`launcher/launcher-${process.arch}`, import.meta.url))

/** The C library's checks at run time, stack canaries, and tables of addresses that are read-only after the start. */
const HARDENED = [
  '-U_FORTIFY_SOURCE',
  '-D_FORTIFY_SOURCE=3',
  '-fstack-protector-strong',
  '-fstack-clash-protection',
  '-Wl,-z,relro,-z,now,-z,noexecstack',
]
/** At an address drawn by chance, and compiled as one file: a turn goes through half of them. */
const WHOLE = ['-fPIE', '-O2', '-flto=auto']

/** Compilers in order: a small static program first, a dynamic one last; each with all these flags, else with fewer. */
export const COMPILERS: readonly (readonly string[])[] = [
  ...['musl-gcc', 'cc'].flatMap((compiler) => [
    [compiler, '-static-pie', ...WHOLE, ...HARDENED],
    [compiler, '-static', '-O2', ...HARDENED],
    [compiler, '-static', '-O2'],
  ]),
  ['cc', '-pie', ...WHOLE, ...HARDENED],
  ['cc', '-O2'],
]

export const compilerArguments = (options: readonly string[], program: string): string[] => [
  ...options,
  '-o',
  program,
  ...launcherSources().filter((file) => file.endsWith('.c')),
]

let found: Promise<string | undefined> | undefined

/** The launcher, built with the package or compiled once into the user's cache. Undefined: no compiler, or no Linux. */
export function findLauncher(): Promise<string | undefined> {
  found ??= find()
  return found
}

async function find(): Promise<string | undefined> {
  if (process.platform !== 'linux') return undefined
  if (isExecutable(BUILT)) return BUILT
  const key = createHash('sha256')
    .update(Buffer.concat(launcherSources().map((file) => readFileSync(file))))
    .update(JSON.stringify(COMPILERS))
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

export const isBuilt = (): boolean => isExecutable(BUILT)

async function compile(program: string): Promise<boolean> {
  const made = `${program}.${process.pid}`
  try {
    for (const [compiler = '', ...options] of COMPILERS) {
      const path = trustedProgram(compiler)
      if (path === undefined || !(await runs(path, compilerArguments(options, made)))) continue
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
