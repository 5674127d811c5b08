import type {
  EntrantFacts,
  FaultKind,
  FormatSpec,
  MatchRecord,
  Move,
  Options,
  ScoringSpec,
  Standing,
  Standings,
} from '../core/index.js'
import type { EvaluatedMatch } from '../lab/index.js'
import type { Doubt } from '../text/index.js'

/**
 * What a report shows, as one JSON document. Entrants are named by their index in `entrants`, which stands in the contest's
 * order. `src/results` makes it, the page reads it; matches and records travel beside it, compressed.
 */
export interface ReportDocument {
  readonly report: 1
  readonly agon: string
  readonly title: string
  readonly game: { readonly id: string; readonly title: string; readonly summary: string }
  readonly seed: string
  readonly over: boolean
  readonly options: Options
  readonly format: FormatSpec
  readonly scoring: ScoringSpec
  readonly entrants: readonly ReportEntrant[]
  readonly standings: ReportStandings
  readonly crosstable: ReportCrosstable
  /** Absent where there is but one round and one repetition. */
  readonly rounds?: ReportRounds
  readonly ratings?: ReportRatings
  /** By entrant. */
  readonly faults: readonly Partial<Readonly<Record<FaultKind, number>>>[]
  /** Entrants that do not play, in the contest's order; absent: all play. */
  readonly leftOut?: readonly ReportLeftOut[]
  /** By entrant; null where no time is known. */
  readonly timing: readonly (ReportTiming | null)[]
  /** By entrant what its bot printed of itself; absent: no bot did. */
  readonly printed?: readonly (readonly ReportPrinted[])[]
  readonly matches: {
    readonly total: number
    /** How many of them, the newest, are in the page. */
    readonly kept: number
    readonly pack: number
    /** Whether the records bring their positions along: the page does not know this game's rules. */
    readonly positions: boolean
    /** Of how many, the newest, the positions are in the page; absent: of all that are kept. */
    readonly drawn?: number
    /** On how many of them ratings and rounds rest, which are computed aside while matches are played; absent: on all. */
    readonly rated?: number
  }
}

export interface ReportEntrant extends EntrantFacts {
  readonly name: string
  readonly remote?: true
  /** Milliseconds that a question may take. */
  readonly limit: number
}

/** An entrant that could not be built, or gave no answer. Both texts may hold a stranger's words. */
export interface ReportLeftOut {
  readonly name: string
  readonly why: string
}

export type ReportStandings = Omit<Standings, 'rows'> & { readonly rows: readonly Omit<Standing, 'name'>[] }

export interface ReportMeeting {
  readonly n: number
  readonly wins: number
  readonly draws: number
  readonly losses: number
  readonly points: number
}
export interface ReportCrosstable {
  /** Entrants from the first of the table to the last. */
  readonly order: readonly number[]
  /** Matches of more than two: points are how often one finished ahead of the other, a draw for a half. */
  readonly ahead: boolean
  /** Scores count: points are mean scores. */
  readonly scores?: true
  /** `meetings[i][j]`: how `order[i]` did against `order[j]`; null where they have not met. */
  readonly meetings: readonly (readonly (ReportMeeting | null)[])[]
}

export interface ReportRounds {
  readonly unit: 'round' | 'repetition'
  readonly labels: readonly string[]
  /** Points by entrant and column; null where the entrant did not play. */
  readonly points: readonly (readonly (number | null)[])[]
  /** Where points are mean scores: over how many matches each. */
  readonly matches?: readonly (readonly number[])[]
}

export interface ReportRatings {
  /** 'Bradley–Terry' or another model, for a heading. */
  readonly model: string
  /** Ratings are mean scores with intervals by Student's t; absent: strengths in Elo units. */
  readonly scores?: true
  /** Results decided who met whom: `first` and `ranks` go by strength, and not by the contest's own rule. */
  readonly byStrength?: true
  /** Results decided who met whom: `first` and `ranks` are how the contest would come out if it were held again. */
  readonly again?: true
  /** Means are against unlike opponents and are not compared. */
  readonly unlike?: true
  /** Why no order is called sure: rows have neither `first` nor `ranks`, and `superiority` is empty. */
  readonly doubt?: Doubt
  /** Of the intervals: 0.95. */
  readonly confidence: number
  /** By entrant; in Elo units around the average of the field. */
  readonly rows: readonly {
    readonly rating: number
    /** null: nothing tells how results vary. */
    readonly low: number | null
    readonly high: number | null
    /** The probability of the first place, or between which two it is; and from which rank to which: by points or means, `byStrength` or `again`. */
    readonly first?: number | readonly [low: number, high: number]
    readonly ranks?: readonly [best: number, worst: number]
    /** Why the rating rests on the prior: 'unbeaten', 'winless', 'unconnected'; 'out': none of its matches counts. */
    readonly flags: readonly string[]
  }[]
  /** How probable it is that an entrant is stronger than the next one, by the ratings' own order. */
  readonly superiority: readonly { readonly better: number; readonly worse: number; readonly probability: number }[]
  /** Of all pairs of `order`: how probable it is that the one of the row is better than the one of the column; absent in large fields. */
  readonly before?: { readonly order: readonly number[]; readonly above: readonly (readonly number[])[] }
  /** What sitting first is worth, in Elo; absent where nothing tells it from strength. */
  readonly seat?: { readonly value: number; readonly low: number; readonly high: number }
  /** How many matches were not a repetition of one before. */
  readonly distinct: number
}

export interface ReportTiming {
  readonly n: number
  /** Microseconds of wall time. */
  readonly median: number
  readonly p99: number
  readonly max: number
}

/** A figure that a bot printed of itself: the mean over its matches of the mean of each. */
export interface ReportPrinted {
  readonly name: string
  readonly mean: number
  readonly matches: number
}

/** A match in the list: key, entrants by seat, places by seat, reason, turns, faults by seat (absent: none). */
export type MatchRow = readonly [
  key: string,
  seats: readonly number[],
  places: readonly number[],
  reason: string,
  turns: number,
  faults?: readonly number[],
]

/** A record with, where the page cannot know the rules, what follows from it. */
export interface PackedMatch {
  readonly record: MatchRecord
  readonly positions?: ComputedMatch
  /** It is still being played: the record has no end, and grows. */
  readonly live?: true
}
export interface ComputedMatch {
  /** The position as text, before the first turn and after each. */
  readonly boards: readonly string[]
  /** What matters of a seat in each position, by position and seat, in the game's words: '2 rounds'. Absent: the game says nothing. */
  readonly figures?: readonly (readonly string[])[]
  /** The positions as the game's viewer draws them: SVG or HTML of a stranger. Absent: it has none, or it drew too much. */
  readonly pictures?: readonly string[]
  readonly moves: readonly (readonly (Move<string> | null)[])[]
  /** Its bots may say something beside their actions. */
  readonly say?: boolean
  /** What positions and moves are worth; absent: the game has no solution. */
  readonly evaluation?: EvaluatedMatch
}
