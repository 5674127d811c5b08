/** Levels of a stranger's JSON at most. agon writes some ten. */
const DEEPEST = 1000
/** Values at most. A field's largest table has a tenth of them. */
const MOST = 2 ** 22

/**
 * Reads a stranger's JSON. SyntaxError: no JSON, over a thousand levels, or over four million values. Each takes fifty
 * bytes, and its check more, so a small compressed file could fill all memory; and many levels run out of stack.
 */
export function parseStrange(text: string): unknown {
  const excess = excessOf(text)
  if (excess !== undefined) throw new SyntaxError(excess)
  return JSON.parse(text)
}

const QUOTE = 0x22
const BACKSLASH = 0x5c
const COMMA = 0x2c

/** What a text has too much of. What is no JSON is read up to its first mistake, as by the parser. */
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

/** A table's value for a stranger's key: every object also has `constructor` and `__proto__`. */
export function lookUp<T>(table: Readonly<Record<string, T>>, key: string): T | undefined {
  return Object.hasOwn(table, key) ? table[key] : undefined
}

/** JSON with all keys in order: equal things have equal texts. */
export function canonical(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map((item) => canonical(item ?? null)).join()}]`
  if (typeof value !== 'object' || value === null) return JSON.stringify(value) ?? 'null'
  const entries = Object.entries(value).filter(([, item]) => item !== undefined)
  entries.sort(([a], [b]) => (a < b ? -1 : 1))
  return `{${entries.map(([key, item]) => `${JSON.stringify(key)}:${canonical(item)}`).join()}}`
}
