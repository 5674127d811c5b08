import { join, relative } from 'node:path'
import {
  atOnce,
  copyTree,
  makeFolder,
  plainFiles,
  readPlain,
  removeTreeSync,
  statOf,
  writePlain,
} from '../files/index.js'

/** Files by their path in a room, as base64: what a bot left in its folder beyond its own source. */
export type Snapshot = Readonly<Record<string, string>>

export const SNAPSHOT_BYTES = 16 * 1024 ** 2

/**
 * A bot's folder: a copy of its source, made afresh for each life, so that nothing it writes reaches another life or
 * the source. Whatever it makes there (links, pipes, unreadable files), nothing here throws or follows it elsewhere.
 */
export class Room {
  constructor(
    /** The staged source; undefined: an empty room. */
    private readonly source: string | undefined,
    readonly folder: string,
    /** What a process per turn may keep: files under this name, of so many bytes in all. */
    private readonly state?: { readonly folder: string; readonly bytes: number },
  ) {}

  private good: Snapshot = {}
  private original = new Map<string, string>()

  /** Makes the room as new: the source, an empty state folder, then what a snapshot holds. */
  open(snapshot: Snapshot = {}): void {
    removeTreeSync(this.folder)
    makeFolder(this.folder)
    if (this.source !== undefined) atOnce(copyTree(this.source, this.folder, { bytes: Infinity, dangling: true }))
    if (this.state) {
      removeTreeSync(join(this.folder, this.state.folder))
      makeFolder(join(this.folder, this.state.folder))
    }
    this.original = new Map(plainFiles(this.folder).map((path) => [path, stampOf(path)]))
    this.write(snapshot)
    this.good = this.state ? this.files(this.state.folder) : {}
  }

  close(): void {
    removeTreeSync(this.folder)
  }

  /** Files that its source has not, or not so. `leftOut` counts those that a snapshot had no room for. */
  snapshot(): { readonly files: Snapshot; readonly leftOut: number } {
    let bytes = 0
    const own = this.own()
    const kept = own.filter((path) => (bytes += statOf(path)?.size ?? 0) <= SNAPSHOT_BYTES)
    return { files: this.contents(kept), leftOut: own.length - kept.length }
  }

  /** Makes what the bot has written here what a snapshot holds, under a program that runs. */
  amend(snapshot: Snapshot): void {
    for (const path of this.own()) if (!Object.hasOwn(snapshot, relative(this.folder, path))) removeTreeSync(path)
    this.write(snapshot)
  }

  /** Rolls back a state folder that has grown past its size. Returns why, if it did. */
  keepWithinLimit(): string | undefined {
    if (!this.state) return undefined
    const folder = join(this.folder, this.state.folder)
    const stat = statOf(folder)
    const misused = stat !== undefined && !stat.isDirectory()
    if (stat === undefined) makeFolder(folder)
    const bytes = plainFiles(folder).reduce((sum, path) => sum + (statOf(path)?.size ?? 0), 0)
    if (bytes <= this.state.bytes && !misused) {
      this.good = this.files(this.state.folder)
      return undefined
    }
    removeTreeSync(folder)
    makeFolder(folder)
    this.write(this.good)
    return misused
      ? `${this.state.folder}/ was no folder any more`
      : `${this.state.folder}/ held ${bytes} bytes, more than the ${this.state.bytes} it may have`
  }

  /** Removes surplus plain files of the state folder, by their paths from there. */
  trimState(surplus: (files: readonly string[]) => readonly string[]): void {
    if (!this.state) return
    const folder = join(this.folder, this.state.folder)
    const files = plainFiles(folder).map((path) => relative(folder, path))
    for (const path of surplus(files)) removeTreeSync(join(folder, path))
  }

  private own(): string[] {
    return plainFiles(this.folder).filter((path) => this.original.get(path) !== stampOf(path))
  }

  private files(under: string): Snapshot {
    return this.contents(plainFiles(join(this.folder, under)))
  }

  private contents(paths: readonly string[]): Snapshot {
    return Object.fromEntries(
      paths.flatMap((path) => {
        const bytes = readPlain(path, SNAPSHOT_BYTES)?.toString('base64')
        return bytes === undefined ? [] : [[relative(this.folder, path), bytes]]
      }),
    )
  }

  private write(snapshot: Snapshot): void {
    for (const [path, content] of Object.entries(snapshot))
      writePlain(this.folder, path, Buffer.from(content, 'base64'))
  }
}

const stampOf = (path: string): string => {
  const stat = statOf(path)
  return stat === undefined ? '' : `${stat.mtimeMs} ${stat.size} ${stat.ino}`
}
