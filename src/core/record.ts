import type { BotParameters } from './bot.js'
import type { Luck, Options, Outcome, Seat } from './game.js'
import type { BotOutput } from './wire.js'

/**
 * Everything needed to judge a match again: what the bots answered, and nothing that can be computed. Sent texts, views, moves and
 * faults follow from it. One JSON object a line; docs/record.md describes it for other tools.
 */
export interface MatchRecord {
  /** The format's version. */
  readonly agon: 1
  /** Where the match stood in its tournament, such as '2/ant-bee/7'; absent for a match of its own. */
  readonly key?: string
  readonly game: string
  readonly version: number
  readonly options: Options
  readonly luck: Luck
  /** How many entrants the tournament had: the ids are in [0, field). */
  readonly field: number
  readonly seats: readonly { readonly entrant: string; readonly wire: string; readonly id: number }[]
  /** Answers to a wire's `ready` at match start. */
  readonly ready: readonly (readonly [Seat, BotOutput])[]
  /** For each step the seats that were due with what they answered; a string stands for { out }. */
  readonly steps: readonly Step[]
  /** Beside `steps`, entry for entry: microseconds of wall time, and of CPU time and charged time if known. Outside the digest. */
  readonly times?: readonly (readonly Timing[])[]
  /** With a bank: the limits that its clocks followed. Outside the digest. */
  readonly limits?: BankLimits
  /** With a bank, beside `steps`: microseconds that each answer took of it. Judged: none takes more than was left, none is late before. Outside the digest. */
  readonly clock?: readonly (readonly number[])[]
  /** Older records have it: seats of modules that took nothing from the chance that they were given. Outside the digest, and unused. */
  readonly undrawn?: readonly Seat[]
  /** What bots printed of themselves, by step; absent: nothing. Not judged, outside the digest, for who may read the bot's standard error. */
  readonly figures?: readonly BotFigure[]
  /** By seat: the parameters that a module was given (`with`), or null; absent: none was. Not judged, outside the digest, shown as figures are. */
  readonly with?: readonly (BotParameters | null)[]
  /** To be compared, not believed. */
  readonly outcome: Outcome
}
/** Milliseconds: the most of one answer, if the contest says it; of all answers of a seat; and what each adds to these, 0 unless it is said. */
export interface BankLimits {
  readonly turn?: number
  readonly bank: number
  readonly increment?: number
}
/** A figure that a bot printed of itself: the step, from 0, in which it was asked last, its seat, and what it called the number. */
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

/** A record without these: two of the same match are equal in the rest. */
export function withoutAsides(record: MatchRecord): Omit<MatchRecord, Aside> {
  const { times: _t, limits: _l, clock: _c, undrawn: _u, figures: _f, with: _w, ...rest } = record
  return rest
}

/** A record as it was before the first answer. */
export function fixtureOfRecord(record: MatchRecord): MatchFixture {
  const { ready: _r, steps: _s, outcome: _o, ...fixture } = withoutAsides(record)
  return fixture
}

/** The short form of an answer in a record: plain output is its own text. */
export function packOutput(output: BotOutput): BotOutput | string {
  if (output.out === undefined) return output
  for (const key in output) if (key !== 'out') return output
  return output.out
}

export function unpackOutput(output: BotOutput | string): BotOutput {
  return typeof output === 'string' ? { out: output } : output
}
