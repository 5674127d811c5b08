/** Levels of a stranger's JSON at most. What agon writes has some ten. */
const DEEPEST = 1000

/**
 * Reads JSON that a stranger wrote. Throws a SyntaxError for a text that is none, and for one of more than a thousand levels: the
 * platform needs fifty bytes of memory for each, so that a small compressed file could fill all of it, and code that goes through such a value
 * runs out of stack.
 */
export function parseStrange(text: string): unknown {
  if (isTooDeep(text)) throw new SyntaxError(`more than ${DEEPEST} values, one in the other`)
  return JSON.parse(text)
}

const QUOTE = 0x22
const BACKSLASH = 0x5c

/** Whether brackets are open within each other too often. What is no JSON is read as such up to its first mistake, as by the parser. */
function isTooDeep(text: string): boolean {
  if (text.length <= DEEPEST) return false
  let depth = 0
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at)
    if (code === QUOTE) at = endOfString(text, at)
    // Brackets and braces differ in a bit: [ and {, ] and }.
    else if ((code | 0x20) === 0x7b && ++depth > DEEPEST) return true
    else if ((code | 0x20) === 0x7d) depth--
  }
  return false
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
