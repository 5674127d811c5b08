/** A stranger's tree's bounds, beside its bytes. */
export const TREE_BOUNDS = {
  depth: 64,
  entries: 20_000,
  /** Bytes of a name, and of a path below the tree's root. */
  name: 255,
  path: 4096,
} as const

/** Bytes of an entrant's source, and of its build's files, unless the contest limits `source`. */
export const SOURCE_BYTES = 256 * 1024 ** 2

/** What agon does not accept in a tree: its reader reports a user's mistake or leaves the entrant out. */
export class TreeFault extends Error {
  constructor(
    readonly path: string,
    readonly why: string,
    readonly remedy: string,
  ) {
    super(`${path} ${why}: ${remedy}`)
  }
}
