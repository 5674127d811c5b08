import { randomBytes } from 'node:crypto'
import { closeSync, mkdirSync, openSync } from 'node:fs'
import { join } from 'node:path'
import { type MatchRecord, UserError, message, option } from '../core/index.js'
import { type Exclusion, SqliteFile, refuseActing, refuseSpecial } from '../store/index.js'

export const HOSTED_STATES = ['created', 'playing', 'paused', 'finished', 'failed'] as const
/** created: never started; failed: it cannot be played as it is, `why` has the reason. */
export type HostedState = (typeof HOSTED_STATES)[number]

export const ENTRY_STATES = ['building', 'rejected', 'playing', 'placed'] as const

export interface HostedContest {
  readonly id: string
  readonly toml: string
  readonly title: string
  readonly game: string
  /** Of the luck of its runs, if its text gives none. Secret. */
  readonly seed: string
  /** ISO 8601. */
  readonly created: string
  readonly state: HostedState
  readonly why?: string
  /** The run that counts; absent: none has begun. */
  readonly run?: string
  /** Raised with each change of who plays. */
  readonly revision: number
  readonly final?: true
}

interface Contestant {
  readonly number: number
  readonly contest: string
  readonly name: string
  /** When the token was made, ISO 8601. */
  readonly made: string
  /** When the token was revoked; absent: it is good. */
  readonly revoked?: string
}

/** One version of a bot that was entered, without its log. */
export interface SiteEntry {
  readonly id: string
  readonly contest: string
  /** The contestant's number; 0: the host's. */
  readonly contestant: number
  /** The contestant's name; absent: the host's. */
  readonly sender?: string
  readonly name: string
  /** Counted from 1 for each name. */
  readonly version: number
  readonly state: (typeof ENTRY_STATES)[number]
  /** What was entered beside its files, as JSON. */
  readonly spec: string
  /** Of the disk, that its files take as they were sent. */
  readonly bytes: number
  /** ISO 8601. */
  readonly created: string
  /** The entrant's hash in the store; absent: it was never admitted. */
  readonly hash?: string
  /** The hash of the source that it may have staged in the workspace; absent: nothing is staged of it. */
  readonly source?: string
  /** A hash of its contest's terms when it was checked. */
  readonly terms?: string
}

/** An id that cannot be guessed, for what is found by its address alone. */
export const freshId = (): string => randomBytes(12).toString('base64url')

/** Whether a version was built and checked, and plays: until then it is its owner's and the host's alone. */
export const isTaken = (state: unknown): boolean => state === 'playing' || state === 'placed'

/** Whether an entry keeps its name for its owner: it is being built, or was taken. A version that never played leaves the name to the next who asks for it. */
export const holdsName = ({ state, hash }: Pick<SiteEntry, 'state' | 'hash'>): boolean =>
  state !== 'rejected' || hash !== undefined

const DAMAGED =
  'is damaged; put a copy of it back, or move it away: the site then begins anew, without its contests, contestants and entries; the matches stay in agon.db'

/** 'agos' as four letters: distinguishes the file from other programs'. */
const APPLICATION_ID = 0x61676f73
/** Of the schema. */
const VERSION = 5

