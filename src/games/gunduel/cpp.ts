/** A word, number or character of C++, and its line, from 1. */
export interface Token {
  readonly text: string
  readonly line: number
}

const WORD = /[\w$]/

/** A C++ file's words without comments, texts and preprocessor lines; `::` is one. Looks at each character once. */
export function tokensOf(source: string): Token[] {
  const tokens: Token[] = []
  let line = 1
  let fresh = true
  let at = 0
  /** Goes on to a place, counting lines. */
  const goTo = (end: number): void => {
    for (; at < end && at < source.length; at++) if (source[at] === '\n') line++
  }
  while (at < source.length) {
    const c = source[at] as string
    if (c === '\n') {
      goTo(at + 1)
      fresh = true
    } else if (/\s/.test(c)) at++
    else if (c === '/' && source[at + 1] === '/') goTo(endOfLine(source, at))
    else if (c === '/' && source[at + 1] === '*') goTo(after(source, '*/', at + 2))
    else if (c === '#' && fresh) goTo(endOfLine(source, at))
    else {
      fresh = false
      if (c === 'R' && source[at + 1] === '"') goTo(endOfRaw(source, at))
      else if (c === '"' || c === "'") goTo(endOfText(source, at))
      else {
        let end = at + 1
        if (WORD.test(c)) while (end < source.length && isInWord(source, end)) end++
        else if (source.startsWith('::', at)) end = at + 2
        tokens.push({ text: source.slice(at, end), line })
        at = end
      }
    }
  }
  return tokens
}

/** A quote between digits belongs to the number: 1'000. */
const isInWord = (source: string, at: number): boolean =>
  WORD.test(source[at] as string) ||
  (source[at] === "'" && /\d/.test(source[at - 1] as string) && /[\da-fA-F]/.test(source[at + 1] ?? ''))

function after(source: string, what: string, from: number): number {
  const at = source.indexOf(what, from)
  return at < 0 ? source.length : at + what.length
}

/** The end of a line that may go on behind a backslash. */
function endOfLine(source: string, from: number): number {
  for (let at = from; ; at++) {
    at = source.indexOf('\n', at)
    if (at < 0) return source.length
    if (source[at - 1] !== '\\' && !(source[at - 1] === '\r' && source[at - 2] === '\\')) return at
  }
}

/** The end of "…" or '…'; unclosed it ends with its line. */
function endOfText(source: string, from: number): number {
  for (let at = from + 1; at < source.length; at++) {
    if (source[at] === '\\') at++
    else if (source[at] === source[from]) return at + 1
    else if (source[at] === '\n') return at
  }
  return source.length
}

/** The end of R"x(…)x". */
function endOfRaw(source: string, from: number): number {
  const open = source.indexOf('(', from)
  // The language allows a delimiter of 16 characters.
  if (open < 0 || open - from > 18) return endOfText(source, from + 1)
  return after(source, `)${source.slice(from + 2, open)}"`, open)
}
