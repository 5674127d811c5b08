import {
  type Entrant,
  type FaultKind,
  type MatchRecord,
  type Outcome,
  type Result,
  type Run,
  UserError,
  message,
  option,
  type FaultAt,
  type Match,
  type JudgedMatch,
} from '../core/index.js'
import type { Database } from './sql.js'

/** What a bot keeps on disk, as its transport took it: files by name, base64. */
export type Snapshot = Readonly<Record<string, string>>

export interface KeptFiles {
  /** After its last committed job. */
  readonly now: Snapshot
  /** When its process was first started anew after trouble; absent: it began with nothing. */
  readonly start?: Snapshot
}

export const RUN_STATES = ['open', 'paused', 'finished'] as const
/** open: under way, or interrupted; paused: the process that plays it waits. */
export type RunState = (typeof RUN_STATES)[number]

export interface StoredRun extends Run {
  readonly state: RunState
  /** ISO 8601. */
  readonly ended?: string
  readonly matches: number
}

/** What was played in one piece: a match, or a series of bots that remember. Stored whole or not at all. */
export interface PlayedJob {
  /** 32 hexadecimal digits: a hash over all that the matches *are*. */
  readonly key: string
  readonly matches: readonly Match[]
  /** What bots that live through the tournament hold on disk after it. */
  readonly kept?: { readonly tournament: string; readonly by: Readonly<Record<string, KeptFiles>> }
}

/** A match as tables, rankings and lists need it, rulings applied. Equal outcomes and seatings are shared. */
export interface StoredMatch {
  /** The store's own number, in the order of arrival. */
  readonly id: number
  /** The pairing's, '1/Ant-Bee/3'. */
  readonly key: string
  readonly seats: readonly number[]
  readonly outcome: Result['outcome']
  readonly playoff: boolean
  readonly turns: number
  /** A digest of all answers, below 2⁵²: same seats and same digest mean the same game again. */
  readonly course: number
  /** A digest of the deal of luck, below 2⁵². */
  readonly luck: number
  /** When it was stored, in milliseconds since 1970. */
  readonly at: number
  readonly faults: readonly FaultAt[]
}

/** An entrant's standing, counted match by match as they land. */
export interface StandingRow {
  readonly entrant: number
  readonly name: string
  readonly matches: number
  /** First alone; shared it; neither. Playoffs do not count. */
  readonly wins: number
  readonly draws: number
  readonly losses: number
  readonly points: number
  readonly faults: Readonly<Partial<Record<FaultKind, number>>>
}
/** Of two entrants by their indexes in the run, the lower first: how often it was placed before, level with, behind the other. */
export interface PairCounts {
  readonly one: number
  readonly other: number
  readonly ahead: number
  readonly level: number
  readonly behind: number
}
export const EXCLUSIONS = ['withdrawn', 'disqualified'] as const
export interface Exclusion {
  readonly name: string
  readonly status: (typeof EXCLUSIONS)[number]
  /** void: none of its matches counts; lost: what it had not played counts as lost. */
  readonly treatment: 'void' | 'lost'
  readonly why: string
}

/** Another outcome than the recorded one counts in a run, because it was judged again. */
export interface Ruling {
  readonly match: number
  readonly outcome: Result['outcome']
  readonly why: string
}

export interface LogEntry {
  /** ISO 8601. */
  readonly at: string
  readonly agon: string
  /** 'began', 'finished', 'disqualified', 'void', … */
  readonly what: string
  readonly detail: Readonly<Record<string, unknown>>
}

export interface RatingRow {
  readonly entrant: number
  readonly kind: string
  readonly value: number
  readonly low: number
  readonly high: number
}

