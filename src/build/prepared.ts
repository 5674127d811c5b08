import type { BotParameters, Memory } from '../core/index.js'
import type { SandboxMaker } from '../sandbox/index.js'

/** What is known of an entrant whether it can play or not. */
export interface About {
  readonly name: string
  /** Ships with the game: trusted. */
  readonly house: boolean
  /** For display. */
  readonly language?: string
  readonly synopsis?: string
  /** False: its interpreter is started afresh each turn. */
  readonly warm?: boolean
  /** Which version of a bot that may be entered again; absent: 1. */
  readonly version?: number
  /** It has a new sandbox for each life; for each turn, where it is a process per turn that is to remember nothing. */
  readonly strict?: true
  /** What a worker must have to play it. */
  readonly labels?: readonly string[]
}

/** An entrant that was staged and built, and can be started. */
export interface Prepared extends About {
  readonly admitted: true
  /** The wire's name. */
  readonly wire: string
  readonly memory: Memory
  /** SHA-256 of its source: names, modes and contents. */
  readonly hash: string
  /** All else that decides how it plays. */
  readonly make: Make
  /** `cwd` is the staged source: relative words of `argv` hold from there, all others are absolute. */
  readonly run:
    | { readonly kind: 'process'; readonly argv: readonly string[]; readonly cwd: string }
    /** `folder`: its staged source; a house bot's module runs where it lies. */
    | {
        readonly kind: 'module'
        readonly file: string
        readonly folder?: string
        /** Its parameters; absent: those that it has by itself. */
        readonly given?: BotParameters
      }
}

/** How an entrant is built and started, as texts to compare. */
export interface Make {
  /** As JSON: its build's commands, or what makes a program of its class. */
  readonly build: string
  /** As JSON: its command as it was written, or its module or class. */
  readonly command: string
  /** What builds and runs it, with versions. */
  readonly toolchain: string
  /** Hash of what its build made, by names and contents; absent: it is not built. */
  readonly output?: string
}

/** An entrant that cannot play here: a language is missing, or its build failed. */
export interface NotPrepared extends About {
  readonly admitted: false
  /** One line for a person. */
  readonly why: string
  /** What its build printed. */
  readonly log?: string
}

/** What a contest says of how its entrants are prepared. */
export interface PrepareRules {
  /** Of all entrants that give none of their own; one that its wire does not allow is shortened to what it allows. */
  readonly memory?: Memory
  /** Bots that do not live through the tournament have a new sandbox for each life, or for each turn. */
  readonly strictMemory?: boolean
  /** Bytes of an entrant's source, and of what its build leaves; absent: 256 MiB. */
  readonly sourceBytes?: number
}

export interface PrepareOptions extends PrepareRules {
  /** The folder that staged sources and builds are kept in from run to run. */
  readonly workspace: string
  /** How strangers are held; absent: not at all. */
  readonly isolation?: BotIsolation
  /** Called with a text for people, for what takes time. */
  readonly onNote?: (text: string) => void
  /** Called for each entrant that is ready while others may still be built. */
  readonly onReady?: (entrant: Prepared) => void
}

/** How strangers' builds and bots are held on this machine. */
export interface BotIsolation {
  /** What sandboxes are made with; absent: there are none. */
  readonly maker?: SandboxMaker
  /** Modules run in agon's own process. */
  readonly trust: boolean
  /** Why a stranger's program cannot run here, and the command that mends it. */
  readonly refusal?: string
}
