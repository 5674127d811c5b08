import { closeSync, constants, fchmodSync, fstatSync, openSync, readdirSync } from 'node:fs'
import { basename, join } from 'node:path'
import { NAME, sweep } from '../../lease/index.js'

const { O_NOFOLLOW, O_NONBLOCK, O_RDONLY } = constants

/** What agon makes in a workspace: the store with what lies beside it, and the folders of staged entrants and of rooms. */
const FILE = /^agon\.db(?:-wal|-shm|-mark|\.before-mend-\d+)?$/
const FOLDERS = new Set(['entrants', 'rooms'])
/** The workspace that agon makes where the host names none. */
const OWN = '.agon'

/**
 * Closes what an earlier agon made in a workspace to other users, who may not read rivals' sources and the seed of a run that is not
 * over. Only what is this user's own, and no link; a workspace that the host has named is left with the modes that
 * the host gave it, unless nothing but agon's lies in it.
 */
export function narrow(workspace: string): void {
  const names = namesIn(workspace)
  for (const name of names) {
    if (FILE.test(name)) close(join(workspace, name), 'file')
    else if (FOLDERS.has(name)) close(join(workspace, name), 'folder')
  }
  const alone = names.includes('agon.db') && names.every((name) => FILE.test(name) || FOLDERS.has(name))
  if (alone || basename(workspace) === OWN) close(workspace, 'folder')
}

function close(path: string, kind: 'file' | 'folder'): void {
  let fd: number | undefined
  try {
    fd = openSync(path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK)
    const stat = fstatSync(fd)
    const own = stat.uid === (process.getuid?.() ?? stat.uid)
    if (own && (kind === 'file' ? stat.isFile() : stat.isDirectory())) fchmodSync(fd, stat.mode & 0o700)
  } catch {
    // It went meanwhile, it is a link, or the system keeps no modes.
  } finally {
    if (fd !== undefined) closeSync(fd)
  }
}

const namesIn = (folder: string): string[] => {
  try {
    return readdirSync(folder)
  } catch {
    return []
  }
}

/** A store that a killed process had half made, and what SQLite kept beside it; older agons gave their number alone. */
const HALF_MADE = new RegExp(`^agon\\.db\\.new-(${NAME}|\\d+)(?:-journal|-wal|-shm)?$`)

/** Removes from a workspace what killed processes had half made of a store. */
export function sweepHalfMade(workspace: string): void {
  sweep(workspace, (name) => HALF_MADE.exec(name)?.[1])
}
