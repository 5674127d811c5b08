import type { FaultAt } from './game.js'
import type { MatchRecord } from './record.js'
import type { BotParameters } from './bot.js'
import type { Contest, EntrantFacts, Pairing } from './contest.js'
import type { Memory } from './wire.js'

/** What starts an entrant on the machine that staged it. */
export type StagedProgram =
  /** `cwd`: the staged source, from where relative words of `argv` hold; others are absolute. */
  | { readonly kind: 'process'; readonly argv: readonly string[]; readonly cwd: string }
  /** `folder`: its staged source; house bots' modules run where they lie. */
  | { readonly kind: 'module'; readonly file: string; readonly folder?: string }
/** What an entrant is on the machine that built it. */
export type Program =
  | StagedProgram
  /** It runs on its author's machine; `bot`: the site's key of its connection. */
  | { readonly kind: 'remote'; readonly bot: string }

/** One entrant of a run, from its build to the table. */
export interface Entrant {
  readonly name: string
  /** The version of a bot that may be entered again; absent: 1. */
  readonly version?: number
  readonly facts: EntrantFacts
  /** Over all that decides how it plays: a changed bot is another entrant. */
  readonly hash: string
  /** Ships with the game: trusted. */
  readonly house: boolean
  /** SHA-256 of its source: names, modes and contents. */
  readonly source: string
  /** JSON: its build's commands, or what makes a program of its class. */
  readonly build: string
  /** JSON: its command as written, or its module or class. */
  readonly command: string
  /** What builds and runs it, with versions. */
  readonly toolchain: string
  /** Hash of its build's output, names and contents, for people, no key. Absent: not built. */
  readonly output?: string
  readonly wire: string
  readonly memory: Memory
  /** A new sandbox for each life, or each turn of a process a turn that is to remember nothing. */
  readonly strict?: boolean
  /** False: its interpreter is started afresh each turn. */
  readonly warm?: boolean
  /** What its contest gives its module; absent: nothing. */
  readonly with?: BotParameters
  /** What a worker must have to play it. */
  readonly labels?: readonly string[]
  /** It plays on its author's machine: only its answers are known. */
  readonly remote?: true
  /** Only where it was built: never stored, nor sent to other machines. */
  readonly program?: Program
}

/** What a run knows of its game: draws schedule and table without loading it. */
export interface RunGame {
  readonly id: string
  readonly version: number
  /** The full path of a game that does not come with agon. */
  readonly file?: string
  /** A hash of the game's source; keys of jobs are taken over it. */
  readonly source?: string
  readonly seats: { readonly min: number; readonly max: number }
  /** Bounds of its scores, if places are settled by them. */
  readonly scores?: { readonly min: number; readonly max: number }
  /** It has no chance, and ties may lead to further matches. */
  readonly chanceless?: boolean
}

/** An entrant that does not play: it gave no answer when the run began. */
export interface MuteEntrant {
  readonly name: string
  readonly why: string
  /** As an entrant's: while it has not changed it stays out. */
  readonly hash: string
}

/** A contest that is played, written once. What happens later (exclusions, rulings, its end) are notes on it. */
export interface Run {
  readonly id: string
  /** The agon that began it. */
  readonly agon: string
  /** The contest file's full path. */
  readonly file: string
  /** With what the command line changed of it. */
  readonly contest: Omit<Contest, 'entrants'>
  readonly game: RunGame
  readonly seed: string
  /** 32 hexadecimal digits over all that decides what is played: one for each tournament. */
  readonly tournament: string
  /** Where its results are written. */
  readonly out: string
  /** ISO 8601. */
  readonly began: string
  /** In the contest's order: pairings name them by their index. */
  readonly entrants: readonly Entrant[]
  readonly mute?: readonly MuteEntrant[]
  /** Names: meetings taken over from an earlier run (ladder). */
  readonly history?: readonly (readonly [string, string, number])[]
  /** The command line's options at its beginning, by the application's names: going on takes the same. */
  readonly asked?: Readonly<Record<string, string | number | boolean>>
}

/** Matches of a deal, or a series of bots that remember: played and stored whole. Plain data: a worker may get it. */
export interface Job {
  /** The key of its series or, of a deal, of its first match. */
  readonly key: string
  readonly pairings: readonly Pairing[]
}

/** A match that was played, its faults judged by the rules. */
export interface JudgedMatch {
  readonly record: MatchRecord
  readonly faults: readonly FaultAt[]
}

/** A match with its place in a run. Its key is its pairing's; its outcome the record's unless ruled. */
export interface Match extends JudgedMatch {
  /** By seat: the entrant's index in the run. */
  readonly seats: readonly number[]
  /** It decides a tie and changes no points. */
  readonly playoff: boolean
}
