import type { FaultAt } from './game.js'
import type { MatchRecord } from './record.js'
import type { BotParameters } from './bot.js'
import type { Contest, EntrantFacts, Pairing } from './contest.js'
import type { Memory } from './wire.js'

/** What starts an entrant on the machine that staged it. */
export type StagedProgram =
  /** `cwd` is the staged source: relative words of `argv` hold from there, all others are absolute. */
  | { readonly kind: 'process'; readonly argv: readonly string[]; readonly cwd: string }
  /** `folder`: its staged source; a house bot's module runs where it lies. */
  | { readonly kind: 'module'; readonly file: string; readonly folder?: string }
/** What an entrant is on the machine that built it. */
export type Program =
  | StagedProgram
  /** It runs on its author's machine; `bot`: by what the site knows its connection. */
  | { readonly kind: 'remote'; readonly bot: string }

/** One entrant of a run, from its build to the table. */
export interface Entrant {
  readonly name: string
  /** Which version of a bot that may be entered again; absent: 1. */
  readonly version?: number
  readonly facts: EntrantFacts
  /** Over all that decides how it plays: a changed bot is another entrant of the same name. */
  readonly hash: string
  /** Ships with the game: trusted. */
  readonly house: boolean
  /** SHA-256 of its source: names, modes and contents. */
  readonly source: string
  /** As JSON: its build's commands, or what makes a program of its class. */
  readonly build: string
  /** As JSON: its command as it was written, or its module or class. */
  readonly command: string
  /** What builds and runs it, with versions. */
  readonly toolchain: string
  /** Hash of what its build made, by names and contents: to be looked at, no key. Absent: it is not built. */
  readonly output?: string
  readonly wire: string
  readonly memory: Memory
  /** It has a new sandbox for each life; for each turn, if it is a process a turn that is to remember nothing. */
  readonly strict?: boolean
  /** False: its interpreter is started afresh each turn. */
  readonly warm?: boolean
  /** What its contest gives its module; absent: nothing. */
  readonly with?: BotParameters
  /** What a worker must have to play it. */
  readonly labels?: readonly string[]
  /** It plays on its author's machine: nothing of it is known but its answers. */
  readonly remote?: true
  /** Only where it was built: no store keeps it, and no other machine gets it. */
  readonly program?: Program
}

/** What a run knows of its game: enough to draw its schedule and its table without loading it. */
export interface RunGame {
  readonly id: string
  readonly version: number
  /** The full path of a game that does not come with agon. */
  readonly file?: string
  /** A hash over that game's source: keys of jobs are taken over it. */
  readonly source?: string
  readonly seats: { readonly min: number; readonly max: number }
  /** Between which numbers its scores lie, if places are settled by them. */
  readonly scores?: { readonly min: number; readonly max: number }
  /** It has no chance, and ties may lead to further matches. */
  readonly chanceless?: boolean
}

/** An entrant that does not play in a run: it gave no answer when the run began. */
export interface MuteEntrant {
  readonly name: string
  readonly why: string
  /** As an entrant's: while it has not changed it stays out. */
  readonly hash: string
}

/** A contest that is played: written once as it is. What happens to it later (exclusions, rulings, its end) are notes on it. */
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
  /** 32 hexadecimal digits over all that decides what is played: runs of the same tournament share it. */
  readonly tournament: string
  /** Where its results are written. */
  readonly out: string
  /** ISO 8601. */
  readonly began: string
  /** In the contest's order: pairings name them by their index. */
  readonly entrants: readonly Entrant[]
  readonly mute?: readonly MuteEntrant[]
  /** By names: meetings that it takes over from an earlier run (ladder). */
  readonly history?: readonly (readonly [string, string, number])[]
  /** The options of the command line with which it began, by the application's names: to go on with it takes the same. */
  readonly asked?: Readonly<Record<string, string | number | boolean>>
}

/** The matches of a deal, or a series of bots that remember: played and stored as a whole. Plain data: it can be sent to a worker. */
export interface Job {
  /** The key of its series or, of a deal, of its first match. */
  readonly key: string
  readonly pairings: readonly Pairing[]
}

/** A match that was played, and its faults as the rules judged them. */
export interface JudgedMatch {
  readonly record: MatchRecord
  readonly faults: readonly FaultAt[]
}

/** A match with its place in a run. Its record's key is its pairing's, and its record's outcome its own unless that was ruled. */
export interface Match extends JudgedMatch {
  /** By seat: the entrant's index in the run. */
  readonly seats: readonly number[]
  /** It decides a tie and changes no points. */
  readonly playoff: boolean
}
