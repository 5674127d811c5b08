import { basename, join } from 'node:path'
import { type Convention, type GameDefinition, type SourceText, UserError, wiresOf } from '../core/index.js'
import { readPlain, SOURCE_BYTES } from '../files/index.js'
import { readShim } from './build.js'
import type { Entry } from '../contest/entries.js'
import { findSource, type Source } from './source.js'
import { display } from '../contest/toml-file.js'

/** Of a file so many bytes are looked at, and of what is found so much is shown. */
const READ_BYTES = 1024 ** 2
const MOST = 20
const MOST_FILES = 50

/** Warnings of what an entry's source does not keep of the form in the contest's text, where its wire knows one. */
export async function conventionsOf(
  entry: Entry,
  definition: GameDefinition,
  wire: string,
): Promise<readonly Convention[]> {
  const spoken = wiresOf(definition, definition.game.options)[wire]
  if (spoken?.conventions === undefined || entry.house) return []
  const { shim } = spoken
  const headers = shim === undefined ? new Set<string>() : readShim(definition, shim).headers
  return spoken.conventions(textsOf(await findSource(entry, headers, SOURCE_BYTES))).slice(0, MOST)
}

/** A source's texts, the file started or called first, to find a fault's cause; none of a house bot or if not found. */
export async function sourceTextsOf(entry: Entry): Promise<readonly SourceText[]> {
  if (entry.house) return []
  try {
    const source = await findSource(entry, new Set(), SOURCE_BYTES)
    const { command = [], build = [] } = entry.spec
    const words = new Set([...command, ...build.flat()].map((word) => basename(word)))
    const started = source.main ?? source.files.find(({ path }) => words.has(basename(path)))?.path
    return textsOf({ files: source.files.slice(0, MOST_FILES), main: started })
  } catch (error) {
    if (error instanceof UserError) return []
    throw error
  }
}

function textsOf({ files, main }: Pick<Source, 'files' | 'main'>): SourceText[] {
  const first = files.filter(({ path }) => path === main)
  const others = files.filter(({ path, target }) => path !== main && target === undefined)
  return [...first, ...others].map(({ path, root, below }) => ({
    file: display(path),
    text: readPlain(join(root, below), READ_BYTES)?.toString('utf8') ?? '',
  }))
}
