import type { Stats } from 'node:fs'
import { dirname, isAbsolute, join, normalize, relative } from 'node:path'
import { TREE_BOUNDS, TreeFault } from './bounds.js'
import { Folder, tooMany } from './folder.js'
import { isForeign, isInside, realPath, systemTarget } from './look.js'

export interface Found {
  readonly path: string
  readonly kind: 'file' | 'folder' | 'link'
  readonly stat: Stats
  /** Of a link: what to make the same link of, relative to its folder or of the system; it leads nowhere else. */
  readonly target?: string
  /** Opens a plain file, below the folder held open until the next step. */
  readonly open: () => { fd: number; stat: Stats }
}

export interface WalkOptions {
  /** Bytes of all files together, holes counted. */
  readonly bytes: number
  /** Names passed over, wherever they stand. */
  readonly leaveOut?: ReadonlySet<string>
  /** Whether a path below the root is passed over; no link leads to it. */
  readonly without?: (path: string) => boolean
  /** The root's other paths where links were made: /bot in a sandbox. */
  readonly alias?: string
  /** Links to nothing are kept. */
  readonly dangling?: boolean
}

interface Walk extends WalkOptions {
  readonly top: Folder
  readonly roots: readonly string[]
  entries: number
  size: number
}

/**
 * All below a folder, folders before their contents, by names. Throws TreeFault at what agon never accepts: links that
 * lead out, devices, sockets, pipes, other users' files, and more than the bounds allow.
 */
export function* walk(root: string, options: WalkOptions): Generator<Found, void> {
  const top = Folder.open(root)
  try {
    const roots = [root, realPath(root) ?? root, ...(options.alias === undefined ? [] : [options.alias])]
    yield* below(top, '', 1, { ...options, top, roots, entries: 0, size: 0 })
  } finally {
    top.close()
  }
}

function* below(folder: Folder, prefix: string, depth: number, state: Walk): Generator<Found, void> {
  if (depth > TREE_BOUNDS.depth)
    throw new TreeFault(firstOf(prefix), `has folders more than ${TREE_BOUNDS.depth} deep`, 'put its files higher')
  for (const name of folder.names()) {
    if (state.leaveOut?.has(name)) continue
    const path = prefix + name
    if (state.without?.(path)) continue
    if (Buffer.byteLength(name) > TREE_BOUNDS.name || Buffer.byteLength(path) > TREE_BOUNDS.path)
      throw new TreeFault(firstOf(path), 'has a path that is too long', 'give it shorter names')
    if (++state.entries > TREE_BOUNDS.entries) throw tooMany('.')
    const stat = folder.stat(name)
    if (stat === undefined) continue
    const open = () => folder.open(name)
    if (stat.isDirectory()) {
      yield { path, kind: 'folder', stat, open }
      const child = folder.child(name)
      try {
        yield* below(child, `${path}/`, depth + 1, state)
      } finally {
        child.close()
      }
    } else if (stat.isSymbolicLink())
      yield { path, kind: 'link', stat, open, target: targetOf(folder, name, path, state) }
    else {
      checkFile(path, stat, state)
      yield { path, kind: 'file', stat, open }
    }
  }
}

/** A long path is shown by where it begins. */
const firstOf = (path: string): string => (path.length > 100 ? `${path.slice(0, 100)}…` : path)

function checkFile(path: string, stat: Stats, state: Walk): void {
  if (!stat.isFile()) throw new TreeFault(path, `is a ${specialOf(stat)}`, 'remove it')
  if (isForeign(stat)) throw new TreeFault(path, "is another user's file by a hard link", 'put a copy there')
  state.size += stat.size
  if (state.size > state.bytes)
    throw new TreeFault(
      path,
      `goes beyond ${state.bytes} bytes in all`,
      'remove what is not needed, or raise the limit source',
    )
}

const specialOf = (stat: Stats): string =>
  stat.isFIFO()
    ? 'pipe'
    : stat.isSocket()
      ? 'socket'
      : stat.isBlockDevice() || stat.isCharacterDevice()
        ? 'device'
        : 'special file'

/** Where a link may lead, as the text to keep. */
function targetOf(folder: Folder, name: string, path: string, state: Walk): string {
  const way = resolveBelow(state.top, path, state)
  if (way === OUT || (typeof way === 'string' && !isAbsolute(way) && state.without?.(way)))
    throw new TreeFault(path, 'is a link that leads out of its folder', 'put what it leads to there instead')
  if (way !== NOTHING) return isAbsolute(way) ? way : relative(dirname(path), way) || '.'
  if (!state.dangling) throw new TreeFault(path, 'is a link to nothing', 'remove it')
  const target = folder.target(name)
  return isAbsolute(target) ? relative(dirname(path), belowRoot(state.roots, target) ?? '.') || '.' : target
}

const belowRoot = (roots: readonly string[], target: string): string | undefined => {
  const root = roots.find((each) => isInside(each, normalize(target)))
  return root === undefined ? undefined : relative(root, normalize(target))
}

const OUT = Symbol('out')
const NOTHING = Symbol('nothing')

/** Links that may stand behind each other. */
const MOST_LINKS = 40

/**
 * Where a path leads below an open folder, link by link, as by RESOLVE_BENEATH: OUT if above it or through what is left
 * out, NOTHING where nothing is; an absolute path: to the system's programs.
 */
function resolveBelow(
  top: Folder,
  path: string,
  { roots = [], leaveOut }: { readonly roots?: readonly string[]; readonly leaveOut?: ReadonlySet<string> },
): string | typeof OUT | typeof NOTHING {
  const done: string[] = []
  let rest = path.split('/')
  let links = 0
  while (rest.length > 0) {
    const [part = '', ...after] = rest
    rest = after
    if (part === '' || part === '.') continue
    if (part === '..') {
      if (done.pop() === undefined) return OUT
      continue
    }
    if (leaveOut?.has(part)) return OUT
    done.push(part)
    const here = done.join('/')
    const stat = top.stat(here)
    // The rest cannot lead out by a link any more, but by its dots.
    if (stat === undefined) return normalize(join(here, ...rest)).startsWith('..') ? OUT : NOTHING
    if (!stat.isSymbolicLink()) continue
    if (++links > MOST_LINKS) return NOTHING
    done.pop()
    const target = top.target(here)
    if (isAbsolute(target)) {
      const own = belowRoot(roots, target)
      if (own === undefined) return systemTarget(join(target, ...rest)) ?? OUT
      done.length = 0
      rest = [...own.split('/'), ...rest]
    } else rest = [...target.split('/'), ...rest]
  }
  return done.length === 0 ? '.' : done.join('/')
}

/** Where a path leads, without links, in the folder or the system's programs. Undefined: elsewhere, or nowhere. */
export function resolveInside(root: string, path: string): string | undefined {
  const real = realPath(root)
  if (real === undefined || !isInside(root, path)) return undefined
  let top: Folder | undefined
  try {
    top = Folder.open(real)
    const way = resolveBelow(top, relative(root, path), { roots: [root, real] })
    if (way === OUT || way === NOTHING) return undefined
    return isAbsolute(way) ? way : join(real, way)
  } catch {
    return undefined
  } finally {
    top?.close()
  }
}
