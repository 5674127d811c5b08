/**
 * Splits a command as a shell would, without a shell: blanks separate, 'single quotes' keep everything, "double quotes"
 * keep all but \" and \\, a backslash outside quotes keeps the next character. Nothing is expanded. Throws RangeError,
 * for a person, where a quote is never closed or nothing follows the last backslash.
 */
export function splitCommand(text: string): string[] {
  const words: string[] = []
  let word: string | undefined
  for (const [part, single, double, escaped] of text.matchAll(PARTS)) {
    if (part === '\\') throw new RangeError(`nothing follows the last backslash of ${JSON.stringify(text)}`)
    if (part === "'" || part === '"')
      throw new RangeError(`the quote ${part} is never closed in ${JSON.stringify(text)}`)
    if (/^\s/.test(part)) {
      if (word !== undefined) words.push(word)
      word = undefined
    } else word = (word ?? '') + (single ?? double?.replace(/\\(["\\])/g, '$1') ?? escaped ?? part)
  }
  if (word !== undefined) words.push(word)
  return words
}

/** Blanks, quoted texts, escaped characters and others; a lone quote or backslash lacks what has to follow it. */
const PARTS = /\s+|'([^']*)'|"((?:\\[^]|[^"\\])*)"|\\([^])|['"\\]|[^\s'"\\]+/g

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

/** A word that can only be meant as a file. */
export const isFileName = (word: string): boolean =>
  !/[\s;&|<>(){}$*'"=]/.test(word) &&
  !word.startsWith('-') &&
  (/^\.{0,2}\//.test(word) || /\.(?:py|pl|rb|sh|js|mjs|cjs|ts|jar|lua|php|awk|tcl|jl|hs|scm|lisp|r|exe)$/i.test(word))
