/** A text whose control characters, and those that turn the direction of writing, are written out: they can change no screen. */
export function visible(text: string): string {
  return text.replace(
    /[\p{Cc}\p{Cs}\p{Bidi_Control}\u2028\u2029]/gu,
    (c) => `\\u{${(c.codePointAt(0) ?? 0).toString(16)}}`,
  )
}

/** The same data as JSON that can change no screen: terminals obey U+009B as ESC [. `indent`: blanks for each level; absent: one line. */
export function visibleJson(value: unknown, indent?: number): string {
  return JSON.stringify(value, undefined, indent).replace(
    /[\u007f-\u009f\p{Bidi_Control}\u2028\u2029]/gu,
    (c) => `\\u${c.charCodeAt(0).toString(16).padStart(4, '0')}`,
  )
}

/** A text of several lines without what could change a screen; its line ends stay, and its tabs are blanks. */
export function visibleLines(text: string): string {
  return text
    .split('\n')
    .map((line) => visible(line.replaceAll('\t', '    ')))
    .join('\n')
}

/** What follows an error in what interpreters write, and says nothing of it. */
const TRAILING =
  /^(?:note: |Node\.js v\d|at \S|\w+::\w+\(.*\) called at |BEGIN failed|Execution of |\.\.\. \d+ more|or a JavaFX)/

/** The line of a standard error that tells most: the last that names an error, or the last of all. */
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
