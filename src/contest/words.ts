/**
 * Splits a command as a shell would, without a shell: blanks separate, 'single quotes' keep everything, "double quotes" keep
 * all but \" and \\, a backslash outside quotes keeps the next character. Nothing is expanded. Throws a RangeError, for a
 * person, where a quote is never closed or nothing follows the last backslash.
 */
export function splitCommand(text: string): string[] {
  const words: string[] = []
  let word: string | undefined
  for (let at = 0; at < text.length; at++) {
    const c = text[at] as string
    if (/\s/.test(c)) {
      if (word !== undefined) words.push(word)
      word = undefined
    } else if (c === "'" || c === '"') {
      const [inner, end] = quoted(text, at)
      word = (word ?? '') + inner
      at = end
    } else if (c === '\\') {
      if (++at === text.length) throw new RangeError(`nothing follows the last backslash of ${JSON.stringify(text)}`)
      word = (word ?? '') + text[at]
    } else word = (word ?? '') + c
  }
  if (word !== undefined) words.push(word)
  return words
}

/** The words of a command that somebody wrote. Throws a RangeError, for a person, also for what only a shell would understand. */
export function commandWords(text: string): string[] {
  const bare = text.replace(/\\.|'[^']*'|"(?:\\.|[^"\\])*"/gs, (quoted) => 'x'.repeat(quoted.length))
  // A redirection, a pipe, or another command behind it.
  const sign = /(?<=^|\s)(?:\d*>>?&?\S*|&>\S*|\d*<\S*|\|\|?|&&?|;)(?=\s|$)/.exec(bare)?.[0]
  if (sign !== undefined)
    throw new RangeError(
      `${JSON.stringify(sign)} in ${JSON.stringify(text)} is for a shell, and there is no shell: leave it out, or quote it`,
    )
  return splitCommand(text)
}

/** One text that `splitCommand` splits into these words again. */
export function joinCommand(words: readonly string[]): string {
  return words.map((word) => (/^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`)).join(' ')
}

function quoted(text: string, open: number): [inner: string, end: number] {
  const quote = text[open]
  let inner = ''
  for (let at = open + 1; at < text.length; at++) {
    if (text[at] === quote) return [inner, at]
    if (quote === '"' && text[at] === '\\' && /["\\]/.test(text[at + 1] ?? '')) at++
    inner += text[at]
  }
  throw new RangeError(`the quote ${quote} is never closed in ${JSON.stringify(text)}`)
}

/** A word that can only be meant as a file. */
export const isFileName = (word: string): boolean =>
  !/[\s;&|<>(){}$*'"=]/.test(word) &&
  !word.startsWith('-') &&
  (/^\.{0,2}\//.test(word) || /\.(?:py|pl|rb|sh|js|mjs|cjs|ts|jar|lua|php|awk|tcl|jl|hs|scm|lisp|r|exe)$/i.test(word))
