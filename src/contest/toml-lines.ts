/** Where something stands in a TOML document, as smol-toml and zod name it: ['entrants', 2, 'name']. */
export type TomlPath = readonly (string | number)[]

/**
 * The line (from 1) of every key, table and element of a TOML document, so that an error can name it: smol-toml gives values
 * only. The text must be valid TOML; of anything else the lines are merely approximate.
 */
export class TomlLines {
  private known: Map<string, number> | undefined

  constructor(private readonly text: string) {}

  /** Made when the first mistake is reported: most files have none. */
  private get lines(): Map<string, number> {
    if (this.known !== undefined) return this.known
    const lines = new Map<string, number>()
    const scan = new Scan(this.text, (place, line) => {
      if (place.length > DEEPEST) return
      const key = JSON.stringify(place)
      if (!lines.has(key)) lines.set(key, line)
    })
    scan.document()
    this.known = lines
    return lines
  }

  /** The line of a place, or of the nearest one around it that is written down. */
  of(place: TomlPath): number {
    for (let length = Math.min(place.length, DEEPEST); length > 0; length--) {
      const line = this.lines.get(JSON.stringify(place.slice(0, length)))
      if (line !== undefined) return line
    }
    return 1
  }
}

/** Parts of a place that are distinguished: no key of ours has as many, and a line may have a hundred thousand. */
const DEEPEST = 32

/** One walk through a text, which reports every place that it finds. Each method reads what it is named after. */
class Scan {
  private at = 0
  private line = 1
  /** How many elements each array of tables has so far. */
  private readonly counts = new Map<string, number>()

  constructor(
    private readonly text: string,
    private readonly found: (place: TomlPath, line: number) => void,
  ) {}

  document(): void {
    let table: TomlPath = []
    while ((this.blanks(), this.at < this.text.length)) {
      const header = this.skip(/\[\[?/y)
      if (header === '') this.pair(table)
      else {
        table = this.enter(this.key(), header === '[[')
        this.skip(/\]+/y)
      }
    }
  }

  /** The tables a header passes through: where one is an array, its last element. */
  private enter(parts: readonly string[], many: boolean): TomlPath {
    let place: TomlPath = []
    for (const [n, part] of parts.entries()) {
      place = place.concat(part)
      const id = JSON.stringify(place)
      const last = n === parts.length - 1
      if (last && many) this.counts.set(id, (this.counts.get(id) ?? 0) + 1)
      const count = this.counts.get(id)
      this.found(place, this.line)
      if (count !== undefined) place = place.concat(count - 1)
      this.found(place, this.line)
    }
    return place
  }

  private pair(base: TomlPath): void {
    let place = base
    for (const part of this.key()) {
      place = place.concat(part)
      this.found(place, this.line)
    }
    this.skip(/[ \t]*=[ \t]*/y)
    this.value(place)
  }

  private key(): string[] {
    const parts: string[] = []
    do {
      this.skip(/[ \t.]*/y)
      const quoted = this.string()
      parts.push(quoted === '' ? this.skip(/[A-Za-z0-9_-]+/y) : unquote(quoted))
      this.skip(/[ \t]*/y)
    } while (this.text[this.at] === '.')
    return parts.slice(0, DEEPEST)
  }

  private value(inner: TomlPath): void {
    const place = inner.length > DEEPEST ? inner.slice(0, DEEPEST + 1) : inner
    if (this.text[this.at] === '[') this.array(place)
    else if (this.text[this.at] === '{') this.inlineTable(place)
    else if (this.string() === '' && this.skip(/[^\s,\]}#]+/y) === '') this.step()
  }

  private array(place: TomlPath): void {
    this.step()
    for (let index = 0; this.goesOn(']'); index++) {
      this.found([...place, index], this.line)
      this.value([...place, index])
      this.separator()
    }
    this.step()
  }

  private inlineTable(place: TomlPath): void {
    this.step()
    while (this.goesOn('}')) {
      this.pair(place)
      this.separator()
    }
    this.step()
  }

  /** Whether something comes before the end of an array or a table. */
  private goesOn(end: string): boolean {
    this.blanks()
    return this.at < this.text.length && this.text[this.at] !== end
  }

  private separator(): void {
    this.blanks()
    if (this.text[this.at] === ',') this.step()
  }

  /** With its quotation marks; empty where there is none. */
  private string(): string {
    const { text, at: start } = this
    const quote = /^(?:"""|'''|"|')/.exec(text.slice(start, start + 3))?.[0] ?? ''
    this.step(quote.length)
    while (quote !== '' && this.at < text.length && !text.startsWith(quote, this.at))
      this.step(quote[0] === '"' && text[this.at] === '\\' ? 2 : 1)
    this.step(quote.length)
    // A text over several lines may end with one or two quotation marks of its own.
    while (quote.length === 3 && text[this.at] === quote[0]) this.step()
    return text.slice(start, this.at)
  }

  // Loops, where a regular expression would remember every turn of a repeated group.
  private blanks(): void {
    while (this.skip(/\s+/y) !== '' || this.skip(/#[^\n]*/y) !== '') continue
  }

  private skip(pattern: RegExp): string {
    pattern.lastIndex = this.at
    const match = pattern.exec(this.text)?.[0] ?? ''
    this.step(match.length)
    return match
  }

  private step(n = 1): void {
    for (const end = Math.min(this.at + n, this.text.length); this.at < end; this.at++)
      if (this.text[this.at] === '\n') this.line++
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
