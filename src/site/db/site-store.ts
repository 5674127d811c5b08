import type { MatchRecord } from '../../core/index.js'
import type { Exclusion, SqliteFile } from '../../store/index.js'
import { openSiteFile } from './open.js'

export const HOSTED_STATES = ['created', 'playing', 'paused', 'finished', 'failed'] as const
/** created: never started; failed: it cannot be played as it is, `why` has the reason. */
export type HostedState = (typeof HOSTED_STATES)[number]

export const ENTRY_STATES = ['building', 'rejected', 'playing', 'placed'] as const
type EntryState = (typeof ENTRY_STATES)[number]

/** A contest that the site hosts. Its runs lie in the store of what was played. */
export interface HostedContest {
  readonly id: string
  /** The contest file's text. */
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

/** A person who may enter bots in a contest. */
export interface Contestant {
  readonly number: number
  readonly contest: string
  readonly name: string
  /** When the token was made, ISO 8601. */
  readonly made: string
  /** When the token was revoked; absent: it is good. */
  readonly revoked?: string
}

/** One version of a bot that was entered, without its log, which may be long. */
export interface SiteEntry {
  readonly id: string
  readonly contest: string
  /** The contestant's number; 0: the host's. */
  readonly contestant: number
  /** The contestant's name; absent: the host's. */
  readonly sender?: string
  /** The bot's, in the table. */
  readonly name: string
  /** Counted from 1 for each name. */
  readonly version: number
  readonly state: EntryState
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

/** Whether a version was built and checked, and plays: until then it is its owner's and the host's alone. */
export const isTaken = (state: unknown): boolean => state === 'playing' || state === 'placed'

/** Whether an entry keeps its name for its owner: it is being built, or was taken. A version that never played leaves the name to the next who asks for it. */
export const holdsName = ({ state, hash }: Pick<SiteEntry, 'state' | 'hash'>): boolean =>
  state !== 'rejected' || hash !== undefined

/** An entrant that is out of a contest, whichever of its runs counts. */
export interface SiteExclusion extends Exclusion {
  /** Of one that is withdrawn: the first version that was sent since. Once such a version is taken, the entrant is back. */
  readonly back?: number
}

/** Something that happened to a contest, beside its matches. */
interface SiteEvent {
  /** Counted up, over all contests. */
  readonly id: number
  readonly kind: string
  readonly data: unknown
}

interface ContestChange extends Partial<
  Pick<HostedContest, 'state' | 'run' | 'revision' | 'toml' | 'title' | 'final'>
> {
  /** null: nothing keeps it from being played any more. */
  readonly why?: string | null
}

interface EntryChange extends Partial<Pick<SiteEntry, 'state' | 'hash' | 'source' | 'terms'>> {
  /** Takes the place of the log that was there. */
  readonly log?: string
}

interface ContestantChange {
  /** Of the new token, and when it was made. */
  readonly hash?: string
  readonly made?: string
  /** null: the token is good. */
  readonly revoked: string | null
}

const CONTEST = 'id, toml, title, game, seed, created, state, why, run, revision, final FROM contest'
const CONTESTANT = 'number, contest, name, made, revoked FROM contestant'
/** The host's entries have no sender: `max` makes of the name, which may not be null, a value that may. */
const ENTRY = `id, contest, contestant, name, version, state, spec, bytes, created, hash, source, terms,
  (SELECT max(name) FROM contestant WHERE number = entry.contestant) AS sender FROM entry`
const WITHDRAWN = "contest = ? AND name = ? AND status = 'withdrawn'"

/** People's matches that are kept. */
const SITTINGS = 20_000

/** What a table is told: the values of columns by their names. */
type Row = Readonly<Record<string, string | number | boolean | null | undefined>>
const valuesOf = (row: Row): [names: string[], values: (string | number | null)[]] => {
  const given = Object.entries(row).flatMap(([name, value]) => (value === undefined ? [] : [[name, value] as const]))
  return [given.map(([name]) => name), given.map(([, value]) => (typeof value === 'boolean' ? Number(value) : value))]
}

/**
 * What a site knows beside what was played: its contests, who may enter, what was entered, what happened. It lies in a file of its own
 * beside the store. Tokens are kept as hashes alone. Each method that writes is one transaction, on disk when its promise is kept.
 */
export class SiteStore {
  private constructor(private readonly db: SqliteFile) {}

