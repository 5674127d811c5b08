import type { Entrant, FaultKind, Result, Run, FaultAt, Match } from '../core/index.js'

/** What a bot keeps on disk, as its transport took it: files by name, base64. */
export type Snapshot = Readonly<Record<string, string>>

/** What an entrant that remembers holds on disk. */
export interface KeptFiles {
  /** After its last committed job. */
  readonly now: Snapshot
  /** When the process that it lives in was first started anew after trouble; absent: it began with nothing. */
  readonly start?: Snapshot
}

export const RUN_STATES = ['open', 'paused', 'finished'] as const
/** open: under way, or interrupted; paused: the process that plays it waits. */
export type RunState = (typeof RUN_STATES)[number]

/** A run with what has become of it. */
export interface StoredRun extends Run {
  readonly state: RunState
  /** ISO 8601. */
  readonly ended?: string
  /** How many of its matches lie in the store. */
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

/** A match as lists show it. */
export interface MatchSummary {
  /** The store's own number, in the order of arrival. */
  readonly id: number
  /** Its place in the tournament, '1/Ant-Bee/3'. */
  readonly place: string
  /** By seat: the entrant's index in the run. */
  readonly seats: readonly number[]
  readonly outcome: Result['outcome']
  /** ISO 8601. */
  readonly at: string
}

/** A match as a run's tables, rankings and lists need it, rulings applied. Equal outcomes and seatings are shared. */
export interface StoredMatch {
  /** The store's own number. */
  readonly id: number
  /** Its place in the tournament, '1/Ant-Bee/3'. */
  readonly key: string
  readonly seats: readonly number[]
  readonly outcome: Result['outcome']
  readonly playoff: boolean
  /** Steps. */
  readonly turns: number
  /** A digest of all that was answered, below 2⁵²: of the same seats with the same one, it is the same game again. */
  readonly course: number
  /** A digest of the deal of luck, below 2⁵². */
  readonly luck: number
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
/** How an entrant fared against another: who was placed before whom. */
export interface PairRow {
  readonly opponent: number
  readonly name: string
  readonly ahead: number
  readonly level: number
  readonly behind: number
}
/** How an entrant stands, and fared against each other one. */
export interface BotPage {
  readonly standing: StandingRow
  readonly pairs: readonly PairRow[]
}

export const EXCLUSIONS = ['withdrawn', 'disqualified'] as const
/** Why an entrant is out of a run, and what becomes of its matches. */
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
  /** The agon that did it. */
  readonly agon: string
  /** 'began', 'finished', 'disqualified', 'void', … */
  readonly what: string
  readonly detail: Readonly<Record<string, unknown>>
}

/** A rating of one kind with its interval. */
export interface RatingRow {
  readonly entrant: number
  readonly kind: string
  readonly value: number
  readonly low: number
  readonly high: number
}

/** A matching of matches for lists. */
export interface MatchFilter {
  /** The entrant's index in the run. */
  readonly entrant?: number
  /** Only those in which it was not first. */
  readonly lost?: boolean
  /** The newest so many; absent: all. */
  readonly last?: number
}

/** Which of a run's matches a page of a list shows. Entrants are named by their index in the run. */
export interface BrowseFilter {
  readonly entrant?: number
  /** Sat in the match too. */
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
/** A match in such a list. */
export interface BrowsedMatch extends MatchSummary {
  /** Steps. */
  readonly turns: number
  readonly faults: readonly FaultAt[]
}
export interface BrowsePage {
  readonly matches: readonly BrowsedMatch[]
  /** The place to go on before; absent: there are no more. A page may hold fewer than its limit, or none, and still have one. */
  readonly next?: number
  /** How many matches the run has. */
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
/** A job as an archive has it. */
export interface JobDump {
  readonly key: string
  readonly matches: readonly (Match & { readonly at: string })[]
}
