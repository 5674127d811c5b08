import type { BotParameters } from './bot.js'
import type { Luck, Options, Outcome, Seat } from './game.js'
import type { BotOutput } from './wire.js'

/**
 * All that is needed to judge a match again: the bots' answers. Sent texts, views, moves and faults follow from it. One
 * JSON object a line; docs/record.md describes it for other tools.
 */
export interface MatchRecord {
  /** The format's version. */
  readonly agon: 1
  /** The match's place in its tournament, such as '2/ant-bee/7'; absent: it had none. */
  readonly key?: string
  readonly game: string
  readonly version: number
  readonly options: Options
  readonly luck: Luck
  /** How many entrants the tournament had: ids are below it. */
  readonly field: number
  readonly seats: readonly { readonly entrant: string; readonly wire: string; readonly id: number }[]
  /** Answers to a wire's `ready` at match start. */
  readonly ready: readonly (readonly [Seat, BotOutput])[]
  /** For each step the due seats and their answers; a string stands for { out }. */
  readonly steps: readonly Step[]
  /** Beside `steps`, by entry: microseconds of wall time, and CPU and charged time if known. Outside the digest. */
  readonly times?: readonly (readonly Timing[])[]
  /** With a bank: its clocks' limits. Outside the digest. */
  readonly limits?: BankLimits
  /**
   * With a bank, by step: microseconds that answers took. Judged: none took more than was left, nor was late before it.
   * Outside the digest.
   */
  readonly clock?: readonly (readonly number[])[]
  /** In older records: seats of modules that drew no chance. Outside the digest, unused. */
  readonly undrawn?: readonly Seat[]
  /** Bots' printed figures, by step; absent: none. Unjudged, outside the digest, for readers of standard error. */
  readonly figures?: readonly BotFigure[]
  /**
   * By seat: a module's parameters (`with`), or null; absent: none. Unjudged, outside the digest, shown like figures.
   */
  readonly with?: readonly (BotParameters | null)[]
  /** To be compared, not believed. */
  readonly outcome: Outcome
}
/** Milliseconds: at most for an answer, if said; for all of a seat's; and what each adds to these (absent: 0). */
export interface BankLimits {
  readonly turn?: number
  readonly bank: number
  readonly increment?: number
}
/** A figure that a bot printed: the step, from 0, in which it was asked last, its seat, its name for the number. */
export type BotFigure = readonly [step: number, seat: Seat, name: string, value: number]
/** Characters that its name may have. */
export const FIGURE_NAME = 32
export type Step = readonly (readonly [Seat, BotOutput | string])[]
export type Timing =
  | readonly [wallUs: number]
  | readonly [wallUs: number, cpuUs: number]
  | readonly [wallUs: number, cpuUs: number, chargedUs: number]

/** What a match is before its first answer. */
export type MatchFixture = Omit<MatchRecord, 'ready' | 'steps' | Aside | 'outcome'>

/** The parts of a record that are outside its digest. */
type Aside = 'times' | 'limits' | 'clock' | 'undrawn' | 'figures' | 'with'

/** Without these, records of the same match are equal. */
export function withoutAsides(record: MatchRecord): Omit<MatchRecord, Aside> {
  const { times: _t, limits: _l, clock: _c, undrawn: _u, figures: _f, with: _w, ...rest } = record
  return rest
}

/** A record as it was before the first answer. */
export function fixtureOfRecord(record: MatchRecord): MatchFixture {
  const { ready: _r, steps: _s, outcome: _o, ...fixture } = withoutAsides(record)
  return fixture
}

/** An answer in a record: plain output is its own text. */
export function packOutput(output: BotOutput): BotOutput | string {
  if (output.out === undefined) return output
  for (const key in output) if (key !== 'out') return output
  return output.out
}

export function unpackOutput(output: BotOutput | string): BotOutput {
  return typeof output === 'string' ? { out: output } : output
}
