import { HALF_LINE } from './lines-input.js'

/** Lines of a process that stays are awaited: those before the expected one are passed over, and only its time ends the wait. */
export class LineWait {
  /** The beginning of the first line that was passed over. */
  first: string | undefined
  private bytes = 0

  /** `most`: bytes that all lines which are passed over may have; `expects`: what is to be done, for a person: 'print ok'. */
  constructor(
    private readonly skips: (line: string) => boolean,
    private readonly most: number,
    readonly expects: string,
  ) {}

  /** Passes a line over, unless it is the expected one. */
  passesOver(line: string): boolean {
    if (!this.isSkipped(line)) return false
    this.first ??= line.slice(0, HALF_LINE)
    this.bytes += line.length + 1
    return true
  }

  /** Why it is too much; undefined: it is not. */
  flood(): string | undefined {
    return this.bytes > this.most ? `printed more than ${this.most} bytes, and did not ${this.expects}` : undefined
  }

  private isSkipped(line: string): boolean {
    return safely(() => this.skips(line)) ?? false
  }
}

/** What a game's wire makes of a line; undefined: it throws, which it does again where the match is judged. */
export function safely<T>(act: () => T): T | undefined {
  try {
    return act()
  } catch {
    return undefined
  }
}