const SCHEMA = `
CREATE TABLE host (one INTEGER PRIMARY KEY CHECK (one = 1), hash TEXT NOT NULL) STRICT;
CREATE TABLE contest (
  number INTEGER PRIMARY KEY AUTOINCREMENT,
  id TEXT NOT NULL UNIQUE,
  toml TEXT NOT NULL,
  title TEXT NOT NULL,
  game TEXT NOT NULL,
  seed TEXT NOT NULL,
  created TEXT NOT NULL,
  state TEXT NOT NULL,
  why TEXT,
  run TEXT,
  revision INTEGER NOT NULL,
  final INTEGER
) STRICT;
CREATE TABLE contestant (
  number INTEGER PRIMARY KEY AUTOINCREMENT,
  contest TEXT NOT NULL,
  name TEXT NOT NULL,
  hash TEXT NOT NULL UNIQUE,
  made TEXT NOT NULL,
  revoked TEXT,
  UNIQUE (contest, name)
) STRICT;
CREATE TABLE entry (
  number INTEGER PRIMARY KEY AUTOINCREMENT,
  id TEXT NOT NULL UNIQUE,
  contest TEXT NOT NULL,
  contestant INTEGER NOT NULL,
  name TEXT NOT NULL,
  version INTEGER NOT NULL,
  state TEXT NOT NULL,
  log TEXT NOT NULL,
  spec TEXT NOT NULL,
  bytes INTEGER NOT NULL,
  created TEXT NOT NULL,
  hash TEXT,
  source TEXT,
  terms TEXT,
  UNIQUE (contest, name, version)
) STRICT;
CREATE TABLE exclusion (
  contest TEXT NOT NULL,
  name TEXT NOT NULL,
  status TEXT NOT NULL,
  treatment TEXT NOT NULL,
  why TEXT NOT NULL,
  back INTEGER,
  PRIMARY KEY (contest, name)
) STRICT, WITHOUT ROWID;
CREATE TABLE sitting (
  number INTEGER PRIMARY KEY AUTOINCREMENT,
  id TEXT NOT NULL UNIQUE,
  game TEXT NOT NULL,
  ended TEXT NOT NULL,
  record TEXT NOT NULL
) STRICT;
CREATE TABLE event (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  contest TEXT NOT NULL,
  kind TEXT NOT NULL,
  data TEXT NOT NULL
) STRICT;
CREATE INDEX event_contest ON event (contest, id);
`

const CONTEST = 'id, toml, title, game, seed, created, state, why, run, revision, final FROM contest'
const CONTESTANT = 'number, contest, name, made, revoked FROM contestant'
/** The host's entries have no sender: `max` makes of the name, which may not be null, a value that may. */
const ENTRY = `id, contest, contestant, name, version, state, spec, bytes, created, hash, source, terms,
  (SELECT max(name) FROM contestant WHERE number = entry.contestant) AS sender FROM entry`
const WITHDRAWN = "contest = ? AND name = ? AND status = 'withdrawn'"

/** People's matches that are kept. */
const SITTINGS = 20_000

type Row = Readonly<Record<string, string | number | boolean | null | undefined>>
/** What of a row is to be another; null: absent from then on. */
type Change<T> = { readonly [K in keyof T]?: T[K] | null }
export type ContestantChange = Change<Contestant & { readonly hash: string }>
const valuesOf = (row: Row): [names: string[], values: (string | number | null)[]] => {
  const given = Object.entries(row).flatMap(([name, value]) => (value === undefined ? [] : [[name, value] as const]))
  return [given.map(([name]) => name), given.map(([, value]) => (typeof value === 'boolean' ? Number(value) : value))]
}

/** What a site knows beside what was played. Of tokens it keeps hashes alone. Each method that writes is one transaction, on disk when it returns. */
export class SiteStore {
  private constructor(private readonly db: SqliteFile) {}

  /** Opens the site's file, made where there is none. To be closed. Throws UserError. */
  static open(workspace: string): SiteStore {
    const file = join(workspace, 'site.db')
    try {
      mkdirSync(workspace, { recursive: true, mode: 0o700 })
      refuseSpecial(file)
      // SQLite makes a file that everybody may read.
      closeSync(openSync(file, 'a', 0o600))
    } catch (error) {
      if (error instanceof UserError) throw error
      const code = error instanceof Error && 'code' in error ? String(error.code) : ''
      throw new UserError(
        message`${file} cannot be made (${code}): choose another workspace with ${option('workspace')}`,
      )
    }
    const db = new SqliteFile(file, file, DAMAGED)
    try {
      refuseActing(db)
      db.exec('PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL')
      db.write(() => makeSchema(db))
      refusePaths(db)
      return new SiteStore(db)
    } catch (error) {
      db.close()
      throw error
    }
  }

  close(): void {
    this.db.close()
  }

  hostHash(): string | undefined {
    return this.db.get<{ hash: string }>('SELECT hash FROM host')?.hash
  }

  setHostHash(hash: string): void {
    this.db.write(() => this.insert('OR REPLACE INTO host', { one: 1, hash }))
  }

  addContest(contest: Pick<HostedContest, 'id' | 'toml' | 'title' | 'game' | 'seed'>): void {
    const begun = { created: new Date().toISOString(), state: 'created', revision: 0 }
    this.db.write(() => this.insert('INTO contest', { ...contest, ...begun }))
  }

  /** The newest first. */
  contests(): readonly HostedContest[] {
    return this.select<HostedContest>(`${CONTEST} ORDER BY number DESC`)
  }

