/** Where something stands in a TOML document, as smol-toml and zod name it: ['entrants', 2, 'name']. */
export type Place = readonly (string | number)[]

/**
 * The line (from 1) of every key, table and element of a TOML document, so that an error can name it: smol-toml tells values
 * only. The text must be valid TOML; of anything else the lines are merely approximate.
 */
export class TomlLines {
  private known: Map<string, number> | undefined

  constructor(private readonly text: string) {}

  /** Made when the first mistake is to be told: most files have none. */
  private get lines(): Map<string, number> {
    if (this.known !== undefined) return this.known
    const lines = new Map<string, number>()
    scan(this.text, (place, line) => {
      if (place.length > DEEPEST) return
      const key = JSON.stringify(place)
      if (!lines.has(key)) lines.set(key, line)
    })
    this.known = lines
    return lines
  }

  /** The line of a place, or of the nearest one around it that is written down. */
  of(place: Place): number {
    for (let length = Math.min(place.length, DEEPEST); length > 0; length--) {
      const line = this.lines.get(JSON.stringify(place.slice(0, length)))
      if (line !== undefined) return line
    }
    return 1
  }
}

/** Parts of a place that are told apart: no key of ours has as many, and a line may have a hundred thousand. */
const DEEPEST = 32

function scan(text: string, found: (place: Place, line: number) => void): void {
  let at = 0
  let line = 1
  let table: Place = []
  /** How many elements each array of tables has so far. */
  const counts = new Map<string, number>()

  const step = (n = 1): void => {
    for (const end = Math.min(at + n, text.length); at < end; at++) if (text[at] === '\n') line++
  }
  const skip = (pattern: RegExp): string => {
    pattern.lastIndex = at
    const match = pattern.exec(text)?.[0] ?? ''
    step(match.length)
    return match
  }
  // Loops, where a regular expression would remember every turn of a repeated group.
  const blanks = (): void => {
    while (skip(/\s+/y) !== '' || skip(/#[^\n]*/y) !== '') continue
  }
  const string = (): string => {
    const start = at
    const quote = /^(?:"""|'''|"|')/.exec(text.slice(at, at + 3))?.[0] ?? ''
    step(quote.length)
    while (quote !== '' && at < text.length && !text.startsWith(quote, at))
      step(quote[0] === '"' && text[at] === '\\' ? 2 : 1)
    step(quote.length)
    // A text over several lines may end with one or two quotation marks of its own.
    while (quote.length === 3 && text[at] === quote[0]) step()
    return text.slice(start, at)
  }
  const key = (): string[] => {
    const parts: string[] = []
    do {
      skip(/[ \t.]*/y)
      const quoted = string()
      parts.push(quoted === '' ? skip(/[A-Za-z0-9_-]+/y) : unquote(quoted))
      skip(/[ \t]*/y)
    } while (text[at] === '.')
    return parts.slice(0, DEEPEST)
  }
  /** The tables a header passes through: where one is an array, its last element. */
  const enter = (parts: readonly string[], many: boolean): Place => {
    let place: Place = []
    for (const [n, part] of parts.entries()) {
      place = place.concat(part)
      const id = JSON.stringify(place)
      const last = n === parts.length - 1
      if (last && many) counts.set(id, (counts.get(id) ?? 0) + 1)
      const count = counts.get(id)
      found(place, line)
      if (count !== undefined) place = place.concat(count - 1)
      found(place, line)
    }
    return place
  }
  const pair = (base: Place): void => {
    let place = base
    for (const part of key()) {
      place = place.concat(part)
      found(place, line)
    }
    skip(/[ \t]*=[ \t]*/y)
    value(place)
  }
  const value = (inner: Place): void => {
    const place = inner.length > DEEPEST ? inner.slice(0, DEEPEST + 1) : inner
    if (text[at] === '[') {
      step()
      for (let index = 0; blanks(), at < text.length && text[at] !== ']'; index++) {
        found([...place, index], line)
        value([...place, index])
        blanks()
        if (text[at] === ',') step()
      }
      step()
    } else if (text[at] === '{') {
      step()
      while ((blanks(), at < text.length && text[at] !== '}')) {
        pair(place)
        blanks()
        if (text[at] === ',') step()
      }
      step()
    } else if (string() === '' && skip(/[^\s,\]}#]+/y) === '') step()
  }

  while ((blanks(), at < text.length)) {
    const header = skip(/\[\[?/y)
    if (header === '') pair(table)
    else {
      table = enter(key(), header === '[[')
      skip(/\]+/y)
    }
  }
}

function unquote(text: string): string {
  if (text.startsWith("'")) return text.slice(1, -1)
  try {
    return JSON.parse(text) as string
  } catch {
    return text.slice(1, -1)
  }
}
