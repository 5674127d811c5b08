import type { BotParameters } from './bot.js'
import type { Options, Outcome } from './game.js'
import type { Memory } from './wire.js'

/** The tournament's form, as the contest file gives it. */
export interface FormatSpec {
  /** One of the kinds that `src/tournament` lists. */
  readonly kind: string
  /**
   * Matches a pair (round-robin, gauntlet, hill), rounds (ordered-pairs), duels a pair and round (last-standing), deals
   * (free-for-all), Latin squares a group (groups), heats in each seat (heats), matches a pairing (swiss: all are played;
   * eliminations: the best of so many), meetings of a pair at most (ladder).
   */
  readonly repetitions: number
  /** A deal is played in other orders of seats, too: both of two, as many rotations as seats of more (ordered-pairs always). */
  readonly swap: boolean
  /**
   * A tie for the first place is settled by duels between those at the top, drawn ones played again up to this many times; 0:
   * no playoff (round-robin, ordered-pairs). In an elimination: so many further matches if a pairing is level.
   */
  readonly playoff: number
  /** Players a group (groups) or match (heats); absent: the game's smallest number of seats. */
  readonly size?: number
  /** Rounds (swiss); absent: as many as an elimination would take. */
  readonly rounds?: number
  /** How many stand on the hill (hill); absent: 10. */
  readonly places?: number
  /** Matches after which a newcomer's place is settled at the latest (ladder); absent: 60. */
  readonly placing?: number
  /** Matches an hour at most, where a site plays it (ladder); absent: any number. */
  readonly hourly?: number
  /** Names of the entrants that play against all others (gauntlet); absent: the last entrant. */
  readonly challengers?: readonly string[]
  /** Who is paired with whom at first (swiss and eliminations): by the contest's order, the strongest first, or by lot; absent: by order. */
  readonly seeding?: 'order' | 'lot'
  /** An entrant has all seats of a team, so that a match is one of teams; absent: each entrant has a seat. */
  readonly by?: 'team'
  /** With `by`: as the game says. */
  readonly teams?: Teams
  /** Every entrant also meets itself, as often as any other; by score alone (round-robin, ordered-pairs). */
  readonly self?: boolean
  /** Repetitions when the contest is started by its game's bare name, for a first look. */
  readonly quick?: number
  /** Matches are chosen where they matter until places are decided (round-robin, ordered-pairs, groups); absent: all are played. */
  readonly settle?: SettleSpec
}
/** When a tournament that is played until settled ends. */
export interface SettleSpec {
  /** How many places, from the first, are to be decided; absent: the whole order. */
  readonly top?: number
  /** The probability that they are right; absent: 0.95. */
  readonly confidence?: number
  /** Matches at most; absent: four times as many as the format has by itself. */
  readonly budget?: number
}

/** By a number of seats: by seat, which team it is of. */
export type Teams = Readonly<Record<number, readonly number[]>>

export interface ScoringSpec {
  /** Whether wins, draws and losses count, or the scores that the game gives; absent: wins. */
  readonly by?: 'wins' | 'score'
  /** By score: a match counts its score, or its score divided by its turns; absent: its score. */
  readonly per?: 'match' | 'turn'
  /** By score: points are the mean over one's matches, or their sum; absent: the mean. */
  readonly of?: 'mean' | 'total'
  /** By place, the first being the best: these are the scores that count, and not the game's (`by` is "score"). */
  readonly points?: readonly number[]
  readonly win: number
  readonly draw: number
  readonly loss: number
  /** As the game says, if each entrant has a seat of its own. Absent: everyone plays alone. */
  readonly teams?: Teams
  /** What decides between equal points, in order: the sum of a tally of the game over all matches or over those won. */
  readonly ties: readonly TieBreak[]
}
export interface TieBreak {
  /** A key of `Outcome.tally`. */
  readonly tally: string
  readonly of: 'all' | 'won'
  /** The column's heading. */
  readonly name: string
}

/** One match that the tournament wants played. Entrants are named by their index in the contest. */
export interface Pairing {
  /** Unique in the tournament, made of the place in it and the entrants' names: '1/Ant-Bee/3'. */
  readonly key: string
  /** By seat. */
  readonly seats: readonly number[]
  /** Which deal among these entrants, in any order: its matches are one series, and share luck if no entrant remembers between them. */
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
  /** A digest of all that was answered, where it is known: the same for the same seats is the same game again. */
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
  /** What stands beside the points, in the order of `Standings.columns`; null where it does not apply (a round after one's elimination). */
  readonly cells: readonly (number | null)[]
  /** What is known where matches bound the points on one side only, so that a ± would be endless; it is shown in that column. */
  readonly bound?: OneSided
  /** 'withdrawn' or 'disqualified'; absent: it plays. */
  readonly out?: string
}

/** The end of a 95 % interval that has no other end. */
export type OneSided = { readonly below: number } | { readonly above: number }

export interface Standings {
  /** Headings of `Standing.cells`: rounds ('1', '2', …) or tie-breaks ('Life'). */
  readonly columns: readonly string[]
  readonly rows: readonly Standing[]
  /** What decided, where it was not the points alone: 'Ant won the playoff', 'joint winners'. */
  readonly notes: readonly string[]
}

