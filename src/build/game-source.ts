import { dirname, join, relative, resolve } from 'node:path'
import { type GameDefinition, UserError, wiresOf } from '../core/index.js'
import { kindOf, readPlain, SOURCE_BYTES, walk } from '../files/index.js'
import { gameFile } from '../contest/load-game.js'
import { display } from '../contest/toml-file.js'
import { LEFT_OUT } from './source-files.js'
import { packSource, unpackSource } from './parcel.js'
import { commonFolder } from './paths.js'
import { copySource, type Listing, listSource, Stage } from './stage.js'

/*
 * A game that does not come with agon on its way to another machine: its file, what that imports or names by a relative path, and the
 * folders of its bots and shims. They are named by one hash of their names and contents, wherever they lie.
 */

/** A game's files are so many at most: what is more was not meant. */
const MOST_FILES = 5000
/** Of a file so much is read for what it names. */
const READ_BYTES = 4 * 1024 ** 2

/** The files of a game. */
export interface GameSource {
  /** Its own file, as it is called among them. */
  readonly name: string
  /** SHA-256 over the names, modes and contents of all. */
  readonly hash: string
  /** All in one piece. */
  pack(): Promise<Buffer>
}

/** The files of a game that does not come with agon; undefined: it does. Throws UserError where they are too many. */
export async function gameSource(definition: GameDefinition): Promise<GameSource | undefined> {
  const file = gameFile(definition)
  if (file === undefined) return undefined
  const home = dirname(file)
  const wires = Object.values(wiresOf(definition, definition.game.options))
  const shims = wires.flatMap(({ shim }) => (shim === undefined ? [] : [shim]))
  const files = closure([file, ...['bots', ...shims].flatMap((folder) => filesBelow(join(home, folder)))], file)
  const root = commonFolder(files.map((each) => dirname(each)))
  const places = files.map((path) => ({ path, root: dirname(path), below: relative(dirname(path), path) }))
  const { listing, hash } = await listSource({ root, bases: [root], files: places }, false, SOURCE_BYTES)
  return { name: relative(root, file), hash, pack: () => packSource(listing) }
}

/**
 * What decides what a game is that does not come with agon: the text of its file, or of all files that this names by relative paths too, each
 * with its place beside it. undefined: it comes with agon.
 */
export function gameTexts(
  definition: GameDefinition,
): string | readonly (readonly [place: string, text: string])[] | undefined {
  const file = gameFile(definition)
  if (file === undefined) return undefined
  const textOf = (path: string): string => readPlain(path, READ_BYTES)?.toString('utf8') ?? ''
  const all = closure([file], file)
  if (all.length === 1) return textOf(file)
  return all.map((path) => [relative(dirname(file), path), textOf(path)] as const)
}

/** These files with all that they name by relative paths, and what those name. */
function closure(first: readonly string[], game: string): string[] {
  const all = new Set<string>()
  const visit = (file: string): void => {
    if (all.has(file)) return
    all.add(file)
    if (all.size > MOST_FILES)
      throw new UserError(`${display(game)}: the files of this game are more than ${MOST_FILES}`)
    if (!/\.[cm]?[jt]sx?$/.test(file)) return
    const text = readPlain(file, READ_BYTES)?.toString('utf8') ?? ''
    for (const [, , named = ''] of text.matchAll(/(['"`])(\.{1,2}\/[^'"`\n]{1,400})\1/g)) {
      const meant = fileMeant(resolve(dirname(file), named))
      if (meant !== undefined) visit(meant)
    }
  }
  for (const file of first) visit(file)
  return [...all].sort()
}

/** The file that an import of this path loads: TypeScript is imported by the name of what it is compiled to, or without its ending. */
function fileMeant(path: string): string | undefined {
  const typed = path.replace(/\.([cm]?)js(x?)$/, '.$1ts$2')
  const endings = ['.ts', '.js', '.mjs', '/index.ts', '/index.js']
  return [path, typed, ...endings.map((ending) => path + ending)].find((each) => kindOf(each) === 'file')
}

function filesBelow(folder: string): string[] {
  if (kindOf(folder) !== 'folder') return []
  const found = [...walk(folder, { bytes: SOURCE_BYTES, leaveOut: LEFT_OUT })]
  return found.flatMap(({ kind, path }) => (kind === 'file' ? [join(folder, path)] : []))
}

/** Puts a game's files into a workspace, from where they are packed. Returns its own file. Throws UserError for what is not that game. */
export async function placeGame(
  { name, hash }: Pick<GameSource, 'name' | 'hash'>,
  workspace: string,
  fetch: (hash: string) => Promise<Uint8Array>,
): Promise<string> {
  const folder = await new Stage(workspace).place(hash, async (place) => {
    const files: Listing = await unpackSource(await fetch(hash), hash, SOURCE_BYTES)
    const to = join(place, 'game')
    await copySource(files, to)
    return to
  })
  const file = join(folder, name)
  if (kindOf(file) !== 'file' || relative(folder, file) !== name)
    throw new UserError(`the game's files, as they came, hold no ${JSON.stringify(name)}`)
  return file
}