/** Which of a run's matches a page lists. Entrants are named by their index in the run. */
export interface BrowseFilter {
  readonly entrant?: number
  readonly opponent?: number
  /** The entrant's; without one, whether the match had one winner (win) or shared first places (draw). */
  readonly result?: 'win' | 'draw' | 'loss'
  /** The entrant that committed it; absent: any. */
  readonly fault?: FaultKind | 'any'
  /** Steps, at the least and at the most. */
  readonly least?: number
  readonly most?: number
  /** The pairing's key, '1/Ant-Bee/3', or its beginning before a slash: its series'. */
  readonly key?: string
  /** Before this place in the run; absent: all. */
  readonly before?: number
  readonly limit: number
}
export interface BrowsePage {
  readonly matches: readonly StoredMatch[]
  /** The place to go on before; absent: no more. Even a page without matches may have one. */
  readonly next?: number
  readonly count: number
}

/** One run of an archive, as plain data. */
export interface RunDump {
  readonly run: Omit<StoredRun, 'entrants' | 'matches'>
  readonly entrants: readonly Entrant[]
  readonly exclusions: readonly Exclusion[]
  readonly stderr: Readonly<Record<string, string>>
  readonly rulings: readonly (Omit<Ruling, 'match'> & { readonly place: string })[]
  readonly ratings: readonly RatingRow[]
  readonly log: readonly LogEntry[]
  readonly kept: readonly { readonly tournament: string; readonly entrant: string; readonly kept: KeptFiles }[]
}
export interface JobDump {
  readonly key: string
  readonly matches: readonly (Match & { readonly at: string })[]
}

/*
 * A store's operations, in small ports: a function names those that it needs. A method that writes is one transaction: on disk when its promise
 * is kept, whole or not at all. All throw UserError for what the host can mend: a full disk, a damaged file.
 */

export interface RunStore {
  /** Adds an open run. Throws if its id is there already. */
  addRun(run: Run): Promise<void>
  /** The newest first. */
  runs(): Promise<readonly StoredRun[]>
  run(id: string): Promise<StoredRun | undefined>
  setState(run: string, state: RunState): Promise<void>
  /**
   * Replaces the run of that id: its entrants are others. It then holds no match: those that it keeps are adopted. Who is out,
   * rulings and the log stay. `what`: for the log.
   */
  changeRun(run: Run, what: Readonly<Record<string, unknown>>): Promise<void>
  /** Removes a run and the matches of no other run; `keep`: those, and what its bots held on disk, stay to be adopted. */
  removeRun(id: string, matches?: 'keep'): Promise<void>
  /** A run but its matches, as plain data for an archive. */
  dump(run: string): Promise<RunDump>
  jobs(run: string): AsyncIterable<JobDump>
  /** Adds an archive's run; what is there stays. Throws UserError where a match is there with another record. */
  load(dump: RunDump, jobs: () => AsyncIterable<JobDump>): Promise<void>
}

export interface NoteStore {
  /** An entrant was put out of the run or left it. */
  exclude(run: string, exclusion: Exclusion): Promise<void>
  readmit(run: string, name: string, why: string): Promise<void>
  exclusions(run: string): Promise<readonly Exclusion[]>
  /** The end of each entrant's standard error, by name. An empty text leaves what was kept before. */
  saveStderr(run: string, texts: ReadonlyMap<string, string>): Promise<void>
  /** '': it wrote nothing. */
  stderr(run: string, entrant: string): Promise<string>
  /** Replaces the ratings of its entrants. */
  saveRatings(run: string, ratings: readonly RatingRow[]): Promise<void>
  ratings(run: string): Promise<readonly RatingRow[]>
  /** Outcomes that count instead of those of the records. */
  rule(run: string, rulings: readonly Ruling[]): Promise<void>
  /** Of matches that the run holds, by the pairing's key. */
  ruled(run: string): Promise<ReadonlyMap<string, Outcome>>
  note(run: string, what: string, detail: Readonly<Record<string, unknown>>): Promise<void>
  log(run: string): Promise<readonly LogEntry[]>
}

