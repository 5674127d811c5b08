import { join } from 'node:path'
import { SOURCE_BYTES, kindOf, readPlain, walk } from '../files/index.js'
import type { SiteContext } from './context.js'
import { foundEntry, maySee } from './entries.js'
import { sentFolder } from './site-files.js'
import { Refusal } from './refusal.js'
import type { Caller } from './tokens.js'

/** A file of an entry. */
export interface SourceFile {
  readonly path: string
  readonly bytes: number
  /** null: it is no text, or too long. */
  readonly text: string | null
}

/** Bytes of a file that is shown, and of all of them together. */
const SHOWN = 256 * 1024
const SHOWN_ALL = 4 * 1024 ** 2

/**
 * The files of an entry as they were sent. Throws a Refusal where there is none, where its files are not kept, and for a caller who may not
 * see them: they are its owner's and the host's, and everybody's once a contest is over that says `publish = true`.
 */
export async function sourcesOf(context: SiteContext, id: string, caller: Caller): Promise<readonly SourceFile[]> {
  const { entry, hosted } = await foundEntry(context, id)
  if (!(await maySee(context, hosted, entry, caller)))
    throw new Refusal(
      caller.role === 'anonymous' ? 'unauthorized' : 'forbidden',
      'its source is for its owner and the host to read, until the contest is over and publishes it',
    )
  const folder = sentFolder(context, id)
  if (kindOf(folder) !== 'folder') throw new Refusal('unknown', 'the files of a rejected entry are not kept')
  const files: SourceFile[] = []
  let shown = 0
  for (const { path, kind, stat } of walk(folder, { bytes: SOURCE_BYTES })) {
    if (kind !== 'file') continue
    const isShort = stat.size <= SHOWN && shown + stat.size <= SHOWN_ALL
    const text = isShort ? textOf(readPlain(join(folder, path), SHOWN)) : null
    shown += text === null ? 0 : stat.size
    files.push({ path, bytes: stat.size, text })
  }
  return files
}

function textOf(data: Buffer | undefined): string | null {
  if (data === undefined || data.includes(0)) return null
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(data)
  } catch {
    return null
  }
}
