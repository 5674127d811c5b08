import { type Hash, createHash, randomBytes } from 'node:crypto'
import { appendFileSync, lstatSync, mkdirSync, readdirSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { MatchRecord } from '../core/index.js'
import { readPlain } from '../files/index.js'
import type { KeptFiles } from '../store/index.js'

/*
 * Theory of operation.
 *
 * A series of bots that remember is stored as a whole, and a long one takes minutes. So that a run that is killed goes on within it, what
 * was played of it is kept in a folder of its own, by the key under which all of it will be stored: a file of records, a line each, and one
 * that says how many of them count and what the bots held on disk then. The second is replaced whole, so it alone decides; what does not
 * agree with it is as if it were not there. None of this counts for any table: once the series is stored, the folder is removed.
 *
 * Each writer has files of its own, so two processes that play the same series harm nothing.
 *
 * The hash tells that the files are whole, and not who wrote them: they are read as a stranger's. No link is followed, no pipe waited for, nothing
 * read beyond its bounds, and the caller checks of each record whether it is one of this series.
 */

/** Where parts of series are kept, and after how many milliseconds of play each time; 0: after every match, whatever that takes. */
export interface PartsSetting {
  readonly folder: string
  readonly everyMs: number
}

/** Milliseconds of play that a kill may cost at most, beside the match under way. */
export const PART_MS = 1000

/** Of the time that a series takes, at most this share goes into keeping its parts. */
const SHARE = 1 / 20
/** Matches that are kept at a time, where the bots hold nothing on disk: modules play more of them in a second than are worth writing. */
const AT_ONCE = 2000

/** Bytes of the files: more is neither written nor read. */
const BYTES = { mark: 128 * 1024 ** 2, records: 256 * 1024 ** 2 } as const

/** Milliseconds after which a part that no run has continued is removed. */
const STALE_MS = 7 * 24 * 3_600_000

/** The beginning of a series. */
export interface SeriesPart {
  readonly records: readonly MatchRecord[]
  /** By name: what its bots held on disk after the last of these. */
  readonly kept: Readonly<Record<string, KeptFiles>>
}

/** What the second file says. */
interface Mark {
  readonly matches: number
  /** Of the file of records, and their hash. */
  readonly bytes: number
  readonly hash: string
  readonly kept: SeriesPart['kept']
}

/** Keys of the store: nothing else names a folder here. */
const KEY = /^[0-9a-f]{32}$/

/**
 * The longest part of a series that is kept; undefined: none is. `fits`: whether these may be the first matches of the series; where it throws
 * they are not.
 */
export function findPart(
  { folder }: PartsSetting,
  key: string,
  fits: (records: readonly MatchRecord[]) => boolean,
): SeriesPart | undefined {
  const own = join(folder, key)
  if (!isOwnFolder(own)) return undefined
  const parts = namesIn(own).flatMap((name) =>
    name.endsWith('.json') ? (readPart(own, name.slice(0, -5), fits) ?? []) : [],
  )
  return parts.sort((a, b) => b.records.length - a.records.length)[0]
}

function readPart(
  folder: string,
  name: string,
  fits: (records: readonly MatchRecord[]) => boolean,
): SeriesPart | undefined {
  try {
    const mark = readPlain(join(folder, `${name}.json`), BYTES.mark)
    const { matches, bytes, hash, kept } = JSON.parse(String(mark)) as Mark
    if (!Number.isSafeInteger(bytes) || bytes < 0 || bytes > BYTES.records || !isKept(kept)) return undefined
    const data = readPlain(join(folder, `${name}.jsonl`), bytes)
    if (data?.length !== bytes || createHash('sha256').update(data).digest('hex') !== hash) return undefined
    const lines = data.toString('utf8').split('\n').slice(0, -1)
    if (lines.length !== matches) return undefined
    const records = lines.map((line) => JSON.parse(line) as MatchRecord)
    return fits(records) ? { records, kept } : undefined
  } catch {
    return undefined
  }
}

/** Whether this is what bots held, as JSON has it. */
function isKept(kept: unknown): kept is SeriesPart['kept'] {
  const isRecord = (value: unknown): value is Readonly<Record<string, unknown>> =>
    typeof value === 'object' && value !== null && !Array.isArray(value)
  const isSnapshot = (value: unknown): boolean =>
    isRecord(value) && Object.entries(value).every(([path, text]) => isBelow(path) && typeof text === 'string')
  return (
    isRecord(kept) &&
    Object.values(kept).every(
      (one) => isRecord(one) && isSnapshot(one['now']) && (one['start'] === undefined || isSnapshot(one['start'])),
    )
  )
}

/** Whether a path leads nowhere but below the folder in which it stands. */
const isBelow = (path: string): boolean =>
  !path.includes('\0') && path.split('/').every((part) => part !== '' && part !== '.' && part !== '..')

/** A folder itself, and no link to one. */
const isOwnFolder = (path: string): boolean => lstatSync(path, { throwIfNoEntry: false })?.isDirectory() === true

/** Removes what is kept of a series: it is stored, or is to be played anew. */
export function dropPart({ folder }: PartsSetting, key: string): void {
  rmSync(join(folder, key), { recursive: true, force: true })
}

/** Removes what no run has continued for long. */
export function dropStaleParts(folder: string, now = Date.now()): void {
  for (const key of namesIn(folder)) {
    const own = join(folder, key)
    const { mtimeMs } = KEY.test(key)
      ? (lstatSync(own, { throwIfNoEntry: false }) ?? { mtimeMs: now })
      : { mtimeMs: now }
    if (now - mtimeMs > STALE_MS) rmSync(own, { recursive: true, force: true })
  }
}

/** Keeps what is played of one series, as it is played. */
export class PartWriter {
  private readonly name = randomBytes(6).toString('hex')
  private readonly hash: Hash = createHash('sha256')
  private bytes = 0
  private written = 0
  private due: number
  /** A folder that cannot be written costs nothing but what a kill would. */
  private lost = false

  constructor(
    private readonly setting: PartsSetting,
    private readonly key: string,
  ) {
    this.due = performance.now() + setting.everyMs
  }

  /** Whether a part is to be kept now. */
  get isDue(): boolean {
    return !this.lost && performance.now() >= this.due
  }

  /** Keeps what was played so far; `kept`: what the bots hold, once it is asked for. */
  async keep(records: readonly MatchRecord[], kept: () => Promise<SeriesPart['kept']>): Promise<void> {
    const began = performance.now()
    const held = await kept()
    const most = Object.keys(held).length === 0 ? this.written + AT_ONCE : records.length
    try {
      this.write(records.slice(0, most), held)
    } catch {
      this.lost = true
    }
    const { everyMs } = this.setting
    const now = performance.now()
    this.due = everyMs === 0 ? now : now + Math.max(everyMs, (now - began) / SHARE)
  }

  private write(records: readonly MatchRecord[], kept: SeriesPart['kept']): void {
    const own = join(this.setting.folder, this.key)
    mkdirSync(own, { recursive: true, mode: 0o700 })
    const text = records
      .slice(this.written)
      .map((record) => `${JSON.stringify(record)}\n`)
      .join('')
    const bytes = this.bytes + Buffer.byteLength(text)
    // The part that was kept before stays valid.
    if (bytes > BYTES.records || !isOwnFolder(own)) throw new Error('no more can be kept')
    appendFileSync(join(own, `${this.name}.jsonl`), text, { mode: 0o600 })
    this.hash.update(text)
    this.bytes = bytes
    this.written = records.length
    const mark: Mark = { matches: this.written, bytes: this.bytes, hash: this.hash.copy().digest('hex'), kept }
    const fresh = join(own, `${this.name}.new`)
    writeFileSync(fresh, JSON.stringify(mark), { mode: 0o600 })
    renameSync(fresh, join(own, `${this.name}.json`))
  }
}

function namesIn(folder: string): readonly string[] {
  try {
    return readdirSync(folder)
  } catch {
    return []
  }
}
