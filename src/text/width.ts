import { eastAsianWidth } from 'get-east-asian-width'

/*
 * Why this is not string-width, which measures the same for every text here (the tests compare them): it cuts a text into characters by
 * Intl.Segmenter, which takes time by the square of the text's length on Node 20 (10 s for 64 KiB), and strangers write these texts.
 */

/** Texts of these characters only are as wide as they are long. */
const PLAIN = /^[ -~]*$/

/** Columns of a terminal: East Asian wide characters and emoji take two, marks that sit on another letter none. */
export function width(text: string): number {
  if (PLAIN.test(text)) return text.length
  const columns = new Columns()
  for (const c of text) columns.add(c)
  return columns.used
}

/**
 * A text of at most that many columns, its end replaced by an ellipsis where it is longer. Of a text that goes on without taking
 * columns the end is left out as well. The text is read no further than what is kept of it.
 */
export function shorten(text: string, columns: number): string {
  const most = columns * UNITS_A_COLUMN
  const counted = new Columns()
  /** Code units that leave room for the ellipsis. */
  let kept = 0
  let read = 0
  for (const c of text) {
    counted.add(c)
    read += c.length
    if (counted.used > columns || read > most) return `${text.slice(0, kept)}…`
    if (counted.used < columns) kept = read
  }
  return text
}

/** A text filled up with blanks to that many columns: behind it, or before it with `right`. */
export function pad(text: string, columns: number, right = false): string {
  const gap = ' '.repeat(Math.max(0, columns - width(text)))
  return right ? gap + text : text + gap
}

/** Code units that one column may take: the longest emoji of Unicode have 15, on two columns. */
const UNITS_A_COLUMN = 16

const NOTHING = /[\p{Mn}\p{Me}\p{Default_Ignorable_Code_Point}]/u
const EMOJI = /\p{Emoji}/u
const MODIFIER = /\p{Emoji_Modifier}/u
const JOINER = '\u200d'
/** Asks for the coloured form of the character before it, which is wide. */
const COLOURED = '\ufe0f'

/** Columns of a text that comes code point by code point. */
class Columns {
  used = 0
  /** The last code point that takes columns, and how many. */
  private last = ''
  private lastWidth = 0
  private joined = false

  add(c: string): void {
    if (PLAIN.test(c)) this.take(c, 1)
    else if (c === COLOURED) this.widen()
    else if (NOTHING.test(c)) this.joined = c === JOINER && EMOJI.test(this.last)
    else if (EMOJI.test(c) && (this.joined || (MODIFIER.test(c) && EMOJI.test(this.last)))) this.joined = false
    else this.take(c, eastAsianWidth(c.codePointAt(0) ?? 0))
  }

  private take(c: string, columns: number): void {
    this.used += columns
    this.last = c
    this.lastWidth = columns
    this.joined = false
  }

  private widen(): void {
    if (this.lastWidth !== 1 || !EMOJI.test(this.last)) return
    this.used++
    this.lastWidth = 2
  }
}
