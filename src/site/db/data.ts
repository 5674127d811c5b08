import type { EntryState, HostedState } from '../../core/site-facts.js'
import type { Exclusion } from '../../store/index.js'

/** A contest that the site hosts. Its runs lie in the store of what was played. */
export interface HostedContest {
  readonly id: string
  /** The contest file's text. */
  readonly toml: string
  readonly title: string
  readonly game: string
  /** Of all its runs, so that what one has played the next one has too. Secret. */
  readonly seed: string
  /** ISO 8601. */
  readonly created: string
  readonly state: HostedState
  readonly why?: string
  /** The run that counts; absent: none has begun. */
  readonly run?: string
  /** Raised with each change of who plays. */
  readonly revision: number
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

/** One version of a bot that was entered. */
export interface SiteEntry {
  readonly id: string
  readonly contest: string
  /** The contestant's number. */
  readonly contestant: number
  /** The bot's, in the table. */
  readonly name: string
  /** Counted from 1 for each name. */
  readonly version: number
  readonly state: EntryState
  /** What was reported while it was built and checked. */
  readonly log: string
  /** What was entered beside its files, as JSON. */
  readonly spec: string
  /** Of its files. */
  readonly bytes: number
  /** ISO 8601. */
  readonly created: string
  /** The entrant's hash in the store; absent: it was never admitted. */
  readonly hash?: string
}

/** The same without its log, which may be long. */
export type EntryInfo = Omit<SiteEntry, 'log'>

/** Whether a version was built and checked, and plays: until then it is its owner's and the host's alone. */
export const isTaken = (state: unknown): boolean => state === 'playing' || state === 'placed'

/** Whether an entry keeps its name for its owner: it is being built, or was taken. A version that never played leaves the name to the next who asks for it. */
export const holdsName = ({ state, hash }: Pick<EntryInfo, 'state' | 'hash'>): boolean =>
  state !== 'rejected' || hash !== undefined

/** An entrant that is out of a contest, whichever of its runs counts. */
export interface SiteExclusion extends Exclusion {
  /** Of one that is withdrawn: the first version that was sent since. Once such a version is taken, the entrant is back. */
  readonly back?: number
}

/** Something that happened to a contest, beside its matches. */
export interface SiteEvent {
  /** Counted up, over all contests. */
  readonly id: number
  readonly contest: string
  readonly kind: string
  readonly data: unknown
}
