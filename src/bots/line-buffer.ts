/** What a program has printed and was not read yet, cut into lines. As latin1. */
export class LineBuffer {
  private text = ''
  /** Where the first line ends; -1: nowhere. */
  private end = -1
  /** Bytes of this match thrown away: they answered no question. */
  private unasked = 0
  surplus = 0

  /** `most`: bytes of one answer, and of all lines of a match that answer no question. */
  constructor(private readonly most: number) {}

  get empty(): boolean {
    return this.text === ''
  }

  begin(): void {
    this.unasked = 0
    this.surplus = 0
  }

  /** Why it is too much; undefined: it is not. */
  flood(asked: boolean): string | undefined {
    const { text, end, most } = this
    if ((end < 0 ? text.length : end) > most) return `printed more than ${most} bytes for one answer`
    return asked || this.unasked + text.length <= most
      ? undefined
      : `printed more than ${most} bytes without being asked`
  }

  /** Throws it away: it answers no question. Returns why that is too much, if it is. */
  discard(): string | undefined {
    const flood = this.flood(false)
    this.unasked += this.text.length
    this.surplus += this.text.split('\n').length - 1
    this.clear()
    return flood
  }

  /** A line that was taken answers no question. */
  unask(line: string): void {
    this.unasked += line.length + 1
    this.surplus++
  }

  /** Nothing is looked through twice: a line may come byte by byte. */
  add(latin1: string): void {
    const before = this.text.length
    if (this.end < 0) {
      const found = latin1.indexOf('\n')
      if (found >= 0) this.end = before + found
    }
    this.text = before === 0 ? latin1 : this.text + latin1
  }

  /** Takes the first line, without its end; undefined: there is no whole one. */
  takeLine(): string | undefined {
    const { text, end } = this
    if (end < 0) return undefined
    const line = text.slice(0, text[end - 1] === '\r' ? end - 1 : end)
    if (end === text.length - 1) {
      this.clear()
      return copied(line, text)
    }
    this.text = copied(text.slice(end + 1), text)
    this.end = this.text.indexOf('\n')
    return copied(line, text)
  }

  start(most: number): string {
    return this.text.slice(0, most)
  }

  clear(): void {
    this.text = ''
    this.end = -1
  }
}

/** A part of a text; of a much longer one a copy: a part would hold all of it in memory. */
const copied = (part: string, of: string): string =>
  of.length < 2 * part.length + 256 ? part : Buffer.from(part, 'latin1').toString('latin1')
