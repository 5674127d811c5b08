import { dirname, join, relative, resolve } from 'node:path'
import { UserError } from '../core/index.js'
import { isInside, kindOf, readPlain } from '../files/index.js'
import { display } from './toml-file.js'

/* A game's own file and those that it names. Changed ones make another game; machines that play it get them. */

/** A game's files are so many at most: what is more was not meant. */
const MOST_FILES = 5000
/** Of a file so much is read for what it names. */
const READ_BYTES = 4 * 1024 ** 2

const MODULE = /\.[cm]?[jt]sx?$/

/** These files with all that they name, and what those name; `game`: for the error, its own file. */
export function filesOf(first: readonly string[], game: string): string[] {
  const home = dirname(game)
  const all = new Set<string>()
  const visit = (file: string): void => {
    if (all.has(file)) return
    all.add(file)
    if (all.size > MOST_FILES)
      throw new UserError(`${display(game)}: the files of this game are more than ${MOST_FILES}`)
    // A contest file also names entrants.
    const named = MODULE.test(file) ? importsOf(file) : file.endsWith('.toml') ? [] : namedBy(file, home)
    for (const each of named) visit(each)
  }
  for (const file of first) visit(file)
  return [...all].sort()
}

/** The text of a game's file; '' if it cannot be read. */
export const textOf = (path: string): string => readPlain(path, READ_BYTES)?.toString('utf8') ?? ''

function importsOf(file: string): string[] {
  const names = [...textOf(file).matchAll(/(['"`])(\.{1,2}\/[^'"`\n]{1,400})\1/g)]
  return names.flatMap(([, , named = '']) => fileMeant(resolve(dirname(file), named)) ?? [])
}

/** The file that an import means: TypeScript is imported by its compiled name or without its ending. */
function fileMeant(path: string): string | undefined {
  const typed = path.replace(/\.([cm]?)js(x?)$/, '.$1ts$2')
  const endings = ['.ts', '.js', '.mjs', '/index.ts', '/index.js']
  return [path, typed, ...endings.map((ending) => path + ending)].find((each) => kindOf(each) === 'file')
}

/** What a program's file names: files in quotes, modules that Python imports, classes that Java mentions; all below `home`. */
function namedBy(file: string, home: string): string[] {
  const text = textOf(file)
  const names = [...text.matchAll(/(["'`])([^"'`\n]{1,400})\1/g)].map(([, , name = '']) => name)
  if (/\.pyw?$/.test(file)) {
    for (const [, module = '', list = ''] of text.matchAll(/^\s*(?:from\s+([.\w]+)\s+)?import\s+([\w., \t]+)/gm)) {
      const parts = list.split(/[,\s]+/).flatMap((word) => [word, module === '' ? '' : `${module}.${word}`])
      for (const path of [module, ...parts].map((word) => word.replace(/^\.+/, '').replaceAll('.', '/')))
        if (path !== '') names.push(`${path}.py`, `${path}/__init__.py`)
    }
  }
  if (file.endsWith('.java')) for (const [name] of text.matchAll(/\b[A-Z]\w*\b/g)) names.push(`${name}.java`)
  const paths = new Set(names.flatMap((name) => [join(dirname(file), name), join(home, name)]))
  return [...paths].filter((path) => path !== file && isInside(home, path) && kindOf(path) === 'file')
}

/** How a file of a game is called among those of its folder. */
export const placeOf = (file: string, game: string): string => relative(dirname(game), file)
