import type { BotParameters } from './bot.js'
import type { Options, Outcome } from './game.js'
import type { Memory } from './wire.js'

/** The tournament's form, as the contest file gives it. */
export interface FormatSpec {
  /** One of the kinds that `src/tournament` lists. */
  readonly kind: string
  /**
   * Matches a pair (round-robin, gauntlet, hill), rounds (ordered-pairs), duels a pair and round (last-standing), deals
   * (free-for-all), Latin squares a group (groups), heats in each seat (heats), matches a pairing (swiss: all;
   * eliminations: the best of so many), meetings of a pair at most (ladder).
   */
  readonly repetitions: number
  /** A deal is also played in other orders of seats: both of two, all rotations of more (ordered-pairs always). */
  readonly swap: boolean
  /**
   * Duels between those tied for first place, drawn ones repeated up to this often; 0: none (round-robin,
   * ordered-pairs). Eliminations: so many more matches if a pairing is level.
   */
  readonly playoff: number
  /** Players a group (groups) or match (heats); absent: the game's fewest seats. */
  readonly size?: number
  /** Rounds (swiss); absent: as many as an elimination has. */
  readonly rounds?: number
  /** How many stand on the hill (hill); absent: 10. */
  readonly places?: number
  /** Matches that settle a newcomer's place at the latest (ladder); absent: 60. */
  readonly placing?: number
  /** Matches an hour at most on a site (ladder); absent: any number. */
  readonly hourly?: number
  /** Names of entrants that play all others (gauntlet); absent: the last entrant. */
  readonly challengers?: readonly string[]
  /** First pairings (swiss, eliminations): by the contest's order, strongest first, or by lot; absent: by order. */
  readonly seeding?: 'order' | 'lot'
  /** An entrant has all seats of a team: teams meet. Absent: each entrant has a seat. */
  readonly by?: 'team'
  /** With `by`: as the game says. */
  readonly teams?: Teams
  /** Entrants also meet themselves, as often as any other; only by score (round-robin, ordered-pairs). */
  readonly self?: boolean
  /** Repetitions if started by the game's bare name, for a first look. */
  readonly quick?: number
  /** Plays matches that matter until places are decided (round-robin, ordered-pairs, groups); absent: plays all. */
  readonly settle?: SettleSpec
}
/** When a tournament that is played until settled ends. */
export interface SettleSpec {
  /** How many places, from the first, to decide; absent: all. */
  readonly top?: number
  /** The probability that they are right; absent: 0.95. */
  readonly confidence?: number
  /** Matches at most; absent: four times the format's own number. */
  readonly budget?: number
}

/** By a number of seats: by seat, which team it is of. */
export type Teams = Readonly<Record<number, readonly number[]>>

export interface ScoringSpec {
  /** What counts: wins, draws and losses, or the game's scores; absent: wins. */
  readonly by?: 'wins' | 'score'
  /** By score: a match counts its score, or its score a turn; absent: its score. */
  readonly per?: 'match' | 'turn'
  /** By score: points are the mean of matches, or their sum; absent: the mean. */
  readonly of?: 'mean' | 'total'
  /** By place, the best first: scores that count instead of the game's (`by` is "score"). */
  readonly points?: readonly number[]
  readonly win: number
  readonly draw: number
  readonly loss: number
  /** As the game says, if each entrant has one seat. Absent: all play alone. */
  readonly teams?: Teams
  /** What decides between equal points, in order: the sum of a game's tally over all matches or those won. */
  readonly ties: readonly TieBreak[]
}
export interface TieBreak {
  /** A key of `Outcome.tally`. */
  readonly tally: string
  readonly of: 'all' | 'won'
  /** The column's heading. */
  readonly name: string
}

/** A match that the tournament wants. Entrants are indices in the contest. */
export interface Pairing {
  /** Unique in the tournament: place in it and entrants' names, '1/Ant-Bee/3'. */
  readonly key: string
  /** By seat. */
  readonly seats: readonly number[]
  /** Which deal among these entrants, in any order: one series, of shared luck if no entrant remembers between. */
  readonly deal: number
}
/** The matches of the same entrants, in order, in one sitting. */
export interface Series {
  readonly key: string
  readonly pairings: readonly Pairing[]
}
/** Series that may all be played now, in the schedule's order. */
export interface Round {
  /** For people: 'round 3', 'playoff 1'. */
  readonly label: string
  readonly series: readonly Series[]
}
/** A pairing with how it ended. */
export interface Result {
  readonly key: string
  readonly seats: readonly number[]
  readonly outcome: Outcome
  /** A digest of all answers, if known: equal for equal seats means the same game again. */
  readonly course?: string
  /** How many steps the match had, where it is known. */
  readonly turns?: number
}

export interface Standing {
  /** 1 is best; joint winners share a rank. */
  readonly rank: number
  readonly entrant: number
  readonly name: string
  readonly points: number
  /** Beside the points, by `Standings.columns`; null where none applies (a round after elimination). */
  readonly cells: readonly (number | null)[]
  /** What is known if matches bound the points on one side only (± would be endless); in that column. */
  readonly bound?: OneSided
  /** 'withdrawn' or 'disqualified'; absent: it plays. */
  readonly out?: string
}

/** The end of a 95 % interval that has no other end. */
export type OneSided = { readonly below: number } | { readonly above: number }

export interface Standings {
  /** Headings of `Standing.cells`: rounds ('1', …) or tie-breaks ('Life'). */
  readonly columns: readonly string[]
  readonly rows: readonly Standing[]
  /** What decided beside points: 'Ant won the playoff', 'joint winners'. */
  readonly notes: readonly string[]
}