/** Jobs with their records, for the engine: a stored job is not played again. */
export interface JobStore {
  /** Those of these keys that are stored. */
  has(jobs: readonly string[]): Promise<ReadonlySet<string>>
  /** Jobs' matches, in order, by the jobs' keys; those not there are left out. */
  read(jobs: readonly string[]): Promise<ReadonlyMap<string, readonly JudgedMatch[]>>
  /** Their records alone, as lines of JSON in UTF-8, each with its end: to be written as they are. */
  lines(jobs: readonly string[]): Promise<ReadonlyMap<string, Uint8Array>>
  /**
   * Stores jobs and counts them in the run. Those there already stay as they are; returns their keys. Throws a LeaseLostError, and stores
   * nothing, where they bring checkpoints of a tournament whose lease was acquired here and is lost.
   */
  record(run: string, jobs: readonly PlayedJob[]): Promise<ReadonlySet<string>>
  /** Counts those of the jobs that are there in this run, too, and returns their keys. */
  adopt(run: string, jobs: readonly string[]): Promise<ReadonlySet<string>>
  /** What a long-lived entrant held on disk after its last job; undefined: nothing was ever kept. */
  kept(tournament: string, entrant: string): Promise<KeptFiles | undefined>
}

/** A run's matches, and what is counted of them, for tables and pages. */
export interface MatchStore {
  /** By the pairing's key, with course and length, rulings applied. A map that grows with the run. */
  results(run: string): Promise<ReadonlyMap<string, Result>>
  /** Calls back with each match of a run, rulings applied, in the order of arrival. */
  eachMatch(run: string, take: (match: StoredMatch) => void): Promise<void>
  /** All, or those of an entrant by index; the newest first. */
  matches(run: string, entrant?: number): Promise<readonly StoredMatch[]>
  recordOf(match: number): Promise<MatchRecord>
  leaderboard(run: string): Promise<readonly StandingRow[]>
  /** Of each two that met, by their indexes in the run. Playoffs do not count. */
  pairs(run: string): Promise<readonly PairCounts[]>
  /** A page of a list, at the same cost however many matches there are. */
  browse(run: string, filter: BrowseFilter): Promise<BrowsePage>
  /** The runs that hold a match, the newest first; empty: no such match. */
  runsHolding(match: number): Promise<readonly string[]>
}

/** What one of several processes with the store open holds alone, such as a tournament whose bots remember it. */
export interface LeaseStore {
  /**
   * Acquires a lease and renews it until the store is closed. `key`: 32 hexadecimal digits. Returns another holder's process
   * number, if there is one. A lease is free after a minute without renewal, or once its process has certainly ended.
   */
  acquireLease(key: string): Promise<string | undefined>
}

/** A lease was lost: this process was stopped for too long, and another one may hold it. */
export class LeaseLostError extends UserError {
  constructor() {
    super(
      message`this agon was stopped for so long that another one could take its place: continue with ${option('resume')}`,
    )
  }
}

/** The server of a store went, or did not answer for too long. */
export class ServerLostError extends UserError {}

export interface Store extends RunStore, NoteStore, JobStore, MatchStore, LeaseStore {
  /** For a person: the file, or the server's URL without its password. */
  readonly where: string
  close(): Promise<void>
}

export interface ServerStore extends Store {
  /** The server's URL with its password. */
  readonly url: string
  /** The same connections, for tables shared by workers and runs. */
  readonly sql: Database
  /** Those of these hashes of entrants' folders whose contents, from which other machines build them, are missing. */
  lackingSources(hashes: readonly string[]): Promise<readonly string[]>
  /** Contents stored under that hash stay as they are. `data`: packed for the reader. */
  saveSource(hash: string, data: Uint8Array): Promise<void>
  /** Undefined: none of that hash. Throws UserError where it is damaged. */
  source(hash: string): Promise<Uint8Array | undefined>
}

export const isOnServer = (store: Store): store is ServerStore => 'url' in store
