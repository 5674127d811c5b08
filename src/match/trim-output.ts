import { type Fault, type BotOutput, type Move, type Seat, flooded, isFault } from '../core/index.js'

/*
 * Theory of operation.
 *
 * How much a bot prints is its own choice, up to the limit of an answer, and a record holds the output for good. Of a long
 * answer it therefore holds a shorter one that is judged to the very same move or fault. A few such forms are tried: nothing
 * here knows a wire. The move itself is then judged from what the record holds, so a match that is judged again takes the same
 * course by construction.
 */

/** Characters of an answer that a record holds whatever they are; any of our wires needs far fewer. */
const KEPT = 1024
/** Characters of all answers of a match, each seat's share alike: written as \u0001 each, they are still a text that can be made. */
const KEPT_MATCH = 32 * 1024 ** 2
/** Characters of the reason beside a trouble: a module's error may have any length. */
const WHY = 500

/** Stands where something was cut off; no byte of a bot is read as it. */
const CUT = '\u2026'

type Verdict = Move<string> | undefined

/** What was said beside a move, from the answer. */
type Words = (output: BotOutput, move: Move<string>) => string | undefined

interface Judging {
  readonly judged: (output: BotOutput) => Verdict
  readonly said: Words
}

export class OutputTrimmer {
  private readonly share: number
  private readonly used: number[]

  constructor(seats: number) {
    this.share = KEPT_MATCH / seats
    this.used = Array.from({ length: seats }, () => 0)
  }

  /** What is held of a seat's answer. `judged`: what follows from an answer by the rules; `said`: what was said beside a move. */
  trim(
    seat: Seat,
    output: BotOutput,
    judged: (output: BotOutput) => Verdict,
    said: Words = () => undefined,
  ): BotOutput {
    const used = this.used[seat] ?? 0
    const { out = '', file, why } = output
    // Most answers are a word.
    if (out.length <= KEPT && file === undefined && why === undefined && used + out.length <= this.share / 2) {
      this.used[seat] = used + out.length
      return output
    }
    // A bot with only half of its share left keeps only what decides, so that the rest lasts for all that can still come.
    const most = used > this.share / 2 ? 0 : KEPT
    const kept = shorter(output, { judged, said }, most)
    const more = textOf(kept.out) + textOf(kept.why) + fileOf(kept, judged)
    if (used + more > this.share)
      return flooded(`its answers of this match came to more than ${Math.floor(this.share)} bytes`)
    this.used[seat] = used + more
    return kept
  }
}

const textOf = (text = ''): number => text.length

/** A game file that is as it should be is as long as the game makes it. */
const fileOf = (kept: BotOutput, judged: (output: BotOutput) => Verdict): number =>
  textOf(kept.file) > KEPT && isFault(judged(kept)) ? textOf(kept.file) : 0

/** A copy, which does not hold the long text that it was cut from. */
const copied = (text: string): string => JSON.parse(JSON.stringify(text)) as string

function shorter(output: BotOutput, judging: Judging, most: number): BotOutput {
  const { out = '', file = '', why = '' } = output
  if (out.length <= most && file.length <= KEPT && why.length <= WHY) return output
  const whyCut = why.length > WHY ? { ...output, why: why.slice(0, WHY) + CUT } : output
  const outCut = out.length > most ? partOf('out', whyCut, judging, most) : whyCut
  return file.length > KEPT ? partOf('file', outCut, judging, most) : outCut
}

/** An answer with a shorter text in one part, where that is judged to the same. */
function partOf(part: 'out' | 'file', output: BotOutput, { judged, said }: Judging, most: number): BotOutput {
  const { [part]: text = '' } = output
  const counts = (shown: BotOutput): string => {
    const judgedTo = judged(shown)
    return JSON.stringify([judgedTo, judgedTo === undefined ? undefined : said(shown, judgedTo)])
  }
  const move = judged(output)
  const wanted = counts(output)
  const spoken = move === undefined || isFault(move) ? undefined : said(output, move)
  const short = spoken === undefined ? [] : [asciiJson({ action: move, say: spoken })]
  const form = [...forms(text, move, most), ...short].find(
    (each) => each.length < text.length && counts({ ...output, [part]: each }) === wanted,
  )
  if (form !== undefined) return { ...output, [part]: copied(form) }
  if (part === 'file' || !isFault(move) || text.length <= KEPT) return output
  return { out: copied(text.slice(0, KEPT) + CUT), ...flooded(`printed ${text.length} bytes without an answer`) }
}

const asciiJson = (value: object): string =>
  JSON.stringify(value).replace(/[^\x00-\x7f]/g, (c) => `\\u${c.charCodeAt(0).toString(16).padStart(4, '0')}`)

/** Shorter texts in which a wire may read the same: the longest first, or, where nothing more is to be held, the shortest. */
function forms(text: string, move: Verdict, most: number): string[] {
  const start = text.search(/[^ \t\r\n\v\f]/)
  const inner = start < 0 ? '' : text.slice(start, start + KEPT)
  const line = inner.split(/[\r\n]/, 1)[0] ?? ''
  const cut = [text.slice(0, KEPT) + CUT, `${inner}${CUT}`, inner.trimEnd(), line.trimEnd(), '']
  const long = [4, 16].map((times) => text.slice(0, times * KEPT) + CUT)
  const all = [...cut, ...(isFault(move) ? quoted(move) : actions(move, text)), ...long]
  return most > 0 ? all : all.sort((a, b) => a.length - b.length)
}

/** An action as it stands, as our JSON, and with single blanks between its words. */
function actions(action: string | undefined, text: string): string[] {
  if (action === undefined || action.length > KEPT) return []
  const words = text.trim().split(/\s+/).join(' ')
  return [JSON.stringify({ action }), action, ...(words.length <= KEPT ? [words] : [])]
}

/** A fault's own quotation, which was cut where it is long. */
function quoted({ said }: Fault): string[] {
  if (said === undefined) return []
  return [said, said + CUT, JSON.stringify({ action: said }), JSON.stringify({ action: said + CUT })]
}
