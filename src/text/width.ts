import { eastAsianWidth } from 'get-east-asian-width'

/*
 * Why not string-width, which measures the same here (as tests show): its Intl.Segmenter takes time by the square of a text's length on
 * Node 20 (10 s for 64 KiB), and strangers write these texts.
 */

/** Texts of these characters are as wide as long. */
const PLAIN = /^[ -~]*$/

/** Terminal columns: East Asian wide characters and emoji take two, combining marks none. */
export function width(text: string): number {
  if (PLAIN.test(text)) return text.length
  const columns = new Columns()
  for (const c of text) columns.add(c)
  return columns.used
}

/**
 * A text of at most so many columns; a longer one ends with an ellipsis. A tail that takes no columns is left out as well. The
 * text is read no further than what is kept.
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

/** A text padded to so many columns: behind it, or before it with `right`. */
export function pad(text: string, columns: number, right = false): string {
  const gap = ' '.repeat(Math.max(0, columns - width(text)))
  return right ? gap + text : text + gap
}

/** Code units of one column: Unicode's longest emoji have 15, on two columns. */
const UNITS_A_COLUMN = 16

const NOTHING = /[\p{Mn}\p{Me}\p{Default_Ignorable_Code_Point}]/u
const EMOJI = /\p{Emoji}/u
const MODIFIER = /\p{Emoji_Modifier}/u
const JOINER = '\u200d'
/** Asks for the coloured, wide form of the character before. */
const COLOURED = '\ufe0f'

/** Columns of a text by code points. */
class Columns {
  used = 0
  /** The last code point with columns, and how many. */
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
