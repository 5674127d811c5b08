import { FIGURE_NAME, type PrintedFigure } from '../core/index.js'
import type { ErrorSink } from '../sandbox/index.js'

/*
 * A line `agon:name=value` on standard error is a figure: a number that a bot tells of itself. It belongs to the last
 * question. A process that stays answers through another pipe, so the next question may come before its figures are
 * read: these may count to the turn after. What is kept is bounded; nothing is judged by it.
 */

/** Different names a match, and figures a match. */
const NAMES = 8
const MOST = 8000

export const MARK = 'agon:'
const FIGURE = new RegExp(
  `^${MARK}([A-Za-z][\\w.-]{0,${FIGURE_NAME - 1}})=([-+]?(?:\\d+\\.?\\d*|\\.\\d+)(?:[eE][-+]?\\d{1,3})?)[ \\t\\r]*$`,
)
/** Characters of the longest line that is one. */
const LINE = 128

/** Passes a bot's standard error on, and keeps the figures of its match. */
export class FigureLog implements ErrorSink {
  private printed: PrintedFigure[] = []
  private names = new Set<string>()
  private question = 0
  /** The beginning of a line that has not ended. */
  private rest = ''

  constructor(private readonly log: ErrorSink) {}

  begin(): void {
    if (this.printed.length > 0) this.printed = []
    if (this.names.size > 0) this.names.clear()
    this.question = 0
    this.rest = ''
  }

  asked(question: number): void {
    this.question = question
  }

  add(chunk: Buffer): void {
    this.log.add(chunk)
    const text = this.rest + chunk.toString('latin1')
    const end = text.lastIndexOf('\n') + 1
    for (let at = text.indexOf(MARK); at >= 0 && at < end; at = text.indexOf(MARK, at + 1))
      if (at === 0 || text[at - 1] === '\n') this.line(text.slice(at, text.indexOf('\n', at)))
    // A line that is too long stays so.
    this.rest = text.slice(end, end + LINE + 1)
  }

  /** It has ended: its last line needs no end. */
  flush(): void {
    if (this.rest === '') return
    this.line(this.rest)
    this.rest = ''
  }

  /** In the order of questions; of a name printed twice in one, the last value. */
  figures(): readonly PrintedFigure[] {
    return this.printed
  }

  /** Takes a line, wherever it was printed: it is a figure, or nothing. */
  line(line: string): void {
    const [, name, digits] = line.length > LINE ? [] : (FIGURE.exec(line) ?? [])
    const value = Number(digits)
    if (name === undefined || !Number.isFinite(value)) return
    const { printed, names, question } = this
    let before = printed.length - 1
    while (printed[before]?.[0] === question && printed[before]?.[1] !== name) before--
    if (printed[before]?.[0] === question) printed[before] = [question, name, value]
    else if (printed.length < MOST && (names.has(name) || names.size < NAMES)) {
      names.add(name)
      printed.push([question, name, value])
    }
  }
}
