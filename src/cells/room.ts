import {
  chmodSync,
  cpSync,
  lstatSync,
  mkdirSync,
  readFileSync,
  readdirSync,
  rmSync,
  type Stats,
  writeFileSync,
} from 'node:fs'
import { dirname, join, relative } from 'node:path'

/** Files by their path in a room, as base64: what a bot left in its folder beyond its own source. */
export type Snapshot = Readonly<Record<string, string>>

/** Bytes of files that a snapshot holds at most. */
export const SNAPSHOT_BYTES = 16 * 1024 ** 2

/**
 * The folder that a bot runs in: a copy of its source, made afresh for each of its lives, so that nothing it writes reaches
 * another life, another match at the same time, or the source itself. Whatever a bot makes of its folder (links, pipes, files
 * that may not be read), nothing here throws for it or follows it elsewhere.
 */
export class Room {
  constructor(
    /** The staged source; undefined: an empty room. */
    private readonly source: string | undefined,
    readonly folder: string,
    /** What the wire lets a process per turn keep: files under this name, up to that many bytes in all. */
    private readonly state?: { readonly folder: string; readonly bytes: number },
  ) {}

  private good: Snapshot = {}
  private stamp = ''
  /** Path and stamp of each file when the room was opened. */
  private original = new Map<string, string>()

  /** Makes the room as new: the source, an empty state folder, then what a snapshot holds. */
  open(snapshot: Snapshot = {}): void {
    remove(this.folder)
    mkdirSync(this.folder, { recursive: true })
    if (this.source !== undefined) cpSync(this.source, this.folder, { recursive: true })
    if (this.state) {
      remove(join(this.folder, this.state.folder))
      mkdirSync(join(this.folder, this.state.folder), { recursive: true })
    }
    this.original = new Map(list(this.folder).map((path) => [path, stampOf(path)]))
    this.write(snapshot)
    this.good = this.state ? this.files(this.state.folder) : {}
    this.stamp = this.stateStamp()
  }

  close(): void {
    remove(this.folder)
  }

  /**
   * What the bot has written here: files that its source does not have, or not so. `leftOut` counts those that had no room in
   * a snapshot.
   */
  snapshot(): { readonly files: Snapshot; readonly leftOut: number } {
    let bytes = 0
    const own = this.own()
    const kept = own.filter((path) => (bytes += statOf(path)?.size ?? 0) <= SNAPSHOT_BYTES)
    return { files: this.contents(kept), leftOut: own.length - kept.length }
  }

  /** Makes what the bot has written here what a snapshot holds, under a program that runs. */
  amend(snapshot: Snapshot): void {
    for (const path of this.own()) if (!Object.hasOwn(snapshot, relative(this.folder, path))) remove(path)
    this.write(snapshot)
  }

  /** Rolls the state folder back to what it was before it grew past its size. Tells why, if it did. */
  keepWithinLimit(): string | undefined {
    if (!this.state) return undefined
    const stamp = this.stateStamp()
    if (stamp === this.stamp) return undefined
    const folder = join(this.folder, this.state.folder)
    const bytes = list(folder).reduce((sum, path) => sum + (statOf(path)?.size ?? 0), 0)
    const gone = statOf(folder) === undefined
    if (gone) mkdirSync(folder)
    const misused = !gone && stamp === NO_FOLDER
    if (bytes <= this.state.bytes && !misused) {
      this.good = this.files(this.state.folder)
      this.stamp = this.stateStamp()
      return undefined
    }
    remove(folder)
    mkdirSync(folder)
    this.write(this.good)
    this.stamp = this.stateStamp()
    return misused
      ? `${this.state.folder}/ was no folder any more`
      : `${this.state.folder}/ held ${bytes} bytes, more than the ${this.state.bytes} it may have`
  }

  private stateStamp(): string {
    if (!this.state) return ''
    const folder = join(this.folder, this.state.folder)
    if (!statOf(folder)?.isDirectory()) return NO_FOLDER
    return list(folder)
      .map((path) => `${path} ${stampOf(path)}`)
      .join('\n')
  }

  private own(): string[] {
    return list(this.folder).filter((path) => this.original.get(path) !== stampOf(path))
  }

  private files(under: string): Snapshot {
    return this.contents(list(join(this.folder, under)))
  }

  private contents(paths: readonly string[]): Snapshot {
    return Object.fromEntries(
      paths.flatMap((path) => {
        const bytes = ifThere(() => readFileSync(path, 'base64'))
        return bytes === undefined ? [] : [[relative(this.folder, path), bytes]]
      }),
    )
  }

  private write(snapshot: Snapshot): void {
    for (const [path, content] of Object.entries(snapshot)) writePlain(join(this.folder, path), content, 'base64')
  }
}

/** In place of a stamp, where the state folder is not one. */
const NO_FOLDER = 'no folder'

/** Writes a file where a bot may have put anything: a link is not followed, a pipe not waited for. */
export function writePlain(path: string, content: string, encoding: 'latin1' | 'base64'): void {
  const there = statOf(path)
  if (there !== undefined && !(there.isFile() && there.nlink === 1)) remove(path)
  mkdirSync(dirname(path), { recursive: true })
  writeFileSync(path, Buffer.from(content, encoding))
}

/** What lies there, if it does; a link is itself, not what it points to. */
export function statOf(path: string): Stats | undefined {
  return ifThere(() => lstatSync(path))
}

const stampOf = (path: string): string => {
  const stat = statOf(path)
  return stat === undefined ? '' : `${stat.mtimeMs} ${stat.size} ${stat.ino}`
}

/** All plain files under a folder; links and devices are none, and what may not be read is not there. */
function list(folder: string): string[] {
  if (!statOf(folder)?.isDirectory()) return []
  return (ifThere(() => readdirSync(folder, { withFileTypes: true })) ?? [])
    .sort((a, b) => (a.name < b.name ? -1 : 1))
    .flatMap((entry) => {
      const path = join(folder, entry.name)
      return entry.isDirectory() ? list(path) : entry.isFile() ? [path] : []
    })
}

/** Removes whatever is there, also from folders that their bot has closed to us. */
function remove(path: string): void {
  const remover = () => rmSync(path, { recursive: true, force: true, maxRetries: 3 })
  try {
    remover()
  } catch {
    openUp(path)
    remover()
  }
}

function openUp(path: string): void {
  if (!statOf(path)?.isDirectory()) return
  ifThere(() => chmodSync(path, 0o700))
  for (const entry of ifThere(() => readdirSync(path)) ?? []) openUp(join(path, entry))
}

/** What a look at a file gives; undefined where it is gone or closed to us. */
function ifThere<T>(look: () => T): T | undefined {
  try {
    return look()
  } catch {
    return undefined
  }
}
