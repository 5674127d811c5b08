import { basename, extname, join } from 'node:path'
import { lookUp } from '../core/index.js'
import { isExecutable, readPlain } from '../files/index.js'

const INTERPRETERS: Readonly<Record<string, readonly string[]>> = {
  '.py': ['python3'],
  '.pl': ['perl'],
  '.sh': ['sh'],
  '.rb': ['ruby'],
  '.jar': ['java', '-jar'],
}
/** C++ with threads, which some systems have in a library of their own. */
const CPP = ['c++', '-std=c++17', '-O2', '-pthread']
const COMPILERS: Readonly<Record<string, readonly string[]>> = {
  '.c': ['cc', '-O2', '-pthread'],
  '.cc': CPP,
  '.cpp': CPP,
  '.cxx': CPP,
  '.go': ['go', 'build'],
  '.rs': ['rustc', '-O', '--edition', '2021'],
}
/** Libraries that a file of this kind may use: they stand behind it. */
const LIBRARIES: Readonly<Record<string, readonly string[]>> = { '.c': ['-lm'] }
/** Of a Java file so much is read for the package that it declares. */
const HEAD_BYTES = 64 * 1024
/** What builds and starts a program's file, by its kind: a bot's, or a game's. */
export interface FileStart {
  readonly command: string[]
  readonly build?: string[][]
}

/** Files that are modules, and headers that may hold a class. */
export const MODULE = /\.(?:ts|js|mjs|cjs)$/
export const HEADER = /\.(?:hpp|h)$/

/** The commands of a file, its path relative to `folder`; undefined: of no known kind, and no program. */
export function startOf(file: string, folder = ''): FileStart | undefined {
  const kind = extname(file)
  const interpreter = lookUp(INTERPRETERS, kind)
  if (interpreter !== undefined) return { command: [...interpreter, file] }
  if (kind === '.java') {
    return {
      command: ['java', '-XX:TieredStopAtLevel=1', '-XX:+UseSerialGC', '-cp', '.', javaClass(file, folder)],
      build: [['javac', '-d', '.', file]],
    }
  }
  const compiler = lookUp(COMPILERS, kind)
  if (compiler !== undefined) {
    const program = basename(file, kind)
    return {
      command: [`./${program}`],
      build: [[...compiler, '-o', program, file, ...(lookUp(LIBRARIES, kind) ?? [])]],
    }
  }
  return isExecutable(join(folder, file)) ? { command: [file] } : undefined
}

/** The class that a Java file is named after, with its package: 'bots.Heron'. */
function javaClass(file: string, folder: string): string {
  const text = readPlain(join(folder, file), HEAD_BYTES)?.toString('utf8') ?? ''
  const code = text.replaceAll(/\/\*[^]*?\*\/|\/\/[^\n]*/g, '')
  const [, within] = /^\s*package\s+([\w.]+)\s*;/.exec(code) ?? []
  const name = basename(file, '.java')
  return within === undefined ? name : `${within}.${name}`
}
