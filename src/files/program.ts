import { execFile } from 'node:child_process'
import { basename, dirname, isAbsolute, join } from 'node:path'
import { isInside, namesIn, readPlain, realPath } from './look.js'
import { isTrustedFile, searchPath, trustedProgram } from './trusted.js'

/*
 * Nothing that an entry names is started by the host, or looked for in the entry's folder. A program is found in the host's PATH, in
 * folders that no entrant could have written, or is an absolute path there; all else that a command or a script's first line names is left
 * to the sandbox.
 */

/** Milliseconds for a version manager's answer. */
const WHICH_MS = 10_000

const resolved = new Map<string, Promise<string>>()
const fromPath = new Set<string>()

/**
 * The host's program that a command's first word names, as an absolute path from PATH; behind a version manager's shim
 * (pyenv, rbenv, asdf …) the real program, which starts in 10 ms, not the shim's 160. Undefined: this machine has none
 * that it may trust.
 */
export async function findProgram(word: string): Promise<string | undefined> {
  const file = word.includes('/') ? word : trustedProgram(word)
  if (file === undefined || !isTrustedFile(file)) return undefined
  if (!isFound(file)) return file
  const known = resolved.get(file) ?? behindShim(file)
  resolved.set(file, known)
  const program = await known
  fromPath.add(program)
  return program
}

/** Whether the host may start a program itself, to ask it: found in PATH, or the system's. */
export function isFound(program: string): boolean {
  const path = realPath(program)
  return (
    path !== undefined &&
    isTrustedFile(program) &&
    (fromPath.has(program) ||
      [program, path].some((each) => isInside('/usr', each) || searchPath().includes(dirname(each))))
  )
}

/** What a program is asked with: no file of a bot's folder decides anything, no program is found there. */
export const asking = (): { cwd: string; env: NodeJS.ProcessEnv } => ({
  cwd: '/',
  env: { ...process.env, PATH: searchPath().join(':'), PWD: '/' },
})

/** The words that start a `#!/usr/bin/env …` script without env's look-up. Undefined: it starts as it is. */
export function envShebang(file: string): readonly string[] | undefined {
  const [, line] = /^#!\s*\S*\/env(?:[ \t]+-S)?[ \t]+(\S[^\n\r]*)/.exec(head(file)) ?? []
  const words = line?.trim().split(/\s+/)
  return words === undefined || words[0]?.startsWith('-') || words[0]?.includes('=') ? undefined : words
}

/** The program that a script's first line names; undefined: the file is no script. */
export function shebang(file: string): string | undefined {
  return /^#!\s*(\S+)/.exec(head(file))?.[1]
}

/**
 * A shim is a script that hands itself to its manager, `exec "…/pyenv" exec "$program" "$@"`, or, with rustup, another
 * name of it. The manager tells where that leads.
 */
async function behindShim(file: string): Promise<string> {
  const real = realPath(file) ?? file
  const text = head(real)
  const manager =
    basename(real) === 'rustup' && basename(file) !== 'rustup'
      ? real
      : text.startsWith('#!')
        ? /^\s*exec\s+"?([^"\s$]+)"?\s+exec\s/m.exec(text)?.[1]
        : undefined
  if (manager === undefined || !isTrustedFile(manager)) return file
  const name = basename(file)
  const plain = basename(manager) === 'pyenv' ? pyenvProgram(dirname(dirname(file)), name) : undefined
  if (plain !== undefined) return plain
  const printed = await new Promise<string>((done) => {
    execFile(manager, ['which', name], { timeout: WHICH_MS, ...asking() }, (error, stdout) => done(error ? '' : stdout))
  })
  const program = printed.trim().split('\n').at(-1) ?? ''
  return isAbsolute(program) && isTrustedFile(program) ? program : file
}

/**
 * What `pyenv which` says in the plain case, one installed version, without its scripts' 70 ms of processor time:
 * PYENV_VERSION, else the nearest .python-version above the working folder, else the version for all. That folder may
 * be a bot's: its file only chooses among installed versions. Undefined: pyenv must be asked.
 */
function pyenvProgram(root: string, name: string): string | undefined {
  const chosen = process.env['PYENV_VERSION'] || (versionFile(process.cwd()) ?? textOf(join(root, 'version')))
  const version = chosen?.trim() ?? ''
  if (version.startsWith('.') || !namesIn(join(root, 'versions')).includes(version)) return undefined
  const program = join(root, 'versions', version, 'bin', name)
  return isTrustedFile(program) ? program : undefined
}

function versionFile(folder: string): string | undefined {
  const text = textOf(join(folder, '.python-version'))
  return text !== undefined || folder === dirname(folder) ? text : versionFile(dirname(folder))
}

const textOf = (file: string): string | undefined => readPlain(file, 4096)?.toString('utf8')
const head = (file: string): string => readPlain(file, 4096)?.toString('latin1') ?? ''
