import { cpSync, existsSync, mkdirSync, readFileSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'

/** Files by their path in a room, as base64: what a bot left in its folder beyond its own source. */
export type Snapshot = Readonly<Record<string, string>>

/**
 * The folder that a bot runs in: a copy of its source, made afresh for each of its lives, so that nothing it writes reaches
 * another life, another match at the same time, or the source itself.
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
    rmSync(this.folder, { recursive: true, force: true })
    mkdirSync(this.folder, { recursive: true })
    if (this.source !== undefined) cpSync(this.source, this.folder, { recursive: true })
    if (this.state) {
      rmSync(join(this.folder, this.state.folder), { recursive: true, force: true })
      mkdirSync(join(this.folder, this.state.folder), { recursive: true })
    }
    this.original = new Map(list(this.folder).map((path) => [path, stampOf(path)]))
    this.write(snapshot)
    this.good = this.state ? this.files(this.state.folder) : {}
    this.stamp = this.stateStamp()
  }

  close(): void {
    rmSync(this.folder, { recursive: true, force: true })
  }

  /** What the bot has written here: files that its source does not have, or not so. */
  snapshot(): Snapshot {
    const own = list(this.folder).filter((path) => this.original.get(path) !== stampOf(path))
    return this.contents(own)
  }

  /** Rolls the state folder back to what it was before it grew past its size. Returns the size it had, if it did. */
  keepWithinLimit(): number | undefined {
    if (!this.state) return undefined
    const stamp = this.stateStamp()
    if (stamp === this.stamp) return undefined
    const folder = join(this.folder, this.state.folder)
    const bytes = sizeOf(folder)
    if (bytes <= this.state.bytes) {
      this.good = this.files(this.state.folder)
      this.stamp = stamp
      return undefined
    }
    rmSync(folder, { recursive: true, force: true })
    mkdirSync(folder)
    this.write(this.good)
    this.stamp = this.stateStamp()
    return bytes
  }

  private stateStamp(): string {
    if (!this.state) return ''
    const folder = join(this.folder, this.state.folder)
    return list(folder)
      .map((path) => `${path} ${stampOf(path)}`)
      .join('\n')
  }

  private files(under: string): Snapshot {
    return this.contents(list(join(this.folder, under)))
  }

  private contents(paths: readonly string[]): Snapshot {
    return Object.fromEntries(paths.map((path) => [relative(this.folder, path), readFileSync(path, 'base64')]))
  }

  private write(snapshot: Snapshot): void {
    for (const [path, content] of Object.entries(snapshot)) {
      const to = join(this.folder, path)
      mkdirSync(dirname(to), { recursive: true })
      writeFileSync(to, Buffer.from(content, 'base64'))
    }
  }
}

function stampOf(path: string): string {
  const { mtimeMs, size, ino } = statSync(path)
  return `${mtimeMs} ${size} ${ino}`
}

const sizeOf = (folder: string): number => list(folder).reduce((sum, path) => sum + statSync(path).size, 0)

/** All plain files under a folder; links and devices are none. */
function list(folder: string): string[] {
  if (!existsSync(folder)) return []
  return readdirSync(folder, { withFileTypes: true })
    .sort((a, b) => (a.name < b.name ? -1 : 1))
    .flatMap((entry) => {
      const path = join(folder, entry.name)
      return entry.isDirectory() ? list(path) : entry.isFile() ? [path] : []
    })
}