  /** Opens what the site of a workspace knows, made where there is nothing yet. To be closed. Throws UserError. */
  static open(workspace: string): SiteStore {
    return new SiteStore(openSiteFile(workspace))
  }

  /** The hash of the host's token; undefined: there is none yet. */
  async hostHash(): Promise<string | undefined> {
    return this.db.get<{ hash: string }>('SELECT hash FROM host')?.hash
  }

  async setHostHash(hash: string): Promise<void> {
    this.db.write(() => this.insert('OR REPLACE INTO host', { one: 1, hash }))
  }

  async addContest(contest: HostedContest): Promise<void> {
    this.db.write(() => this.insert('INTO contest', { ...contest }))
  }

  /** The newest first. */
  async contests(): Promise<readonly HostedContest[]> {
    return this.select<HostedContest>(`${CONTEST} ORDER BY number DESC`)
  }

  async contest(id: string): Promise<HostedContest | undefined> {
    return this.contestNow(id)
  }

  /**
   * False, and nothing is changed: `only` is given, and is not the contest's revision any more, or the contest has ended for good, and keeps its
   * state.
   */
  async changeContest(id: string, change: ContestChange, only?: number): Promise<boolean> {
    return this.db.write(() => {
      const before = this.contestNow(id)
      if (before === undefined) throw new Error(`${this.db.file} holds no contest ${id}`)
      if ((only !== undefined && before.revision !== only) || (before.final && change.state !== undefined)) return false
      this.update('contest', { ...change }, 'id = ?', id)
      return true
    })
  }

  /** Undefined: the contest has a contestant of a name like that already. `alike`: whether two names are one; absent: where they are equal. */
  async addContestant(
    contestant: Pick<Contestant, 'contest' | 'name' | 'made'> & { readonly hash: string },
    alike: (one: string, other: string) => boolean = (one, other) => one === other,
  ): Promise<Contestant | undefined> {
    const { contest, name, made } = contestant
    return this.db.write(() => {
      const there = this.db.all<{ name: string }>('SELECT name FROM contestant WHERE contest = ?', contest)
      if (there.some((one) => alike(one.name, name))) return undefined
      return { number: this.insert('INTO contestant', { ...contestant }), contest, name, made }
    })
  }

  /** Gives a contestant another token, or makes it unknown. False: there is none of that name. */
  async changeContestant(contest: string, name: string, change: ContestantChange): Promise<boolean> {
    return this.db.write(() => this.update('contestant', { ...change }, 'contest = ? AND name = ?', contest, name))
  }

  /** Whose token it is that has not been revoked. */
  async contestantByHash(hash: string): Promise<Contestant | undefined> {
    return this.select<Contestant>(`${CONTESTANT} WHERE hash = ? AND revoked IS NULL`, hash)[0]
  }

  async contestants(contest: string): Promise<readonly Contestant[]> {
    return this.select<Contestant>(`${CONTESTANT} WHERE contest = ? ORDER BY number`, contest)
  }

  /**
   * Adds the next version of a bot. Undefined: its name is another contestant's. `refuse` is given what is there, and throws where it may not
   * be added: nothing comes between that look and the entry. A bot that is withdrawn is back once this version, or a later one, is taken.
   */
  async addEntry(
    entry: Omit<SiteEntry, 'version' | 'sender' | 'source' | 'terms'>,
    refuse?: (all: readonly SiteEntry[], out: readonly Exclusion[]) => void,
  ): Promise<SiteEntry | undefined> {
    const { db } = this
    return db.write(() => {
      const { contest, contestant, name, state } = entry
      const all = this.entriesNow(contest)
      refuse?.(all, this.exclusionsNow(contest))
      const before = all.filter((one) => one.name === name)
      if (before.some((one) => holdsName(one) && one.contestant !== contestant)) return undefined
      const version = Math.max(0, ...before.map((one) => one.version)) + 1
      this.insert('INTO entry', { log: '', ...entry, version })
      db.run(`UPDATE exclusion SET back = ? WHERE ${WITHDRAWN} AND back IS NULL`, version, contest, name)
      if (state !== 'building') this.comeBack(contest, name, version)
      return { ...entry, version }
    })
  }