/** A tournament as pure functions of `results`, which may grow between calls, but not in past rounds. */
export interface Tournament {
  /** The next round, once `results` has all matches before it; undefined: the tournament is over. */
  next(results: ReadonlyMap<string, Result>): Round | undefined
  /** The table so far: also in the middle of a round. */
  standings(results: ReadonlyMap<string, Result>): Standings
  /** Matches in all: exact, or the most there can be. */
  total(results: ReadonlyMap<string, Result>): number
  /** Why one played until settled ended; undefined: it goes on. Absent in others. */
  stopped?(results: ReadonlyMap<string, Result>): Stopped | undefined
}
/** Why a tournament played until settled ended, and how sure its first places are. */
export interface Stopped {
  readonly reason: 'settled' | 'budget'
  /** The greatest at which all the places asked for are decided. */
  readonly confidence: number
  /** How many places were asked for, and how many from the first are decided at that confidence. */
  readonly places: number
  readonly decided: number
  /** Matches at most; and how many the format has by itself. */
  readonly budget: number
  readonly plain: number
  /** Whether the confidence holds for any law of results, or only as matches are many. */
  readonly exact: boolean
}

/** What `src/tournament` turns into a `Tournament`. */
export interface TournamentSpec {
  readonly format: FormatSpec
  readonly scoring: ScoringSpec
  /** Entrants' names, unique, in the contest's order. */
  readonly names: readonly string[]
  readonly seed: string
  /** Of the game. */
  readonly seats: { readonly min: number; readonly max: number }
  /** Bounds of the game's scores, if it says them and they matter; absent: unknown. */
  readonly scores?: { readonly min: number; readonly max: number }
  /** Some entrant lives through the whole tournament: sittings are single duels in shuffled order. */
  readonly shuffled: boolean
  /** The game has no chance: equal answers from equal seats are the same match. Absent: it may have. */
  readonly chanceless?: boolean
  /** Entrants that are out: they keep their places, but do not win. Absent: none. */
  readonly out?: readonly number[]
  /** Meetings taken over from an earlier run of the contest, by entrants' indices (ladder). Absent: none. */
  readonly history?: readonly (readonly [a: number, b: number, meetings: number])[]
  /** Which pairs play (a run of some entrants against some); absent: all. */
  readonly wanted?: (entrants: readonly number[]) => boolean
  /** Entrants that meet nobody until they are back (ladder); absent: none. */
  readonly away?: (entrant: number) => boolean
}

/** Who wrote it, that person's country (ISO 3166-1 alpha-2), its language, and what it does in a sentence. */
export const FACTS = ['author', 'country', 'language', 'synopsis'] as const

/** What people read of an entrant; nothing in it changes its play. */
export type EntrantFacts = { readonly [fact in (typeof FACTS)[number]]?: string }

/** These alone, of anything that has them. */
export const entrantFacts = (from: EntrantFacts): EntrantFacts =>
  Object.fromEntries(FACTS.flatMap((fact) => (from[fact] === undefined ? [] : [[fact, from[fact]]])))

/** An entrant as its file or the contest's gives it, paths unresolved. */
export interface EntrantSpec extends EntrantFacts {
  readonly name: string
  readonly command?: readonly string[]
  readonly module?: string
  /** What its module is given. */
  readonly with?: BotParameters
  readonly class?: string
  readonly house?: string
  readonly wire?: string
  /** Commands, in order. */
  readonly build?: readonly (readonly string[])[]
  readonly folder?: string
  readonly memory?: Memory
  /** It has no chance, and answers the same to the same. */
  readonly deterministic?: boolean
  /** False: its interpreter is started afresh each turn. */
  readonly warm?: boolean
  /** The version of a bot that may be entered again, from 1; each has its own luck (`luckName`). */
  readonly version?: number
  /** What a worker must have to play it, where workers play. */
  readonly labels?: readonly string[]
  /** It plays on its author's machine, connected to the site: no file says so. */
  readonly remote?: true
}

/** A contest's settings for the site that hosts it. */
export interface SiteRules {
  /** Anybody may become a contestant, not only whom the host lets in. */
  readonly signup?: boolean
  /** False: people cannot play against its entrants. */
  readonly sittings?: boolean
  /** Once it is over, everybody may read sources, logs and bots' standard error. */
  readonly publish?: boolean
  /** Bots on their authors' machines may be connected. */
  readonly remote?: boolean
  /** Seconds for such a bot to be back after its connection breaks; absent: 30. */
  readonly reconnect?: number
  /** What its page tells everybody. */
  readonly notice?: string
}

/** A validated contest. */
export interface Contest {
  readonly title: string
  readonly game: string
  readonly seed?: string
  readonly options: Options
  readonly format: FormatSpec
  readonly scoring: ScoringSpec
  /** Milliseconds by name, over the wire's own; `output`: bytes of an answer at most. */
  readonly limits: Readonly<Record<string, number>>
  /** Steps of a match at most, as of a game that never ends; absent: 100,000. */
  readonly steps?: number
  readonly memory?: Memory
  /** Bots that remember nothing get a new sandbox each turn. */
  readonly strictMemory?: boolean
  /** Workers play an entrant even if their build of its source differs. */
  readonly mixedBuilds?: boolean
  /** Entrants a person may enter, house bots apart; absent: any number. */
  readonly entriesPerAuthor?: number
  /** What holds where a site hosts it; absent: nothing was set. */
  readonly site?: SiteRules
  /** Names: only these play, in a run of its own; absent: all. */
  readonly only?: readonly string[]
  /** Names: entrants of `only` meet these, which do not meet each other. */
  readonly against?: readonly string[]
  /** Faults that disqualify an entrant; absent: none do. */
  readonly maxFaults?: number
  readonly entrants: readonly EntrantSpec[]
}
