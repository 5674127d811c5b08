import { type Fault, type BotOutput, type Seat, flooded, isFault } from '../core/index.js'
import type { Counted } from './judge.js'

/*
 * Theory of operation.
 *
 * A bot prints as much as it likes, up to an answer's limit, and a record keeps it for good. Of a long answer it therefore
 * holds a shorter one that counts as the very same. A few forms are tried: nothing here knows a wire. The move is then judged
 * from what the record holds, so a rejudged match takes the same course by construction.
 */

/** Characters of an answer always recorded; any of our wires needs far fewer. */
const KEPT = 1024
/** Characters of a match's answers, each seat's share alike: even written as \u0001 each they fit in a text. */
const KEPT_MATCH = 32 * 1024 ** 2
/** Characters of the reason beside a trouble: a module's error may be long. */
const WHY = 500

/** Marks a cut; no byte of a bot is read as it. */
const CUT = '\u2026'

/** Readiness has no move. */
type Count = (output: BotOutput) => Partial<Counted>

export class OutputTrimmer {
  private readonly share: number
  private readonly used: number[]

  constructor(seats: number) {
    this.share = KEPT_MATCH / seats
    this.used = Array.from({ length: seats }, () => 0)
  }

  /** What the record holds of a seat's answer. */
  trim(seat: Seat, output: BotOutput, count: Count): BotOutput {
    const used = this.used[seat] ?? 0
    const { out = '', file, why } = output
    if (out.length <= KEPT && file === undefined && why === undefined && used + out.length <= this.share / 2) {
      this.used[seat] = used + out.length
      return output
    }
    // With half of its share left, a bot keeps only what decides, so that the rest lasts.
    const kept = shorter(output, count, used > this.share / 2 ? 0 : KEPT)
    // A valid game file is as long as the game makes it.
    const isOdd = textOf(kept.file) > KEPT && isFault(count(kept).move)
    const more = textOf(kept.out) + textOf(kept.why) + (isOdd ? textOf(kept.file) : 0)
    if (used + more > this.share)
      return flooded(`its answers of this match came to more than ${Math.floor(this.share)} bytes`)
    this.used[seat] = used + more
    return kept
  }
}

const textOf = (text = ''): number => text.length

/** A copy that does not hold the long text. */
const copied = (text: string): string => JSON.parse(JSON.stringify(text)) as string

/** `most`: characters of the output that are always held. */
function shorter(output: BotOutput, count: Count, most: number): BotOutput {
  const { out = '', file = '', why = '' } = output
  const whyCut = why.length > WHY ? { ...output, why: why.slice(0, WHY) + CUT } : output
  const outCut = out.length > most ? withShorter('out', whyCut, count, most) : whyCut
  return file.length > KEPT ? withShorter('file', outCut, count, most) : outCut
}

/** An answer with a shorter text in one part, if it counts as the same. */
function withShorter(part: 'out' | 'file', output: BotOutput, count: Count, most: number): BotOutput {
  const { [part]: text = '' } = output
  const counted = count(output)
  const wanted = JSON.stringify(counted)
  const form = forms(text, counted, most).find(
    (each) => each.length < text.length && JSON.stringify(count({ ...output, [part]: each })) === wanted,
  )
  if (form !== undefined) return { ...output, [part]: copied(form) }
  if (part === 'file' || !isFault(counted.move) || text.length <= KEPT) return output
  return { out: copied(text.slice(0, KEPT) + CUT), ...flooded(`printed ${text.length} bytes without an answer`) }
}

/** Shorter texts that a wire may read alike: the longest first or, where nothing more is to be held, the shortest. */
function forms(text: string, { move, said }: Partial<Counted>, most: number): string[] {
  const start = text.search(/[^ \t\r\n\v\f]/)
  const inner = start < 0 ? '' : text.slice(start, start + KEPT)
  const line = inner.split(/[\r\n]/, 1)[0] ?? ''
  const cut = [text.slice(0, KEPT) + CUT, `${inner}${CUT}`, inner.trimEnd(), line.trimEnd(), '']
  const long = [4, 16].map((times) => text.slice(0, times * KEPT) + CUT)
  const spoken = said === undefined ? [] : [asciiJson({ action: move, say: said })]
  const all = [...cut, ...(isFault(move) ? quoted(move) : actions(move, text)), ...long, ...spoken]
  return most > 0 ? all : all.sort((a, b) => a.length - b.length)
}

/** The letters of an output are bytes. */
const asciiJson = (value: object): string =>
  JSON.stringify(value).replace(/[^\x00-\x7f]/g, (c) => `\\u${c.charCodeAt(0).toString(16).padStart(4, '0')}`)

/** An action as it stands, as our JSON, and with single blanks. */
function actions(action: string | undefined, text: string): string[] {
  if (action === undefined || action.length > KEPT) return []
  const words = text.trim().split(/\s+/).join(' ')
  return [JSON.stringify({ action }), action, ...(words.length <= KEPT ? [words] : [])]
}

/** A fault's own quotation, cut where long. */
const quoted = ({ said }: Fault): string[] =>
  said === undefined ? [] : [said, said + CUT, ...[said, said + CUT].map((action) => JSON.stringify({ action }))]
