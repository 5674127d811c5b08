import { execFile } from 'node:child_process'
import { accessSync, closeSync, constants, openSync, readSync, statSync } from 'node:fs'
import { delimiter, isAbsolute, join } from 'node:path'

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
  const name = file.slice(file.lastIndexOf('/') + 1)
  const said = await new Promise<string>((done) => {
    execFile(manager, ['which', name], { timeout: WHICH_MS }, (error, stdout) => done(error ? '' : stdout))
  })
  const program = said.trim().split('\n').at(-1) ?? ''
  return isAbsolute(program) && isExecutable(program) ? program : file
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