  contest(id: string): HostedContest | undefined {
    return this.select<HostedContest>(`${CONTEST} WHERE id = ?`, id)[0]
  }

  /** False, and nothing is changed: `only` is not the contest's revision any more, or the contest has ended for good and keeps its state. */
  changeContest(id: string, change: Change<HostedContest>, only?: number): boolean {
    return this.db.write(() => {
      const before = this.contest(id)
      if (before === undefined) throw new Error(`${this.db.file} holds no contest ${id}`)
      if ((only !== undefined && before.revision !== only) || (before.final && change.state)) return false
      return this.update('contest', change, 'id = ?', id)
    })
  }

  addContestant(contestant: Pick<Contestant, 'contest' | 'name' | 'made'> & { readonly hash: string }): void {
    this.db.write(() => this.insert('INTO contestant', { ...contestant }))
  }

  /** Gives a contestant another token, or makes it worth nothing. False: there is none of that name. */
  changeContestant(contest: string, name: string, change: ContestantChange): boolean {
    return this.db.write(() => this.update('contestant', change, 'contest = ? AND name = ?', contest, name))
  }

  /** Whose token it is that has not been revoked. */
  contestantByHash(hash: string): Contestant | undefined {
    return this.select<Contestant>(`${CONTESTANT} WHERE hash = ? AND revoked IS NULL`, hash)[0]
  }

  contestants(contest: string): readonly Contestant[] {
    return this.select<Contestant>(`${CONTESTANT} WHERE contest = ? ORDER BY number`, contest)
  }

  /** Adds the next version of a bot. A bot that is withdrawn is back once this version, or a later one, is taken. */
  addEntry(sent: Omit<SiteEntry, 'version' | 'created' | 'sender' | 'source' | 'terms'>): SiteEntry {
    const { contest, name, state } = sent
    return this.db.write(() => {
      const version = 1 + Math.max(0, ...this.entries(contest, name).map((one) => one.version))
      const entry = { ...sent, version, created: new Date().toISOString() }
      this.insert('INTO entry', { log: '', ...entry })
      this.db.run(`UPDATE exclusion SET back = ? WHERE ${WITHDRAWN} AND back IS NULL`, version, contest, name)
      if (state !== 'building') this.comeBack(contest, name, version)
      return entry
    })
  }

  entry(id: string): SiteEntry | undefined {
    return this.select<SiteEntry>(`${ENTRY} WHERE id = ?`, id)[0]
  }

  log(id: string): string {
    return this.db.get<{ log: string }>('SELECT log FROM entry WHERE id = ?', id)?.log ?? ''
  }

  /** The oldest first. `name`: the versions of this bot alone. */
  entries(contest: string, name?: string): readonly SiteEntry[] {
    const named = name === undefined ? [] : [name]
    const where = `contest = ?${named.map(() => ' AND name = ?').join('')}`
    return this.select<SiteEntry>(`${ENTRY} WHERE ${where} ORDER BY number`, contest, ...named)
  }

  /** Versions of all contests of whose sources something may be staged, the oldest first. */
  stagedEntries(): readonly SiteEntry[] {
    return this.select<SiteEntry>(`${ENTRY} WHERE source IS NOT NULL ORDER BY number`)
  }

  forgetSource(source: string): void {
    this.db.write(() => this.update('entry', { source: null }, 'source = ?', source))
  }

  /** Changes an entry; `log`: in the place of the log that was there. */
  changeEntry(id: string, change: Change<SiteEntry & { readonly log: string }>): void {
    this.db.write(() => {
      const before = this.entry(id)
      if (before === undefined) throw new Error(`${this.db.file} holds no entry ${id}`)
      this.update('entry', change, 'id = ?', id)
      const { contest, name, version } = before
      if (before.state === 'building' && change.state === 'playing') this.comeBack(contest, name, version)
    })
  }

  /**
   * Of entrants that are out of a contest, whichever of its runs counts. `back`: of one that is withdrawn, the first version that was sent since; once
   * such a version is taken, the entrant is back.
   */
  exclusions(contest: string): readonly (Exclusion & { readonly back?: number })[] {
    return this.select('name, status, treatment, why, back FROM exclusion WHERE contest = ? ORDER BY name', contest)
  }

  /** Versions that were sent before this do not bring it back. */
  exclude(contest: string, exclusion: Exclusion): void {
    this.db.write(() => this.insert('OR REPLACE INTO exclusion', { contest, ...exclusion }))
  }

