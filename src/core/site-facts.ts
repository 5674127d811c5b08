import type { OneSided } from './contest.js'
import type { FaultKind } from './faults.js'

/** What a site tells of its contests: the application gives it, the API carries it as JSON, the pages show it. Times are ISO 8601. */

export const HOSTED_STATES = ['created', 'playing', 'paused', 'finished', 'failed'] as const
/** created: never started; failed: it cannot be played as it is, `why` has the reason. */
export type HostedState = (typeof HOSTED_STATES)[number]

export const ENTRY_STATES = ['building', 'rejected', 'playing', 'placed'] as const
export type EntryState = (typeof ENTRY_STATES)[number]

/** A contest as lists show it. */
export interface ContestFacts {
  readonly id: string
  readonly title: string
  readonly game: string
  readonly state: HostedState
  /** Why it failed. */
  readonly why?: string
  /** The form of the tournament; absent: none of its runs has begun. */
  readonly format?: string
  readonly entrants: readonly string[]
  /** That have been played. */
  readonly matches: number
  /** All that it will have, as far as that is known. */
  readonly planned?: number
  /** Seconds until all are played, if it goes on as it did so far. */
  readonly left?: number
  /** A ladder on which nothing is left to play until another bot is entered. */
  readonly idle?: true
  /** A ladder that has begun as many matches as it may in an hour: when it goes on; absent: it waits for no such thing. */
  readonly budget?: { readonly hourly: number; readonly until: string }
  /** Series of bots that remember that are being played: their matches count once a series is over. */
  readonly series?: { readonly playing: number; readonly matches: number }
  readonly created: string
  readonly ended?: string
  /** False: it was played from the command line, and is only shown here. */
  readonly hosted: boolean
  /** People may become contestants without asking the host. */
  readonly signup?: boolean
  /** False: people cannot play against its entrants. */
  readonly sittings?: boolean
  /** Raised with each change of who plays. */
  readonly revision: number
  /** Why no worker plays it on; absent: it does not wait for one. */
  readonly waits?: string
}

/** A bot that is tried before it is entered, as its owner sees it. */
export interface DraftFacts {
  readonly id: string
  readonly contest: string
  readonly name: string
  /** rejected: the log says why; ready: it can be tried, and entered. */
  readonly state: 'building' | 'rejected' | 'ready'
  /** What was said while it was built and checked. */
  readonly log: string
  /** When it is removed. */
  readonly until: string
}

/** A match as lists show it. */
export interface MatchFacts {
  readonly id: number
  /** Its place in the tournament, '1/Ant-Bee/3'. */
  readonly key: string
  /** By seat. */
  readonly seats: readonly {
    readonly name: string
    /** Of a bot that was entered: which of its versions played. */
    readonly version?: number
    readonly place: number
    readonly faults: readonly FaultKind[]
  }[]
  readonly reason: string
  /** Steps. */
  readonly turns: number
  readonly at: string
}

/** A version of a bot that was entered. */
export interface VersionFacts {
  readonly id: string
  readonly version: number
  readonly state: EntryState
  /** When it was entered. */
  readonly at: string
  /** In the last run in which it played. */
  readonly matches?: number
  readonly points?: number
  /** Elo points around the average of the field of that run, and half of their 95 % interval. */
  readonly rating?: number
  readonly half?: number
  /** Instead of half an interval: the one end that it has. */
  readonly bound?: OneSided
  /** Rating beside the version before it that has one. */
  readonly change?: number
}

/** How long an entrant took, over its newest matches. Times are microseconds of wall time. */
export interface AnswerTimes {
  readonly n: number
  readonly median: number
  readonly p99: number
  readonly max: number
  /** Milliseconds that an answer may take, where the contest says. */
  readonly limit: number | null
  /** Answers by classes of time whose ends double, in order. */
  readonly classes: readonly { readonly below: number; readonly n: number }[]
}

/** How an entrant stands in the table of a contest. */
export interface StandingFacts {
  readonly name: string
  readonly points: number
  readonly matches: number
  readonly wins: number
  readonly draws: number
  readonly losses: number
  readonly faults: Readonly<Partial<Record<FaultKind, number>>>
  readonly author?: string
}

/** An entrant of a contest, as its own page shows it. */
export interface EntrantFacts extends StandingFacts {
  /** null: it is not in the table. */
  readonly rank: number | null
  /** Against whom: how often it was placed ahead, level and behind. */
  readonly opponents: readonly {
    readonly name: string
    readonly ahead: number
    readonly level: number
    readonly behind: number
  }[]
  /** The newest win of each of the strongest that it beat, and the newest loss to each of the weakest that beat it. */
  readonly best: readonly MatchFacts[]
  readonly worst: readonly MatchFacts[]
  /** The oldest first; empty: it was not entered. */
  readonly versions: readonly VersionFacts[]
  /** Absent where no time is known. */
  readonly times?: AnswerTimes
}
