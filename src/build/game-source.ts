import { dirname, join, relative } from 'node:path'
import { type GameDefinition, UserError, wiresOf } from '../core/index.js'
import { kindOf, SOURCE_BYTES, walk } from '../files/index.js'
import { filesOf, placeOf, textOf } from '../contest/game-files.js'
import { gameFile } from '../contest/load-game.js'
import { commandsText, namedFiles } from '../contest/program-source.js'
import { LEFT_OUT } from './source-files.js'
import { packSource, unpackSource } from './parcels.js'
import { commonFolder } from './paths.js'
import { copySource, type Listing, listSource, Stage } from './stage.js'

/*
 * A game that does not come with agon on its way to another machine: its file, what that imports or names by relative paths, and the
 * folders of its bots and shims, named by one hash of their names and contents, wherever they lie.
 */

export interface GameSource {
  /** Its own file, as it is called among them. */
  readonly name: string
  /** SHA-256 over the names, modes and contents of all. */
  readonly hash: string
  pack(): Promise<Buffer>
}

/** The files of a game that does not come with agon; undefined: it does. Throws UserError where they are too many. */
export async function gameSource(definition: GameDefinition): Promise<GameSource | undefined> {
  const file = gameFile(definition)
  if (file === undefined) return undefined
  const home = dirname(file)
  const wires = Object.values(wiresOf(definition, definition.game.options))
  const shims = wires.flatMap(({ shim }) => (shim === undefined ? [] : [shim]))
  const others = ['bots', ...shims].flatMap((folder) => filesBelow(join(home, folder)))
  const files = filesOf([file, ...namedFiles(file), ...others], file)
  const root = commonFolder(files.map((each) => dirname(each)))
  const places = files.map((path) => ({ path, root: dirname(path), below: relative(dirname(path), path) }))
  const { listing, hash } = await listSource({ root, bases: [root], files: places }, false, SOURCE_BYTES)
  return { name: relative(root, file), hash, pack: () => packSource(listing) }
}

/** The texts that decide a game, of its file or all that it names, with their places; undefined: agon's own. */
export function gameTexts(
  definition: GameDefinition,
): string | readonly (readonly [place: string, text: string])[] | undefined {
  const file = gameFile(definition)
  if (file === undefined) return undefined
  const all = filesOf([file, ...namedFiles(file)], file)
  // Of a contest file only its game is the game.
  const text = (path: string): string => (path.endsWith('.toml') ? commandsText(path) : textOf(path))
  return all.length === 1 ? text(file) : all.map((path) => [placeOf(path, file), text(path)] as const)
}

function filesBelow(folder: string): string[] {
  if (kindOf(folder) !== 'folder') return []
  const found = [...walk(folder, { bytes: SOURCE_BYTES, leaveOut: LEFT_OUT })]
  return found.flatMap(({ kind, path }) => (kind === 'file' ? [join(folder, path)] : []))
}

/** Puts a game's packed files into a workspace and returns its own file. Throws UserError for what is not that game. */
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
