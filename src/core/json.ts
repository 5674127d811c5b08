/** Levels of a stranger's JSON at most. What agon writes has some ten. */
const DEEPEST = 1000
/** Values of one at most. The largest table of a field has a tenth of them. */
const MOST = 2 ** 22

/**
 * Reads JSON that a stranger wrote. Throws a SyntaxError for a text that is none, for one of more than a thousand levels, and for one of more
 * than four million values. The platform needs fifty bytes of memory for each of them, and a check of them more, so that a small
 * compressed file could fill all of it; and code that goes through many levels runs out of stack.
 */
export function parseStrange(text: string): unknown {
  const excess = excessOf(text)
  if (excess !== undefined) throw new SyntaxError(excess)
  return JSON.parse(text)
}

const QUOTE = 0x22
const BACKSLASH = 0x5c
const COMMA = 0x2c

/** What a text has too much of. What is no JSON is read as such up to its first mistake, as by the parser. */
function excessOf(text: string): string | undefined {
  if (text.length <= DEEPEST) return undefined
  let depth = 0
  let values = 1
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at)
    if (code === QUOTE) at = endOfString(text, at)
    else if (code === COMMA) values++
    // Brackets and braces differ in a bit: [ and {, ] and }.
    else if ((code | 0x20) === 0x7b) {
      values++
      if (++depth > DEEPEST) return `more than ${DEEPEST} values, one in the other`
    } else if ((code | 0x20) === 0x7d) depth--
    if (values > MOST) return `more than ${MOST} values`
  }
  return undefined
}

/** The place of the quote that ends a string. */
function endOfString(text: string, from: number): number {
  for (let at = text.indexOf('"', from + 1); at >= 0; at = text.indexOf('"', at + 1)) {
    let before = at
    while (text.charCodeAt(before - 1) === BACKSLASH) before--
    if ((at - before) % 2 === 0) return at
  }
  return text.length
}

/** What a table has for a key that a stranger chose: every object also has `constructor` and `__proto__`. */
export function lookUp<T>(table: Readonly<Record<string, T>>, key: string): T | undefined {
  return Object.hasOwn(table, key) ? table[key] : undefined
}

/** JSON with the keys of every object in order, so that equal things have equal texts. */
export function canonical(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map((item) => canonical(item ?? null)).join()}]`
  if (typeof value !== 'object' || value === null) return JSON.stringify(value) ?? 'null'
  const entries = Object.entries(value).filter(([, item]) => item !== undefined)
  entries.sort(([a], [b]) => (a < b ? -1 : 1))
  return `{${entries.map(([key, item]) => `${JSON.stringify(key)}:${canonical(item)}`).join()}}`
}
