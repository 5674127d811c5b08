import type { AnyWire, BotOutput, Memory, Player } from '../core/index.js'
import { type ProcessEnd, type Snapshot, type ErrorSink, PLACES, describeEnding } from '../sandbox/index.js'
import type { FigureLog } from './figure-log.js'

/** Bytes that one answer may have where the contest says nothing. */
export const OUTPUT_BYTES = 64 * 1024

export interface BotLife {
  readonly name: string
  readonly wire: AnyWire
  readonly memory: Memory
  /** The key of what the bot lives through, where that is more than a match: the series' or the tournament's. */
  readonly key: string
  /** The AGON_SEED of a life, and of one question in it. */
  seed(life: string, question?: number): number
  readonly outputBytes: number
  /** Milliseconds for a call that needs no answer. */
  readonly updateLimit: number
  /** Milliseconds that a process which stays may take to load; absent: it is not given any. */
  readonly startLimit?: number
  readonly banked?: boolean
  /** So many late answers of a match do not end its process; absent: none. */
  readonly forgiven?: number
  readonly stderr: ErrorSink
  /** The figures in its standard error, which passes through it; absent: they are not kept. */
  readonly figures?: FigureLog
  /** What the host should know, but is no fault: a state file rolled back. */
  note(text: string): void
}

export interface Program {
  readonly argv: readonly string[]
  /** The staged source that `argv` names files of. */
  readonly source: string
  /** The room's folder: no other bot uses it while this bot lives. */
  readonly room: string
}

/** A bot, or the sandbox it lives in, was killed from outside. */
export interface Disturbance {
  /** The bot cannot have done it itself; false: who did it is not known. */
  readonly certain: boolean
  readonly why: string
}

/** Keeps the first disturbance until it is asked for. */
export class Disturbances {
  private first: Disturbance | undefined

  constructor(private readonly name: string) {}

  see(ending: ProcessEnd): void {
    const { outside } = ending
    if (outside === undefined) return
    this.first ??= { certain: outside === 'certain', why: `${this.name}: ${describeEnding(ending)}` }
  }
  take(): Disturbance | undefined {
    const { first } = this
    this.first = undefined
    return first
  }
}

export interface SeatedBot extends Player {
  /** It shares this thread's core and answers at once: while it is asked, no other bot is. */
  readonly sharesCore?: boolean
  /** What was done to it from outside since this was last asked, which voids the match. Absent: nothing can be. */
  disturbed?(): Disturbance | undefined
  /** Ends its life: processes killed, rooms removed. */
  close(): Promise<void>
  /**
   * What it keeps on disk between matches; undefined: it may keep nothing. Absent, like the two below: it keeps nothing
   * on disk here.
   */
  snapshot?(): Snapshot | undefined | Promise<Snapshot | undefined>
  /** Begins its life where another one's left off, on disk. Before the first match. */
  restore?(snapshot: Snapshot): void | Promise<void>
  /** Restores its disk within its life. Between matches. */
  amend?(snapshot: Snapshot): void | Promise<void>
}

/** The output of a bot that is still asked when its match is given up. */
export const CLOSED: BotOutput = { trouble: 'killed', why: 'the match was given up' }

export const outlivesMatch = (memory: Memory): boolean => memory === 'series' || memory === 'tournament'

/** A bot's whole environment: in a sandbox, unless a room is named. */
export const environment = (seed: number, room?: string): Record<string, string> => ({
  PATH: (room === undefined ? undefined : process.env['PATH']) ?? '/usr/local/bin:/usr/bin:/bin',
  HOME: room ?? PLACES.source,
  LANG: 'C.UTF-8',
  AGON_SEED: String(seed),
})
