import { createHash } from 'node:crypto'
import {
  appendFileSync,
  closeSync,
  existsSync,
  ftruncateSync,
  mkdirSync,
  openSync,
  readFileSync,
  readSync,
  readdirSync,
  rmSync,
  truncateSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { type MatchRecord, UserError } from '../core/index.js'
import { lockFolder } from './lock.js'

/** What a bot keeps on disk, as its transport took it: files by name, base64. */
export type Snapshot = Readonly<Record<string, string>>

/** What an entrant that remembers holds on disk. */
export interface Kept {
  /** After its last committed unit. */
  readonly now: Snapshot
  /** When the process that it lives in was first started anew after trouble; absent: it began with nothing. */
  readonly start?: Snapshot
}

/**
 * What a run must remember: each unit (a match, or a series of bots that remember) is one line, written at once when its last
 * match has ended, so a run that is killed at any moment has every unit whole or not at all.
 */
export interface Journal {
  has(unit: string): boolean
  /** The records of a unit. Throws where there is none. */
  read(unit: string): readonly MatchRecord[]
  /** Adds a unit with what its remembering bots hold on disk after it. */
  commit(unit: string, records: readonly MatchRecord[], kept: Readonly<Record<string, Kept>>): void
  /** What an entrant holds on disk; undefined: nothing was ever kept of it. */
  kept(entrant: string): Kept | undefined
  /** How many matches lie in it. */
  readonly matches: number
  close(): void
}

interface Line {
  readonly unit: string
  readonly records: readonly MatchRecord[]
  /** By entrant the names of its snapshots: now, and at the start of its process. */
  readonly snapshots: Readonly<Record<string, readonly string[]>>
}

/** Opens the journal in a run's folder, made where it is missing. Only one process may hold it at a time. */
export class FileJournal implements Journal {
  private readonly places = new Map<string, { at: number; length: number }>()
  private readonly held = new Map<string, readonly string[]>()
  private size = 0
  private readonly file: string
  private readonly fd: number
  private readonly unlock: () => void
  matches = 0

  constructor(private readonly folder: string) {
    mkdirSync(join(folder, 'snapshots'), { recursive: true })
    this.file = join(folder, 'journal.jsonl')
    this.unlock = lockFolder(folder)
    try {
      if (existsSync(this.file)) this.readAll()
    } catch (error) {
      this.unlock()
      throw error
    }
    this.sweep(readdirSync(join(folder, 'snapshots')).map((name) => name.replace(/\.json$/, '')))
    this.fd = openSync(this.file, 'a+')
  }

  has(unit: string): boolean {
    return this.places.has(unit)
  }

  read(unit: string): readonly MatchRecord[] {
    const place = this.places.get(unit)
    if (place === undefined) throw new Error(`no unit ${unit} in ${this.file}`)
    const bytes = Buffer.alloc(place.length)
    readSync(this.fd, bytes, 0, place.length, place.at)
    return (JSON.parse(bytes.toString()) as Line).records
  }

  commit(unit: string, records: readonly MatchRecord[], kept: Readonly<Record<string, Kept>>): void {
    const snapshots = Object.fromEntries(
      Object.entries(kept).map(([entrant, { now, start }]) => [
        entrant,
        [this.keep(now), ...(start === undefined ? [] : [this.keep(start)])],
      ]),
    )
    const line = Buffer.from(`${JSON.stringify({ unit, records, snapshots } satisfies Line)}\n`)
    try {
      appendFileSync(this.fd, line)
    } catch (error) {
      // Half a line in the middle would be no journal any more.
      ftruncateSync(this.fd, this.size)
      throw error
    }
    const before = Object.keys(snapshots).flatMap((entrant) => this.held.get(entrant) ?? [])
    this.note({ unit, records, snapshots }, line.length)
    this.sweep(before)
  }

  kept(entrant: string): Kept | undefined {
    const [now, start] = this.held.get(entrant) ?? []
    return now === undefined
      ? undefined
      : { now: this.load(now), ...(start !== undefined && { start: this.load(start) }) }
  }

  close(): void {
    closeSync(this.fd)
    this.unlock()
  }

  private note(line: Line, length: number): void {
    this.places.set(line.unit, { at: this.size, length })
    this.size += length
    this.matches += line.records.length
    for (const [entrant, names] of Object.entries(line.snapshots)) this.held.set(entrant, names)
  }

  private keep(snapshot: Snapshot): string {
    const text = JSON.stringify(snapshot)
    const name = createHash('sha256').update(text).digest('hex').slice(0, 32)
    if (!existsSync(this.snapshotFile(name))) writeFileSync(this.snapshotFile(name), text)
    return name
  }

  private load(name: string): Snapshot {
    return JSON.parse(readFileSync(this.snapshotFile(name), 'utf8')) as Snapshot
  }

  /** Removes those of these snapshots that nobody holds. */
  private sweep(names: readonly string[]): void {
    const held = new Set([...this.held.values()].flat())
    for (const name of names) if (!held.has(name)) rmSync(this.snapshotFile(name), { force: true })
  }

  private snapshotFile(name: string): string {
    return join(this.folder, 'snapshots', `${name}.json`)
  }

  private readAll(): void {
    const bytes = readFileSync(this.file)
    for (let at = 0, number = 1; at < bytes.length; number++) {
      const end = bytes.indexOf(10, at)
      if (end < 0) {
        // The last line was being written when the run was killed: its unit is played again.
        truncateSync(this.file, at)
        return
      }
      this.note(this.parse(bytes.toString('utf8', at, end), number), end + 1 - at)
      at = end + 1
    }
  }

  private parse(text: string, number: number): Line {
    try {
      return JSON.parse(text) as Line
    } catch {
      throw new UserError(
        `${this.file}:${number}: not a line that agon wrote; put the file back, or start again with --fresh`,
      )
    }
  }
}
