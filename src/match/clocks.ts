import type { Answer, AnyWire, BankLimits, BotOutput, Clock, MatchRecord, Seat } from '../core/index.js'

/*
 * Theory of operation.
 *
 * With a bank each seat has a Fischer clock: an answer's time is taken from it, then the increment is added. An answer may take what is
 * left, and `turn` at most. All is counted in whole microseconds, as the record holds it, so that a rejudged match has the same clocks.
 * What the transport takes for an answer is one, however late: it takes what is left then.
 */

type Limits = Readonly<Record<string, number>>

/** Milliseconds where neither contest nor wire says anything. */
export const DEFAULT_TURN_MS = 1000

/** A limit in milliseconds: the contest's, else the wire's. */
export const limitOf = (limits: Limits, wire: AnyWire | undefined, name: string): number =>
  limits[name] ?? wire?.limits?.[name] ?? DEFAULT_TURN_MS

/** The limits of a contest's clocks; undefined: no bank. */
export function bankOf({ turn, bank, increment }: Limits): BankLimits | undefined {
  return bank === undefined ? undefined : { turn, bank, increment }
}

const micros = (ms: number): number => Math.round(ms * 1000)
const isLate = ({ trouble }: BotOutput): boolean => trouble === 'timeout'

export class Clocks {
  /** By seat, in microseconds: what is left, and an answer's most. */
  private readonly left: number[]
  private readonly turns: readonly number[]

  /** `wires`: by seat. */
  constructor(
    private readonly limits: BankLimits,
    wires: readonly (AnyWire | undefined)[],
  ) {
    const { turn } = limits
    this.left = wires.map(() => micros(limits.bank))
    this.turns = wires.map((wire) => micros(turn ?? limitOf({}, wire, 'turn')))
  }

  of(seat: Seat): number {
    return (this.left[seat] ?? 0) / 1000
  }

  /** Takes an answer's time, and returns it: at most what was left, and all of that if late. */
  take(
    seat: Seat,
    output: BotOutput,
    { wallUs, chargedUs = wallUs, thoughtUs = chargedUs }: Omit<Answer, 'output'>,
  ): number {
    const taken = isLate(output) ? this.most(seat) : Math.min(this.left[seat] ?? 0, Math.round(thoughtUs))
    this.pay(seat, taken)
    return taken
  }

  /** Takes an answer's recorded time. Returns why that cannot be, if it cannot. */
  judge(seat: Seat, output: BotOutput, taken: number): string | undefined {
    const [left, most] = [this.left[seat] ?? 0, this.most(seat)]
    this.pay(seat, taken)
    const ms = (us: number): string => `${us / 1000} ms`
    if (isLate(output)) return taken < most ? `late after ${ms(taken)} of the ${ms(most)} that it had` : undefined
    return taken > left ? `an answer that took ${ms(taken)} of the ${ms(left)} that were left` : undefined
  }

  private most(seat: Seat): number {
    return Math.min(this.left[seat] ?? 0, this.turns[seat] ?? 0)
  }

  private pay(seat: Seat, taken: number): void {
    this.left[seat] = Math.max(0, (this.left[seat] ?? 0) - taken) + micros(this.limits.increment ?? 0)
  }
}

/** A record's clocks before its first step; undefined: none. */
export const clocksOf = (
  { limits }: Pick<MatchRecord, 'limits'>,
  wires: readonly (AnyWire | undefined)[],
): Clocks | undefined => limits && new Clocks(limits, wires)

/** By position and seat, milliseconds left; undefined: no bank. For a record without its game. */
export function leftOf(
  record: Pick<MatchRecord, 'limits' | 'clock' | 'steps' | 'seats'>,
): readonly (readonly number[])[] | undefined {
  const { seats, steps, clock } = record
  const clocks = clocksOf(
    record,
    seats.map(() => undefined),
  )
  if (clocks === undefined || clock === undefined) return undefined
  const now = (): number[] => seats.map((_, seat) => clocks.of(seat))
  const all = [now()]
  for (const [t, step] of steps.entries()) {
    for (const [k, [seat]] of step.entries()) clocks.judge(seat, {}, clock[t]?.[k] ?? 0)
    all.push(now())
  }
  return all
}

/** The limits that a bot is told: of the clock's those that hold for it. */
export function toldLimits(limits: Limits, wire: AnyWire): Readonly<Record<string, number | string>> {
  const { bank, increment, late } = limits
  return {
    turn: limitOf(limits, wire, 'turn'),
    ...(wire.loads && { start: limitOf(limits, wire, wire.loads.within) }),
    ...(bank !== undefined && { bank, increment: increment ?? 0 }),
    ...(late !== undefined && { late: `forgive:${late}` }),
  }
}

/** What a seat is told of its time. `left`: milliseconds; undefined: no bank. */
export const toldClock = (limits: Limits, wire: AnyWire, left: number | undefined): Clock => ({
  turn: limitOf(limits, wire, 'turn'),
  left,
})
