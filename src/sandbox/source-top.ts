import { isAbsolute, relative } from 'node:path'
import { Folder, realPath, resolveInside, statOf } from '../files/index.js'

/** A name in a source's folder, and where it leads: a path `below` the source without links, or a program of the system. */
export interface TopName {
  readonly name: string
  readonly below: string
  readonly program?: string
}

/** Each name is a mount: past this many it takes longer than a bot may. */
const MOST_NAMES = 512

/**
 * How a source is put where more can be made beside it: its names; 'whole': the state has a folder there; undefined:
 * too many.
 */
export function topOf(source: string, state: string | undefined): readonly TopName[] | 'whole' | undefined {
  const root = realPath(source) ?? source
  const folder = Folder.open(root)
  try {
    if (state !== undefined && isShown(root) && folder.stat(state)?.isDirectory()) return 'whole'
    const names = folder.names().filter((name) => name !== state)
    if (names.length > MOST_NAMES && state === undefined) return undefined
    return names.flatMap((name) => {
      const stat = folder.stat(name)
      if (stat?.isDirectory() || stat?.isFile()) return [{ name, below: name }]
      const path = stat?.isSymbolicLink() ? resolveInside(root, `${root}/${name}`) : undefined
      if (path === undefined) return []
      const below = relative(root, path)
      return [below.startsWith('..') || isAbsolute(below) ? { name, below: '', program: path } : { name, below }]
    })
  } finally {
    folder.close()
  }
}

/** Whether every user may look into a folder; else the sandbox's user is shown what lies in it, not the folder. */
export const isShown = (folder: string): boolean => ((statOf(folder)?.mode ?? 0) & 0o005) === 0o005

export const hasRoomBeside = (source: string | undefined): boolean =>
  source === undefined || topOf(source, undefined) !== undefined
