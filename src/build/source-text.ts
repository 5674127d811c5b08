/*
 * What is looked for in the sources of strangers. Loops over positions that only go forward: a regular expression that is
 * tried anew from each "/*" or "import" to the end of the file takes the square of its length.
 */

/** A C++ text without its comments; one that never ends is none. */
export function withoutComments(text: string): string {
  const kept: string[] = []
  let from = 0
  /** No comment of several lines ends behind here. */
  let endless = false
  const opening = /\/[/*]/g
  for (let found = opening.exec(text); found !== null; found = opening.exec(text)) {
    const { index: at } = found
    const line = found[0] === '//'
    const end = line ? text.indexOf('\n', at) : endless ? -1 : text.indexOf('*/', at + 2)
    if (end < 0 && !line) {
      endless = true
      // Its second half may open a comment of one line.
      opening.lastIndex = at + 1
      continue
    }
    kept.push(text.slice(from, at))
    from = line ? (end < 0 ? text.length : end) : end + 2
    opening.lastIndex = from
  }
  return kept.join('') + text.slice(from)
}

/** What the first import or export of a file beside a module names, such as './other.js'. */
export function relativeImport(text: string): string | undefined {
  /** The end of the last one that was looked at: whatever stands between two imports belongs to both. */
  let mark = -1
  let named: string | undefined
  for (const { index, 0: word } of text.matchAll(/^[ \t]*(?:import|export)\b(?!\s+type\b)/gm)) {
    if (index + word.length > mark) {
      const ends = /['"`;]/g
      ends.lastIndex = index + word.length
      const end = ends.exec(text)
      if (end === null) return undefined
      mark = end.index
      named = specifierAt(text, mark)
    }
    if (named !== undefined) return named
  }
  return undefined
}

function specifierAt(text: string, at: number): string | undefined {
  const start = /['"]\.{1,2}\//y
  start.lastIndex = at
  if (!start.test(text)) return undefined
  const end = /['"]/g
  end.lastIndex = start.lastIndex
  const close = end.exec(text)
  return close === null || close.index === start.lastIndex ? undefined : text.slice(at + 1, close.index)
}