  /** Of very many records of people's matches the oldest are dropped. */
  addSitting(id: string, game: string, record: MatchRecord): void {
    const row = { id, game, ended: new Date().toISOString(), record: JSON.stringify(record) }
    this.db.write(() =>
      this.db.run('DELETE FROM sitting WHERE number <= ?', this.insert('INTO sitting', row) - SITTINGS),
    )
  }

  sitting(id: string): MatchRecord | undefined {
    const row = this.db.get<{ record: string }>('SELECT record FROM sitting WHERE id = ?', id)
    return row && this.db.parse<MatchRecord>(row.record)
  }

  addEvent(contest: string, kind: string, data: unknown): void {
    this.db.write(() => this.insert('INTO event', { contest, kind, data: JSON.stringify(data) }))
  }

  /** The oldest first. Ids are counted up, over all contests. */
  eventsAfter(contest: string, after: number, limit: number) {
    const query = 'SELECT id, kind, data FROM event WHERE contest = ? AND id > ? ORDER BY id LIMIT ?'
    return this.db
      .all<{ id: number; kind: string; data: string }>(query, contest, after, limit)
      .map(({ id, kind, data }) => ({ id, kind, data: this.db.parse<unknown>(data) }))
  }

  /** 0: there is none. */
  newestEvent(contest: string): number {
    return this.db.get<{ id: number | null }>('SELECT max(id) AS id FROM event WHERE contest = ?', contest)?.id ?? 0
  }

  /** A version was taken: a bot that was withdrawn before it was sent is back. */
  private comeBack(contest: string, name: string, version: number): void {
    this.db.run(`DELETE FROM exclusion WHERE ${WITHDRAWN} AND back <= ?`, contest, name, version)
  }

  /** Rows as their type says: what is null is absent, and what has ended for good says so. */
  private select<T>(query: string, ...values: readonly (string | number)[]): readonly T[] {
    return this.db.all<object>(`SELECT ${query}`, ...values).map((row) => {
      const given = Object.entries(row).filter(([, value]) => value !== null)
      return Object.fromEntries(given.map(([name, value]) => [name, name === 'final' ? true : value])) as T
    })
  }

  private insert(into: string, row: Row): number {
    const [names, values] = valuesOf(row)
    return this.db.run(`INSERT ${into} (${names.join()}) VALUES (${names.map(() => '?').join()})`, ...values).id
  }

  /** False: there is no such row. */
  private update(table: string, change: Row, where: string, ...which: readonly string[]): boolean {
    const [names, values] = valuesOf(change)
    const set = names.map((name) => `${name} = ?`).join(', ')
    return this.db.run(`UPDATE ${table} SET ${set} WHERE ${where}`, ...values, ...which).changes > 0
  }
}

/** Makes the schema where the file is empty. Throws UserError where it is another program's, or has another version. */
function makeSchema(db: SqliteFile): void {
  const pragma = (name: string): unknown => db.get<Record<string, unknown>>(`PRAGMA ${name}`)?.[name]
  const version = pragma('user_version')
  if (db.get('SELECT 1 FROM sqlite_master') === undefined)
    return db.exec(`PRAGMA application_id = ${APPLICATION_ID}; PRAGMA user_version = ${VERSION}; ${SCHEMA}`)
  if (pragma('application_id') !== APPLICATION_ID)
    throw new UserError(
      message`${db.file} belongs to another program: use another workspace with ${option('workspace')}`,
    )
  if (version !== VERSION)
    throw new UserError(
      message`${db.file} has version ${String(version)} of the schema, and this agon reads only version ${VERSION}: use the agon that wrote it, or another workspace with ${option('workspace')}`,
    )
}

/**
 * Refuses ids that are no plain names. Their files lie under them, and those of a rejected entry are removed: in a stranger's file an id could lead
 * to any folder of this user.
 */
function refusePaths(db: SqliteFile): void {
  const odd = db.get<{ id: string }>(
    "SELECT id FROM entry WHERE id = '' OR id GLOB '*[^A-Za-z0-9_-]*' UNION SELECT id FROM contest WHERE id = '' OR id GLOB '*/*'",
  )
  if (odd !== undefined)
    throw new UserError(
      message`${db.file} holds the id ${JSON.stringify(odd.id)}, which no agon has written: use another workspace with ${option('workspace')}`,
    )
}
