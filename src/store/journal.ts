import { createHash } from 'node:crypto'
import {
  appendFileSync,
  closeSync,
  existsSync,
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

/**
 * What a run must remember: each unit (a match, or a series of bots that remember) is one line, written at once when its last
 * match has ended, so a run that is killed at any moment has every unit whole or not at all.
 */
export interface Journal {
  has(unit: string): boolean
  /** The records of a unit. Throws where there is none. */
  read(unit: string): readonly MatchRecord[]
  /** Adds a unit with what its remembering bots hold on disk after it. */
  commit(unit: string, records: readonly MatchRecord[], snapshots: Readonly<Record<string, Snapshot>>): void
  /** What an entrant held on disk after its last committed unit. */
  snapshot(entrant: string): Snapshot | undefined
  /** How many matches lie in it. */
  readonly matches: number
  close(): void
}

interface Line {
  readonly unit: string
  readonly records: readonly MatchRecord[]
  readonly snapshots: Readonly<Record<string, string>>
}

/** Opens the journal in a run's folder, made where it is missing. Only one process may hold it at a time. */
export class FileJournal implements Journal {
  private readonly places = new Map<string, { at: number; length: number }>()
  private readonly held = new Map<string, string>()
  private size = 0
  private readonly file: string
  private readonly fd: number
  private readonly unlock: () => void
  matches = 0

  constructor(private readonly folder: string) {
    mkdirSync(join(folder, 'snapshots'), { recursive: true })
    this.unlock = lockFolder(folder)
    this.file = join(folder, 'journal.jsonl')
    if (existsSync(this.file)) this.load()
    for (const name of readdirSync(join(folder, 'snapshots'))) {
      if (![...this.held.values()].includes(name.replace(/\.json$/, ''))) rmSync(join(folder, 'snapshots', name))
    }
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

  commit(unit: string, records: readonly MatchRecord[], snapshots: Readonly<Record<string, Snapshot>>): void {
    const names = Object.fromEntries(
      Object.entries(snapshots).map(([entrant, snapshot]) => [entrant, this.keep(snapshot)]),
    )
    const line = Buffer.from(`${JSON.stringify({ unit, records, snapshots: names } satisfies Line)}\n`)
    appendFileSync(this.fd, line)
    const before = Object.keys(names).map((entrant) => this.held.get(entrant))
    this.note({ unit, records, snapshots: names }, line.length)
    const held = new Set(this.held.values())
    for (const name of before)
      if (name !== undefined && !held.has(name)) rmSync(this.snapshotFile(name), { force: true })
  }

  snapshot(entrant: string): Snapshot | undefined {
    const name = this.held.get(entrant)
    return name === undefined ? undefined : (JSON.parse(readFileSync(this.snapshotFile(name), 'utf8')) as Snapshot)
  }

  close(): void {
    closeSync(this.fd)
    this.unlock()
  }

  private note(line: Line, length: number): void {
    this.places.set(line.unit, { at: this.size, length })
    this.size += length
    this.matches += line.records.length
    for (const [entrant, name] of Object.entries(line.snapshots)) this.held.set(entrant, name)
  }

  private keep(snapshot: Snapshot): string {
    const text = JSON.stringify(snapshot)
    const name = createHash('sha256').update(text).digest('hex').slice(0, 32)
    if (!existsSync(this.snapshotFile(name))) writeFileSync(this.snapshotFile(name), text)
    return name
  }

  private snapshotFile(name: string): string {
    return join(this.folder, 'snapshots', `${name}.json`)
  }

  private load(): void {
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
