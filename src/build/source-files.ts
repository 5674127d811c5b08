import { basename, dirname, join } from 'node:path'
import type { UserError } from '../core/index.js'
import { isInside, pause, realPath, reservedFrom, TreeFault, walk, reserve } from '../files/index.js'
import type { Entry } from '../contest/entries.js'
import { quote } from '../contest/explain.js'
import { display } from '../contest/toml-file.js'

/** A source's file or link, opened without following links: `below` a named folder, part by part. */
export interface SourceEntry {
  /** As it was named; absolute. */
  readonly path: string
  readonly root: string
  readonly below: string
  /** Of a link in a folder: what to make the same link of. */
  readonly target?: string
}

/** Whether a path is an entry's to name: its own file's names lead into that file's folder. */
export function isOwn(entry: Entry, path: string): boolean {
  if (!entry.own) return true
  const [base, real] = [realPath(entry.base), realPath(path) ?? realPath(dirname(path))]
  return isInside(entry.base, path) && (real === undefined || (base !== undefined && isInside(base, real)))
}

/** Texts for people atop an entry's folder: their changes leave the bot the same. */
const FOR_PEOPLE = /^(?:readme|licen[cs]e|changelog)(?:\.(?:md|txt|rst))?$/i

/**
 * All files and links below a folder but its bot file and texts for people, which are no part of the bot. Throws the
 * entry's UserError for what agon never accepts.
 */
export async function listFolder(entry: Entry, folder: string, bytes: number): Promise<SourceEntry[]> {
  // A link may name a folder; within it none leads out.
  const root = realPath(folder) ?? folder
  const isReserved = reservedFrom(entry.base)
  if (isReserved(root)) throw userErrorOf(entry, folder, new TreeFault('.', ...HOSTS))
  const botFile = entry.own && entry.file !== undefined ? realPath(entry.file) : undefined
  const without = (path: string): boolean =>
    isReserved(join(root, path)) || join(root, path) === botFile || FOR_PEOPLE.test(path)
  return asUserError(entry, folder, async () => {
    const places: SourceEntry[] = []
    for (const { kind, path, target } of walk(root, { bytes, leaveOut: LEFT_OUT, without })) {
      if (kind !== 'folder') places.push({ path: join(folder, path), root, below: path, target })
      await pause()
    }
    return places
  })
}

/** A file named by itself. A link is followed only to a file of its own folder, or of the naming one. */
export function placeOf(entry: Entry, path: string): SourceEntry {
  const real = realPath(path) ?? path
  if (reservedFrom(entry.base)(real)) throw userErrorOf(entry, dirname(path), new TreeFault(basename(path), ...HOSTS))
  const homes = [realPath(dirname(path)), realPath(entry.base)]
  if (!homes.some((home) => home !== undefined && isInside(home, real)))
    throw userErrorOf(entry, dirname(path), new TreeFault(basename(path), LEADS_OUT, 'put the file itself there'))
  return { path, root: dirname(real), below: basename(real) }
}

const HOSTS = ['belongs to the contest or to agon, not to an entrant', 'name a file of its own'] as const
const LEADS_OUT = 'is a link that leads out of its folder'

/** A tree's refusal is the entry's mistake, reported with the file. */
export async function asUserError<T>(entry: Entry, folder: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    throw error instanceof TreeFault ? userErrorOf(entry, folder, error) : error
  }
}

function userErrorOf(entry: Entry, folder: string, { path, why, remedy }: TreeFault): UserError {
  const key = entry.spec.folder === undefined ? undefined : 'folder'
  const file = path === '.' ? folder : join(folder, path)
  return entry.error(key, `${display(file)} of ${quote(entry.spec.name)} ${why}: ${remedy}`)
}

/** Names that are never source, wherever they lie. */
export const LEFT_OUT: ReadonlySet<string> = new Set(['.git', '.hg', '.svn', '.agon', 'agon-results', '__pycache__'])

/** Nothing of a workspace is an entrant's source, even of an entry beside what agon keeps there. */
export function reserveWorkspace(folder: string): void {
  reserve(folder, ['agon.db', 'site.db', 'entrants', 'rooms'])
}
