import type { AnyWire } from '../core/index.js'
import { HALF_LINE } from './lines-input.js'

/** A process that stays gets ready: lines before the one that its wire expects are passed over, and only its time ends the wait. */
export class ReadyWait {
  /** The beginning of the first line that was passed over. */
  first: string | undefined
  private bytes = 0

  /** `most`: bytes that all lines which are passed over may have. */
  constructor(
    private readonly ready: NonNullable<AnyWire['ready']>,
    private readonly most: number,
  ) {}

  get expects(): string {
    return this.ready.expects
  }

  /** Passes a line over, unless it is the expected one. */
  passesOver(line: string): boolean {
    if (this.isExpected(line)) return false
    this.first ??= line.slice(0, HALF_LINE)
    this.bytes += line.length + 1
    return true
  }

  /** Why it is too much; undefined: it is not. */
  flood(): string | undefined {
    return this.bytes > this.most ? `printed more than ${this.most} bytes before it was ready` : undefined
  }

  /** What its game throws is thrown again where the match is judged. */
  private isExpected(out: string): boolean {
    try {
      return this.ready.ok({ out })
    } catch {
      return true
    }
  }
}