/** A tournament as pure functions of what was played: `results` may grow between calls, but not in rounds that are over. */
export interface Tournament {
  /** The next round, once every match of the rounds before it is in `results`; undefined: the tournament is over. */
  next(results: ReadonlyMap<string, Result>): Round | undefined
  /** The table so far: also in the middle of a round. */
  standings(results: ReadonlyMap<string, Result>): Standings
  /** How many matches it will have been: exact, or the most it can become. */
  total(results: ReadonlyMap<string, Result>): number
  /** Why one that is played until settled has ended; undefined: it goes on. Absent in all others. */
  stopped?(results: ReadonlyMap<string, Result>): Stopped | undefined
}
/** Why a tournament that is played until settled has ended, and how sure its first places are. */
export interface Stopped {
  readonly reason: 'settled' | 'budget'
  /** The greatest at which all the places asked for are decided. */
  readonly confidence: number
  /** How many places were asked for, and how many from the first are decided at the asked confidence. */
  readonly places: number
  readonly decided: number
  /** Matches at most; and how many the format has by itself. */
  readonly budget: number
  readonly plain: number
  /** Whether the confidence holds whatever the law of the results: else it does as matches are many. */
  readonly exact: boolean
}

/** What makes a tournament: `src/tournament` turns it into a `Tournament`. */
export interface TournamentSpec {
  readonly format: FormatSpec
  readonly scoring: ScoringSpec
  /** Entrants' names, unique, in the contest's order. */
  readonly names: readonly string[]
  readonly seed: string
  /** Of the game. */
  readonly seats: { readonly min: number; readonly max: number }
  /** Between which numbers the game's scores lie, where it says so and it matters; absent: nothing is known. */
  readonly scores?: { readonly min: number; readonly max: number }
  /** Some entrant lives through the whole tournament: single duels in shuffled order are then the sittings. */
  readonly shuffled: boolean
  /** The game has no chance: the same answers from the same seats are the same match again. Absent: it may have. */
  readonly chanceless?: boolean
  /** Entrants that are out: they keep their places, and none of them has won. Absent: none is. */
  readonly out?: readonly number[]
  /** Meetings of an earlier run of the same contest, by the entrants' indices: they are taken over (ladder). Absent: none. */
  readonly history?: readonly (readonly [a: number, b: number, meetings: number])[]
  /** Pairs are played only where this says so (a run of some entrants against some); absent: all. */
  readonly wanted?: (entrants: readonly number[]) => boolean
  /** Entrants that are not there now, and meet nobody until they are back (ladder); absent: all are there. */
  readonly away?: (entrant: number) => boolean
}

/** The person who wrote it, where that person is from (ISO 3166-1 alpha-2), its language, and what it does in a sentence. */
export const FACTS = ['author', 'country', 'language', 'synopsis'] as const

/** What people read of an entrant beside its name. It changes nothing of how it plays. */
export type EntrantFacts = { readonly [fact in (typeof FACTS)[number]]?: string }

/** These alone, of anything that has them. */
export const entrantFacts = (from: EntrantFacts): EntrantFacts =>
  Object.fromEntries(FACTS.flatMap((fact) => (from[fact] === undefined ? [] : [[fact, from[fact]]])))

/** One entrant, as its file or the contest's gives it, paths not yet resolved. */
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
  /** True: it has no chance, and answers the same whenever it is sent the same. */
  readonly deterministic?: boolean
  /** False: its interpreter is started afresh each turn. */
  readonly warm?: boolean
  /** Which version of a bot that may be entered again, from 1: a later one has luck of its own (`luckName`). */
  readonly version?: number
  /** What a worker must have to play it, where workers play. */
  readonly labels?: readonly string[]
  /** It plays on its author's machine, and is connected to the site: no file says so. */
  readonly remote?: true
}

/** A contest's settings for the site that hosts it. */
export interface SiteRules {
  /** Anybody may become a contestant, not those alone whom the host lets in. */
  readonly signup?: boolean
  /** False: people cannot play against its entrants. */
  readonly sittings?: boolean
  /** Once it is over, sources, logs and what bots wrote to standard error are everybody's to read. */
  readonly publish?: boolean
  /** Bots on their authors' machines may be connected. */
  readonly remote?: boolean
  /** Seconds within which such a bot has to be back where its connection breaks; absent: 30. */
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
  /** Milliseconds by name, over the wire's own; `output`: bytes an answer may have. */
  readonly limits: Readonly<Record<string, number>>
  /** Steps of a match at most, past which the game is taken never to end; absent: 100,000. */
  readonly steps?: number
  readonly memory?: Memory
  /** Bots that remember nothing have a new sandbox for each turn. */
  readonly strictMemory?: boolean
  /** Workers play an entrant also where they make another program of its source. */
  readonly mixedBuilds?: boolean
  /** How many entrants a person may enter, house bots apart; absent: any number. */
  readonly entriesPerAuthor?: number
  /** What holds where a site hosts it; absent: nothing was set. */
  readonly site?: SiteRules
  /** Names: only these entrants play, a run of its own beside that of all; absent: all. */
  readonly only?: readonly string[]
  /** Names: the entrants of `only` meet these, which do not meet each other. */
  readonly against?: readonly string[]
  /** After so many faults an entrant is disqualified; absent: after none. */
  readonly maxFaults?: number
  readonly entrants: readonly EntrantSpec[]
}
