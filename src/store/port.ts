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
  /** When the process that it lives in was first started anew after trouble; absent: it began with nothing. */
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

/** What was played in one piece: a match, or a series of bots that remember. It is stored whole or not at all. */
export interface PlayedJob {
  /** 32 hexadecimal digits: a hash over all that the matches *are*. */
  readonly key: string
  readonly matches: readonly Match[]
  /** What bots that live through the tournament hold on disk after it. */
  readonly kept?: { readonly tournament: string; readonly by: Readonly<Record<string, KeptFiles>> }
}

/** A match as a run's tables, rankings and lists need it, rulings applied. Equal outcomes and seatings are shared. */
export interface StoredMatch {
  /** The store's own number, in the order of arrival. */
  readonly id: number
  /** The pairing's, '1/Ant-Bee/3'. */
  readonly key: string
  readonly seats: readonly number[]
  readonly outcome: Result['outcome']
  readonly playoff: boolean
  readonly turns: number
  /** A digest of all that was answered, below 2⁵²: of the same seats with the same one, it is the same game again. */
  readonly course: number
  /** A digest of the deal of luck, below 2⁵². */
  readonly luck: number
  /** When it was stored, in milliseconds since 1970. */
  readonly at: number
  readonly faults: readonly FaultAt[]
}

/** How an entrant stands, counted match by match as they land. */
export interface StandingRow {
  readonly entrant: number
  readonly name: string
  readonly matches: number
  /** Alone in the first place; shared it; neither. Playoffs do not count. */
  readonly wins: number
  readonly draws: number
  readonly losses: number
  readonly points: number
  readonly faults: Readonly<Partial<Record<FaultKind, number>>>
}
/** Of two entrants of a run, by their indexes there, the lower first: how often the one was placed before the other, level, and behind. */
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
  /** void: none of its matches counts; lost: what it had not played counts as lost, what it had stands. */
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

/** Which of a run's matches a page of a list shows. Entrants are named by their index in the run. */
export interface BrowseFilter {
  readonly entrant?: number
  readonly opponent?: number
  /** Of the entrant; without one, whether the match had one winner (win) or several shared the first place (draw). */
  readonly result?: 'win' | 'draw' | 'loss'
  /** The entrant that committed it; absent: any entrant. */
  readonly fault?: FaultKind | 'any'
  /** Steps, at the least and at the most. */
  readonly least?: number
  readonly most?: number
  /** The pairing's key, '1/Ant-Bee/3', or the beginning of it before a slash, which is its series'. */
  readonly key?: string
  /** Those before this place in the run; absent: all. */
  readonly before?: number
  readonly limit: number
}
export interface BrowsePage {
  readonly matches: readonly StoredMatch[]
  /** The place to go on before; absent: there are no more. A page may hold fewer than its limit, or none, and still have one. */
  readonly next?: number
  readonly count: number
}

/** A part of an archive: all that makes up one run, in plain data. */
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
 * What a store does, in small ports: a function that uses a store names the ports that it needs. Every method that writes is one transaction, on
 * disk when its promise is kept, and is there whole or not at all. All throw UserError for what the host can mend: a full disk, a
 * file that is spoilt.
 */

export interface RunStore {
  /** Adds a run, which is open. Throws if its id is there already. */
  addRun(run: Run): Promise<void>
  /** The newest first. */
  runs(): Promise<readonly StoredRun[]>
  run(id: string): Promise<StoredRun | undefined>
  setState(run: string, state: RunState): Promise<void>
  /**
   * Puts a run in the place of the one of its id: its entrants are others. It holds no match then: those that it is to have again are
   * adopted. Who is out, rulings and the log stay. `what`: for the log.
   */
  changeRun(run: Run, what: Readonly<Record<string, unknown>>): Promise<void>
  /** Removes a run, and the matches that no other run holds; `keep`: those, and what its bots held on disk, stay to be adopted. */
  removeRun(id: string, matches?: 'keep'): Promise<void>
  /** All that makes up a run but its matches, as plain data for an archive. */
  dump(run: string): Promise<RunDump>
  jobs(run: string): AsyncIterable<JobDump>
  /** Adds a run from an archive; what is there already stays. Throws UserError where a match of it is there with another record. */
  load(dump: RunDump, jobs: () => AsyncIterable<JobDump>): Promise<void>
}

