/** A text whose control characters, and those that turn the direction of writing, are written out: they can change no screen. */
export function visible(text: string): string {
  return text.replace(
    /[\p{Cc}\p{Cs}\u200e\u200f\u2028-\u202e\u2066-\u2069]/gu,
    (c) => `\\u{${(c.codePointAt(0) ?? 0).toString(16)}}`,
  )
}

/** A text of several lines without what could change a screen; its line ends stay. */
export function visibleLines(text: string): string {
  return text.split('\n').map(visible).join('\n')
}
