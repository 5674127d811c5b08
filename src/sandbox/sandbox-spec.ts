import type { RoomSpec } from './bubblewrap.js'
import type { Outside, TurnResult } from './frames.js'

/** What a sandbox is made of, beyond its room. */
export interface SandboxSpec extends RoomSpec {
  /** The launcher's program. */
  readonly launcher: string
  /** Words before its own, which start it as another user. */
  readonly prefix?: readonly string[]
  /** bubblewrap's program; undefined: no room is made, and the launcher runs among the host's processes. */
  readonly bubblewrap: string | undefined
  /** A process stays in it, and has pipes. */
  readonly pipes?: boolean
  /** Bytes that the state folder may hold. */
  readonly stateBytes?: number
  /** The user that the sandbox's programs are, where agon may choose; absent: agon's own. */
  readonly user?: number
  /** cgroups that the sandbox's programs belong to. */
  readonly cgroups?: readonly string[]
  /** They limit the memory of all its programs together. */
  readonly counted?: boolean
  /** The file with the CPU time of these cgroups, where there is one. */
  readonly cpu?: string
  /** The only core they run on. */
  readonly core?: number
}

/** What the launcher could put on its programs. */
export interface SandboxFacts {
  /** Landlock's version; 0: none. */
  readonly landlock: number
  readonly seccomp: boolean
  /** It has a namespace of processes of its own. */
  readonly alone: boolean
  /** Whether a program was killed by its own family is known. */
  readonly seesKills: boolean
}

/** How a process that stayed has ended. */
export type StayEnd = Pick<TurnResult, 'end' | 'stop' | 'outside'>

/** How a sandbox has ended that was not closed. */
export interface SandboxEnd {
  readonly why: string
  /** It was ended from outside; absent: it was closed. */
  readonly outside?: Outside
}

/** Measures of a question that was watched, in microseconds since it began; CPU since it was watched. */
export interface Measures {
  readonly question: number
  readonly wallUs: number
  readonly chargedUs: number
  readonly cpuUs: number
  /** The hard stop came first: what it is charged is within its limit, others had its core for the rest. */
  readonly busy: boolean
}

/** What a process that stays reports. */
export interface StayEvents {
  ended(end: StayEnd): void
  errors(chunk: Buffer): void
  /** The time of a watched question is up, and the process stands still until it is killed or let go on. */
  late(measures: Measures): void
  measured(measures: Measures): void
}

/** The pipes of a process that stays. */
export interface SandboxPipes {
  /** What it reads, kept here by its other end: to write, it is opened again through /proc, and its closing is the bot's end of input. */
  readonly toBot: number
  /** What it prints; can be written too. */
  readonly fromBot: number
}
