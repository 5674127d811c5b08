import {
  type MatchRecord,
  type Outcome,
  type Result,
  type Run,
  UserError,
  message,
  option,
  type JudgedMatch,
} from '../core/index.js'
import type {
  BotPage,
  BrowseFilter,
  BrowsePage,
  Exclusion,
  KeptFiles,
  LogEntry,
  MatchFilter,
  MatchSummary,
  PairCounts,
  PlayedJob,
  RatingRow,
  Ruling,
  RunDump,
  RunState,
  StandingRow,
  StoredMatch,
  StoredRun,
  JobDump,
} from './data.js'
import type { Database } from './sql.js'

/*
 * What a store does, in small ports: a function that uses a store names the ports that it needs. Every method that writes is one transaction, on
 * disk when its promise is kept, and is there whole or not at all. All throw UserError for what the host can mend: a full disk, a
 * file that is spoilt.
 */

/** Runs and their entrants. */
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
}

/** Entrants that were put out of a run or left it. */
export interface ExclusionStore {
  exclude(run: string, exclusion: Exclusion): Promise<void>
  /** Undoes the exclusion of an entrant. */
  readmit(run: string, name: string, why: string): Promise<void>
  exclusions(run: string): Promise<readonly Exclusion[]>
}

/** The end of what each entrant of a run wrote to its standard error. */
export interface StderrStore {
  /** By entrant's name. An empty text leaves what was kept before. */
  saveStderr(run: string, texts: ReadonlyMap<string, string>): Promise<void>
  /** '': it wrote nothing. */
  stderr(run: string, entrant: string): Promise<string>
}

/** Ratings of a run's entrants, as they were at its last end. */
export interface RatingStore {
  /** Those that were kept before are gone. */
  saveRatings(run: string, ratings: readonly RatingRow[]): Promise<void>
  ratings(run: string): Promise<readonly RatingRow[]>
}

/** Jobs with their records, for the engine: a job that is stored is not played again. */
export interface JobStore {
  /** Those of these keys under which a job lies in the store. */
  has(jobs: readonly string[]): Promise<ReadonlySet<string>>
  /** The matches of jobs, in order, by the jobs' keys; those that are not there are left out. */
  read(jobs: readonly string[]): Promise<ReadonlyMap<string, readonly JudgedMatch[]>>
  /**
   * Stores jobs and counts them in the run. Those whose key was there before stay as they are; their keys are returned. Throws a
   * LeaseLostError, and stores nothing, where the lease of a tournament whose bots' checkpoints they bring was acquired here and is lost.
   */
  record(run: string, jobs: readonly PlayedJob[]): Promise<ReadonlySet<string>>
  /** Counts those of the jobs that are there in this run, too, and returns their keys. */
  adopt(run: string, jobs: readonly string[]): Promise<ReadonlySet<string>>
}

/** Outcomes that count instead of those of the records. */
export interface RulingStore {
  rule(run: string, rulings: readonly Ruling[]): Promise<void>
  /** Of matches that the run holds, by the pairing's key. */
  ruled(run: string): Promise<ReadonlyMap<string, Outcome>>
}

/** A run's matches, and what is counted of them, for tables and pages. */
export interface MatchStore {
  /** By the pairing's key, with the course and the length of each; rulings have been applied. A map that grows with the run. */
  results(run: string): Promise<ReadonlyMap<string, Result>>
  /** Calls back with each match of a run, rulings applied, in the order in which they came to it. */
  eachMatch(run: string, take: (match: StoredMatch) => void): Promise<void>
  /** The newest first. */
  matches(run: string, filter?: MatchFilter): Promise<readonly MatchSummary[]>
  /** The record of a match by its number. */
  recordOf(match: number): Promise<MatchRecord>
  leaderboard(run: string): Promise<readonly StandingRow[]>
  /** Of every two that met, in the order of their indexes in the run: how often who was placed before whom. Playoffs do not count. */
  pairs(run: string): Promise<readonly PairCounts[]>
  page(run: string, entrant: number): Promise<BotPage>
}

/** Lists of matches for people, at the same cost however many there are: none of them looks at the whole run. */
export interface BrowseStore {
  browse(run: string, filter: BrowseFilter): Promise<BrowsePage>
  /** The runs that hold a match, the newest first; empty: there is no such match. */
  runsHolding(match: number): Promise<readonly string[]>
  /** How many matches a run has. */
  count(run: string): Promise<number>
}

/** What bots that live through a tournament hold on disk. It is written with the jobs that they play: `JobStore.record`. */
export interface CheckpointStore {
  /** What an entrant holds on disk in a tournament; undefined: nothing was ever kept of it. */
  kept(tournament: string, entrant: string): Promise<KeptFiles | undefined>
}

/** What one process of several that have the store open holds alone, such as a tournament whose bots remember it. */
export interface LeaseStore {
  /**
   * Acquires a lease and renews it until it is released or the store is closed. `key`: 32 hexadecimal digits. Returns who holds it
   * (a process's number), if another one does. A lease that is not renewed for a minute is free, and so is that of a process
   * that has certainly ended.
   */
  acquireLease(key: string): Promise<string | undefined>
  releaseLease(key: string): Promise<void>
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

/** What was done, and when. */
export interface LogStore {
  /** Notes what was done. Without a run: to the store as a whole. */
  note(run: string | undefined, what: string, detail: Readonly<Record<string, unknown>>): Promise<void>
  log(run: string): Promise<readonly LogEntry[]>
}

/** Whole runs as plain data, for archives. */
export interface DumpStore {
  dump(run: string): Promise<RunDump>
  jobs(run: string): AsyncIterable<JobDump>
  /** Adds a run from an archive; what is there already stays. Throws UserError where a match of it is there with another record. */
  load(dump: RunDump, jobs: () => AsyncIterable<JobDump>): Promise<void>
}

/** What entrants' folders hold, by the hash of their contents, so that a machine that has not the folder can build them. */
export interface SourceStore {
  /** Those of the hashes of which there is none. */
  lackingSources(hashes: readonly string[]): Promise<readonly string[]>
  /** Contents that are stored under that hash stay as they are. `data`: packed as the reader unpacks it. */
  saveSource(hash: string, data: Uint8Array): Promise<void>
  /** Undefined: there is none of that hash. Throws UserError where it is not as it was written. */
  source(hash: string): Promise<Uint8Array | undefined>
}

/** What has been played, and by whom: all of it. */
export interface Store
  extends
    RunStore,
    ExclusionStore,
    StderrStore,
    RatingStore,
    JobStore,
    MatchStore,
    RulingStore,
    BrowseStore,
    CheckpointStore,
    LeaseStore,
    LogStore,
    DumpStore {
  /** For a person: the file, or the server's URL without its password. */
  readonly where: string
  close(): Promise<void>
}

/** A store on a server, which many machines share. */
export interface ServerStore extends Store, SourceStore {
  /** The server's URL with its password. */
  readonly url: string
  /** The same connections, for the tables that workers and runs share. */
  readonly sql: Database
}

/** Whether a store is on a server. */
export const isOnServer = (store: Store): store is ServerStore => 'url' in store
