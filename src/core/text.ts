/** A text whose control characters, and those that turn the direction of writing, are written out: they can change no screen. */
export function visible(text: string): string {
  return text.replace(
    /[\p{Cc}\p{Cs}\u200e\u200f\u2028-\u202e\u2066-\u2069]/gu,
    (c) => `\\u{${(c.codePointAt(0) ?? 0).toString(16)}}`,
  )
}

/** Columns of a terminal: East Asian wide characters and emoji take two, marks that sit on another letter none. */
export function width(text: string): number {
  let columns = 0
  for (const c of text) columns += widthOf(c)
  return columns
}

/** A text of at most that many columns, its end replaced by an ellipsis where it is longer. */
export function shorten(text: string, columns: number): string {
  if (width(text) <= columns) return text
  let kept = ''
  let room = columns - 1
  for (const c of text) {
    room -= widthOf(c)
    if (room < 0) break
    kept += c
  }
  return `${kept}…`
}

/** A text filled up with blanks to that many columns: behind it, or before it with `right`. */
export function pad(text: string, columns: number, right = false): string {
  const gap = ' '.repeat(Math.max(0, columns - width(text)))
  return right ? gap + text : text + gap
}

const widthOf = (c: string): number => (/\p{M}|\u200d/u.test(c) ? 0 : WIDE.test(c) ? 2 : 1)
const WIDE =
  /[\u1100-\u115f\u2e80-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff00-\uff60\uffe0-\uffe6\u{1f300}-\u{1faff}\u{20000}-\u{3fffd}]/u

/** A text of several lines without what could change a screen; its line ends stay. */
export function visibleLines(text: string): string {
  return text.split('\n').map(visible).join('\n')
}
