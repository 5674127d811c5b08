import { execFile } from 'node:child_process'
import { accessSync, closeSync, constants, openSync, readFileSync, readSync, statSync } from 'node:fs'
import { basename, delimiter, dirname, isAbsolute, join } from 'node:path'

/** Version managers are asked within this many milliseconds. */
const WHICH_MS = 10_000

const resolved = new Map<string, Promise<string>>()

/**
 * The program that a command's first word names, as an absolute path: looked up in PATH, and, where a version manager (pyenv,
 * rbenv, asdf …) put a shim there, the real program behind it, which starts in 10 ms where the shim takes 160. Undefined where
 * this machine has no such program.
 */
export async function findProgram(word: string): Promise<string | undefined> {
  const file = word.includes('/') ? word : inPath(word)
  if (file === undefined || !isExecutable(file)) return undefined
  const known = resolved.get(file)
  if (known !== undefined) return known
  const found = behindShim(file)
  resolved.set(file, found)
  return found
}

/**
 * The words that start a script whose first line is `#!/usr/bin/env …`: what env would look up again at each start. Undefined:
 * the file is something else, and starts as it is.
 */
export function envShebang(file: string): readonly string[] | undefined {
  const [, line] = /^#!\s*\S*\/env(?:[ \t]+-S)?[ \t]+(\S[^\n\r]*)/.exec(head(file)) ?? []
  const words = line?.trim().split(/\s+/)
  return words === undefined || words[0]?.startsWith('-') || words[0]?.includes('=') ? undefined : words
}

/** The program that a script's first line names; undefined: the file is no script. */
export function shebang(file: string): string | undefined {
  return /^#!\s*(\S+)/.exec(head(file))?.[1]
}

/** A file that may be started. */
export function isExecutable(file: string): boolean {
  try {
    accessSync(file, constants.X_OK)
    return statSync(file).isFile()
  } catch {
    return false
  }
}

/** The folders in which programs are looked for. */
export function searchPath(): string[] {
  return (process.env['PATH'] ?? '/usr/local/bin:/usr/bin:/bin').split(delimiter).filter((folder) => isAbsolute(folder))
}

function inPath(name: string): string | undefined {
  return searchPath()
    .map((folder) => join(folder, name))
    .find(isExecutable)
}

/** A shim is a script that hands itself to its manager: `exec "…/pyenv" exec "$program" "$@"`. The manager tells where that leads. */
async function behindShim(file: string): Promise<string> {
  const text = head(file)
  const [, manager] = (text.startsWith('#!') && /^\s*exec\s+"?([^"\s$]+)"?\s+exec\s/m.exec(text)) || []
  if (manager === undefined) return file
  const name = basename(file)
  const plain = basename(manager) === 'pyenv' ? pyenvProgram(dirname(dirname(file)), name) : undefined
  if (plain !== undefined) return plain
  const said = await new Promise<string>((done) => {
    execFile(manager, ['which', name], { timeout: WHICH_MS }, (error, stdout) => done(error ? '' : stdout))
  })
  const program = said.trim().split('\n').at(-1) ?? ''
  return isAbsolute(program) && isExecutable(program) ? program : file
}

/**
 * What `pyenv which` would say of a program in the plain case, one version that is installed, without the 70 ms of processor time
 * that its scripts take: PYENV_VERSION, else the nearest .python-version above the working folder, else the version for all.
 * Undefined: it has to be asked.
 */
function pyenvProgram(root: string, name: string): string | undefined {
  const chosen = process.env['PYENV_VERSION'] || (versionFile(process.cwd()) ?? textOf(join(root, 'version')))
  const version = chosen?.trim() ?? ''
  if (!/^[\w.-]+$/.test(version)) return undefined
  const program = join(root, 'versions', version, 'bin', name)
  return isExecutable(program) ? program : undefined
}

function versionFile(folder: string): string | undefined {
  const text = textOf(join(folder, '.python-version'))
  return text !== undefined || folder === dirname(folder) ? text : versionFile(dirname(folder))
}

function textOf(file: string): string | undefined {
  try {
    return readFileSync(file, 'utf8')
  } catch {
    return undefined
  }
}

function head(file: string): string {
  const buffer = Buffer.alloc(4096)
  try {
    const fd = openSync(file, 'r')
    try {
      return buffer.toString('latin1', 0, readSync(fd, buffer))
    } finally {
      closeSync(fd)
    }
  } catch {
    return ''
  }
}
