import type { MatchRecord } from '../../core/index.js'
import type { Exclusion } from '../../store/index.js'
import type { EntryState } from '../../core/site-facts.js'
import type { Contestant, EntryInfo, HostedContest, SiteEntry, SiteEvent, SiteExclusion } from './data.js'

/**
 * What a site knows beside what was played: its contests, who may enter, what was entered, what happened. It lies in a file of its own
 * beside the store. Tokens are kept as hashes alone. Each method that writes is one transaction, on disk when its promise is kept.
 */
export interface SiteStore {
  /** The hash of the host's token; undefined: there is none yet. */
  hostHash(): Promise<string | undefined>
  setHostHash(hash: string): Promise<void>

  addContest(contest: HostedContest): Promise<void>
  /** The newest first. */
  contests(): Promise<readonly HostedContest[]>
  contest(id: string): Promise<HostedContest | undefined>
  /** False, and nothing is changed: `revision` is given, and is not the contest's any more. */
  changeContest(id: string, change: ContestChange, revision?: number): Promise<boolean>

  /** Undefined: the contest has a contestant of a name like that already. `alike`: whether two names are one; absent: where they are equal. */
  addContestant(
    contest: string,
    name: string,
    hash: string,
    made: string,
    alike?: (one: string, other: string) => boolean,
  ): Promise<Contestant | undefined>
  /** Gives a contestant another token. False: there is none of that name. */
  renewContestant(contest: string, name: string, hash: string, made: string): Promise<boolean>
  /** From then on a contestant's token is unknown. False: there is none of that name. */
  revokeContestant(contest: string, name: string, revoked: string): Promise<boolean>
  /** Whose token it is that has not been revoked. */
  contestantByHash(hash: string): Promise<Contestant | undefined>
  contestants(contest: string): Promise<readonly Contestant[]>

  /**
   * Adds the next version of a bot. Undefined: its name is another contestant's. `refuse` is given what is there, and throws where it may not
   * be added: nothing comes between that look and the entry. A bot that is withdrawn is back once this version, or a later one, is taken.
   */
  addEntry(
    entry: Omit<SiteEntry, 'version'>,
    refuse?: (all: readonly EntryInfo[], out: readonly Exclusion[]) => void,
  ): Promise<SiteEntry | undefined>
  entry(id: string): Promise<SiteEntry | undefined>
  /** The oldest first. */
  entries(contest: string): Promise<readonly EntryInfo[]>
  /** The oldest first: those that have played. */
  versions(
    contest: string,
  ): Promise<readonly { readonly name: string; readonly version: number; readonly hash: string }[]>
  /** One that was being built and plays now is taken. */
  changeEntry(id: string, change: EntryChange): Promise<void>

  /** Of entrants that are out of a contest, whichever of its runs counts. */
  exclusions(contest: string): Promise<readonly SiteExclusion[]>
  /** Versions that were sent before this do not bring it back. */
  exclude(contest: string, exclusion: Exclusion): Promise<void>

  /** Keeps the record of a person's match; of very many the oldest are dropped. */
  addSitting(id: string, game: string, record: MatchRecord): Promise<void>
  sitting(id: string): Promise<MatchRecord | undefined>

  /** Returns its number. */
  addEvent(contest: string, kind: string, data: unknown): Promise<number>
  /** The oldest first. */
  eventsAfter(contest: string, id: number, limit: number): Promise<readonly SiteEvent[]>
  /** The number of the newest event; 0: there is none. */
  newestEvent(contest: string): Promise<number>

  close(): void
}

export interface ContestChange extends Partial<Pick<HostedContest, 'state' | 'run' | 'revision' | 'toml' | 'title'>> {
  /** null: nothing keeps it from being played any more. */
  readonly why?: string | null
}
export interface EntryChange {
  readonly state?: EntryState
  /** Takes the place of the log that was there. */
  readonly log?: string
  readonly hash?: string
}
