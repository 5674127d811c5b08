import { join } from 'node:path'
import { type Convention, type GameKit, type SourceText, wiresOf } from '../core/index.js'
import { readPlain, SOURCE_BYTES } from '../files/index.js'
import { readShim } from './build.js'
import type { Entry } from '../contest/entries.js'
import { findSource, type Source } from './source.js'
import { display } from '../contest/toml-file.js'

/** Of a file so many bytes are looked at, and of what is found so much is told. */
const READ_BYTES = 1024 ** 2
const MOST = 20

/** What an entry's source does not keep of the form that the contest's text asks for, where its wire knows of one. Warnings. */
export async function conventionsOf(entry: Entry, kit: GameKit, wire: string): Promise<readonly Convention[]> {
  const spoken = wiresOf(kit, kit.game.options)[wire]
  if (spoken?.conventions === undefined || entry.house) return []
  const { shim } = spoken
  const headers = shim === undefined ? new Set<string>() : readShim(kit, shim).headers
  return spoken.conventions(textsOf(await findSource(entry, headers, SOURCE_BYTES))).slice(0, MOST)
}

function textsOf({ files, main }: Source): SourceText[] {
  const first = files.filter(({ path }) => path === main)
  const others = files.filter(({ path, target }) => path !== main && target === undefined)
  return [...first, ...others].map(({ path, root, below }) => ({
    file: display(path),
    text: readPlain(join(root, below), READ_BYTES)?.toString('utf8') ?? '',
  }))
}