export interface NoteStore {
  /** An entrant was put out of the run or left it. */
  exclude(run: string, exclusion: Exclusion): Promise<void>
  readmit(run: string, name: string, why: string): Promise<void>
  exclusions(run: string): Promise<readonly Exclusion[]>
  /** The end of what each entrant wrote to its standard error, by name. An empty text leaves what was kept before. */
  saveStderr(run: string, texts: ReadonlyMap<string, string>): Promise<void>
  /** '': it wrote nothing. */
  stderr(run: string, entrant: string): Promise<string>
  /** Ratings of its entrants, as they were at its last end. Those that were kept before are gone. */
  saveRatings(run: string, ratings: readonly RatingRow[]): Promise<void>
  ratings(run: string): Promise<readonly RatingRow[]>
  /** Outcomes that count instead of those of the records. */
  rule(run: string, rulings: readonly Ruling[]): Promise<void>
  /** Of matches that the run holds, by the pairing's key. */
  ruled(run: string): Promise<ReadonlyMap<string, Outcome>>
  note(run: string, what: string, detail: Readonly<Record<string, unknown>>): Promise<void>
  log(run: string): Promise<readonly LogEntry[]>
}

/** Jobs with their records, for the engine: a job that is stored is not played again. */
export interface JobStore {
  /** Those of these keys under which a job lies in the store. */
  has(jobs: readonly string[]): Promise<ReadonlySet<string>>
  /** The matches of jobs, in order, by the jobs' keys; those that are not there are left out. */
  read(jobs: readonly string[]): Promise<ReadonlyMap<string, readonly JudgedMatch[]>>
  /** Their records alone, as lines of JSON in UTF-8, each with its end: what is written as it is need not be read. */
  lines(jobs: readonly string[]): Promise<ReadonlyMap<string, Uint8Array>>
  /**
   * Stores jobs and counts them in the run. Those whose key was there before stay as they are; their keys are returned. Throws a
   * LeaseLostError, and stores nothing, where the lease of a tournament whose bots' checkpoints they bring was acquired here and is lost.
   */
  record(run: string, jobs: readonly PlayedJob[]): Promise<ReadonlySet<string>>
  /** Counts those of the jobs that are there in this run, too, and returns their keys. */
  adopt(run: string, jobs: readonly string[]): Promise<ReadonlySet<string>>
  /** What an entrant that lives through a tournament holds on disk, as it was written with its last job; undefined: nothing was ever kept of it. */
  kept(tournament: string, entrant: string): Promise<KeptFiles | undefined>
}

/** A run's matches, and what is counted of them, for tables and pages. */
export interface MatchStore {
  /** By the pairing's key, with the course and the length of each; rulings have been applied. A map that grows with the run. */
  results(run: string): Promise<ReadonlyMap<string, Result>>
  /** Calls back with each match of a run, rulings applied, in the order in which they came to it. */
  eachMatch(run: string, take: (match: StoredMatch) => void): Promise<void>
  /** All, or those of an entrant by its index in the run; the newest first. */
  matches(run: string, entrant?: number): Promise<readonly StoredMatch[]>
  recordOf(match: number): Promise<MatchRecord>
  leaderboard(run: string): Promise<readonly StandingRow[]>
  /** Of every two that met, in the order of their indexes in the run: how often who was placed before whom. Playoffs do not count. */
  pairs(run: string): Promise<readonly PairCounts[]>
  /** A page of a list, at the same cost however many matches there are. */
  browse(run: string, filter: BrowseFilter): Promise<BrowsePage>
  /** The runs that hold a match, the newest first; empty: there is no such match. */
  runsHolding(match: number): Promise<readonly string[]>
}

/** What one process of several that have the store open holds alone, such as a tournament whose bots remember it. */
export interface LeaseStore {
  /**
   * Acquires a lease and renews it until the store is closed. `key`: 32 hexadecimal digits. Returns who holds it
   * (a process's number), if another one does. A lease that is not renewed for a minute is free, and so is that of a process
   * that has certainly ended.
   */
  acquireLease(key: string): Promise<string | undefined>
}

/** A lease that was acquired was lost meanwhile: this process was stopped for too long, and another one may hold it. */
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
  /** The same connections, for the tables that workers and runs share. */
  readonly sql: Database
  /** Those of the hashes of entrants' folders of which the store does not have the contents, from which other machines build them. */
  lackingSources(hashes: readonly string[]): Promise<readonly string[]>
  /** Contents that are stored under that hash stay as they are. `data`: packed as the reader unpacks it. */
  saveSource(hash: string, data: Uint8Array): Promise<void>
  /** Undefined: there is none of that hash. Throws UserError where it is not as it was written. */
  source(hash: string): Promise<Uint8Array | undefined>
}

export const isOnServer = (store: Store): store is ServerStore => 'url' in store
