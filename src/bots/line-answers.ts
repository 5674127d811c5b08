import type { AnyWire, BotOutput } from '../core/index.js'
import { attempt } from '../files/index.js'

/*
 * Which lines of a bot are answers, and to which question; and what stands for the answers of one that has left. What a
 * wire throws over a line it throws again where the match is judged: here the line is not asked for.
 */

/** Bytes of half a line that are kept for the fault. */
export const HALF_LINE = 200

/** A wait for a line: those before the expected one are passed over, and only the time ends it. */
export class LineWait {
  first: string | undefined
  private bytes = 0

  /** `most`: bytes of all lines passed over; `expects`: what to do, for a person: 'print ok'. */
  constructor(
    private readonly skips: (line: string) => boolean,
    private readonly most: number,
    readonly expects: string,
  ) {}

  passesOver(line: string): boolean {
    if (attempt(() => this.skips(line)) !== true) return false
    this.first ??= line.slice(0, HALF_LINE)
    this.bytes += line.length + 1
    return true
  }

  /** Why it is too much; undefined: it is not. */
  flood(): string | undefined {
    return this.bytes > this.most ? `printed more than ${this.most} bytes, and did not ${this.expects}` : undefined
  }
}

/** Questions that a late process may still answer, in order. */
export class GivenUp {
  private readonly numbers: number[] = []

  constructor(private readonly wire: Pick<AnyWire, 'numberOf' | 'sync'>) {}

  get any(): boolean {
    return this.numbers.length > 0
  }

  add(number: number): void {
    // Such a wire tells where earlier answers end.
    if (this.wire.sync === undefined) this.numbers.push(number)
  }

  /** Whether a line answers one of them: by its number, else the oldest. `open`: the question asked now. */
  takes(line: string, open?: number): boolean {
    if (!this.any) return false
    const number = attempt(() => this.wire.numberOf?.(line))
    if (number === undefined) return this.numbers.shift() !== undefined
    const at = this.numbers.indexOf(number)
    // A later answer passes over those before.
    this.numbers.splice(0, at < 0 && number === open ? Infinity : at + 1)
    return at >= 0
  }
}

/** Outputs of a bot that has left its match: first the reason, if no open question took it, then that it has left. */
export class LeftMatch {
  private readonly later: BotOutput
  private next: BotOutput

  constructor(reason: BotOutput, asked: boolean) {
    const trouble = reason.trouble === 'crash' ? 'crash' : 'killed'
    this.later = { trouble, why: `had left the match before: ${reason.why}` }
    this.next = asked ? this.later : reason
  }

  take(): BotOutput {
    const { next } = this
    this.next = this.later
    return next
  }
}