  async entry(id: string): Promise<SiteEntry | undefined> {
    return this.entryNow(id)
  }

  /** What was reported while an entry was built and checked. */
  async log(id: string): Promise<string> {
    return this.db.get<{ log: string }>('SELECT log FROM entry WHERE id = ?', id)?.log ?? ''
  }

  /** The oldest first. `name`: the versions of this bot alone. */
  async entries(contest: string, name?: string): Promise<readonly SiteEntry[]> {
    return this.entriesNow(contest, name)
  }

  /** Versions of all contests of whose sources something may be staged, the oldest first. */
  async stagedEntries(): Promise<readonly SiteEntry[]> {
    return this.select<SiteEntry>(`${ENTRY} WHERE source IS NOT NULL ORDER BY number`)
  }

  /** Nothing is staged of this source any more. */
  async forgetSource(source: string): Promise<void> {
    this.db.write(() => this.update('entry', { source: null }, 'source = ?', source))
  }

  async changeEntry(id: string, change: EntryChange): Promise<void> {
    this.db.write(() => {
      const before = this.entryNow(id)
      if (before === undefined) throw new Error(`${this.db.file} holds no entry ${id}`)
      this.update('entry', { ...change }, 'id = ?', id)
      const { contest, name, version } = before
      if (before.state === 'building' && change.state === 'playing') this.comeBack(contest, name, version)
    })
  }

  /** Of entrants that are out of a contest, whichever of its runs counts. */
  async exclusions(contest: string): Promise<readonly SiteExclusion[]> {
    return this.exclusionsNow(contest)
  }

  /** Versions that were sent before this do not bring it back. */
  async exclude(contest: string, exclusion: Exclusion): Promise<void> {
    this.db.write(() => this.insert('OR REPLACE INTO exclusion', { contest, ...exclusion }))
  }

  /** Keeps the record of a person's match; of very many the oldest are dropped. */
  async addSitting(id: string, game: string, record: MatchRecord): Promise<void> {
    const { db } = this
    const row = { id, game, ended: new Date().toISOString(), record: JSON.stringify(record) }
    db.write(() => db.run('DELETE FROM sitting WHERE number <= ?', this.insert('INTO sitting', row) - SITTINGS))
  }

  async sitting(id: string): Promise<MatchRecord | undefined> {
    const row = this.db.get<{ record: string }>('SELECT record FROM sitting WHERE id = ?', id)
    return row && this.db.parse<MatchRecord>(row.record)
  }

  /** Returns its number. */
  async addEvent(contest: string, kind: string, data: unknown): Promise<number> {
    return this.db.write(() => this.insert('INTO event', { contest, kind, data: JSON.stringify(data) }))
  }

  /** The oldest first. */
  async eventsAfter(contest: string, id: number, limit: number): Promise<readonly SiteEvent[]> {
    const query = 'SELECT id, kind, data FROM event WHERE contest = ? AND id > ? ORDER BY id LIMIT ?'
    return this.db
      .all<{ id: number; kind: string; data: string }>(query, contest, id, limit)
      .map((row) => ({ ...row, data: this.db.parse(row.data) }))
  }

  /** The number of the newest event; 0: there is none. */
  async newestEvent(contest: string): Promise<number> {
    return this.db.get<{ id: number | null }>('SELECT max(id) AS id FROM event WHERE contest = ?', contest)?.id ?? 0
  }

  close(): void {
    this.db.close()
  }

  private contestNow(id: string): HostedContest | undefined {
    return this.select<HostedContest>(`${CONTEST} WHERE id = ?`, id)[0]
  }

  private entryNow(id: string): SiteEntry | undefined {
    return this.select<SiteEntry>(`${ENTRY} WHERE id = ?`, id)[0]
  }

  private entriesNow(contest: string, name?: string): readonly SiteEntry[] {
    return name === undefined
      ? this.select<SiteEntry>(`${ENTRY} WHERE contest = ? ORDER BY number`, contest)
      : this.select<SiteEntry>(`${ENTRY} WHERE contest = ? AND name = ? ORDER BY number`, contest, name)
  }

  private exclusionsNow(contest: string): readonly SiteExclusion[] {
    return this.select('name, status, treatment, why, back FROM exclusion WHERE contest = ? ORDER BY name', contest)
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

  /** Returns the number of the row. */
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
