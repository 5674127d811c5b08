/** A text with its control characters, and those that turn writing's direction, written out: they change no screen. */
export function visible(text: string): string {
  return text.replace(
    /[\p{Cc}\p{Cs}\p{Bidi_Control}\u2028\u2029]/gu,
    (c) => `\\u{${(c.codePointAt(0) ?? 0).toString(16)}}`,
  )
}

/**
 * JSON of the same data that changes no screen: terminals obey U+009B as ESC [. `indent`: blanks a level; absent: one
 * line.
 */
export function visibleJson(value: unknown, indent?: number): string {
  return JSON.stringify(value, undefined, indent).replace(
    /[\u007f-\u009f\p{Bidi_Control}\u2028\u2029]/gu,
    (c) => `\\u${c.charCodeAt(0).toString(16).padStart(4, '0')}`,
  )
}

/** A text of several lines without what could change a screen; line ends stay, tabs become blanks. */
export function visibleLines(text: string): string {
  return text
    .split('\n')
    .map((line) => visible(line.replaceAll('\t', '    ')))
    .join('\n')
}

/** What interpreters write behind an error, which says nothing of it. */
const TRAILING =
  /^(?:note: |Node\.js v\d|at \S|\w+::\w+\(.*\) called at |BEGIN failed|Execution of |\.\.\. \d+ more|or a JavaFX)/

/** Standard error's most telling line: the last that names an error, or the last. */
export function tellingLine(stderr: string): string | undefined {
  const lines = stderr
    .split('\n')
    .flatMap((line) => (line.trim() === '' ? [] : [line.trim()]))
    .reverse()
  return (
    lines.find((line) => /^(?:[\w.:]*(?:Error|Exception)\b|.*\berror:)/.test(line)) ??
    lines.find((line) => !TRAILING.test(line)) ??
    lines[0]
  )
}
