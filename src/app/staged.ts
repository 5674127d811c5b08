import { relative } from 'node:path'
import { planOf, removeStaged } from '../build/index.js'
import type { Entry } from '../contest/index.js'
import type { GameDefinition } from '../core/index.js'
import { type MatchTerms, preparedFor } from './terms.js'

export { removeStaged }

/**
 * The source of an entrant: its hash, by which a workspace stages it, and its files. Throws UserError for a mistake in its entry.
 */
export async function sourceOf(
  entry: Entry,
  definition: GameDefinition,
  terms: MatchTerms,
): Promise<{ readonly hash: string; readonly files: ReadonlySet<string> }> {
  const { hash, source } = await planOf(entry, definition, preparedFor(terms))
  return { hash, files: new Set(source.files.map(({ path }) => relative(source.root, path))) }
}
