/** Where something stands in a TOML document, as smol-toml and zod name it: ['entrants', 2, 'name']. */
export type TomlPath = readonly (string | number)[]

/**
 * The line (from 1) of every table and key of a TOML document, for errors: smol-toml gives values only. A value's contents stand on the
 * line of its key. The text must be valid TOML; of anything else the lines are merely approximate.
 */
export class TomlLines {
  /** Found when the first mistake is reported: most files have none. */
  private lines: Map<string, number> | undefined

  constructor(private readonly text: string) {}

  /** The line of a place, or of the nearest one around it that is written down. */
  of(place: TomlPath): number {
    this.lines ??= linesOf(this.text)
    for (let length = Math.min(place.length, DEEPEST); length > 0; length--) {
      const line = this.lines.get(JSON.stringify(place.slice(0, length)))
      if (line !== undefined) return line
    }
    return 1
  }
}

/** Parts of a place told apart: no key of ours has as many, and a line may have a hundred thousand. */
const DEEPEST = 32

function linesOf(text: string): Map<string, number> {
  const lines = new Map<string, number>()
  /** How many elements each array of tables has so far. */
  const counts = new Map<string, number>()
  let table: TomlPath = []
  /** Arrays and inline tables that are open: what stands in them is a value's. */
  let open = 0
  for (const [n, row] of withoutTexts(text).split('\n').entries()) {
    if (row === '') continue
    const [, header = '', name] = open > 0 ? [] : (/^\s*(\[{0,2})([^\]=]+)[\]=]/.exec(row) ?? [])
    const keys = name?.split('.').slice(0, DEEPEST) ?? []
    let place = header === '' ? table : []
    const found = (part: string | number): string => {
      place = [...place, part]
      const id = JSON.stringify(place)
      if (!lines.has(id)) lines.set(id, n + 1)
      return id
    }
    for (const [i, key] of keys.entries()) {
      const id = found(key.trim().replace(/^(["'])(.*)\1$/, '$2'))
      if (header === '[[' && i === keys.length - 1) counts.set(id, (counts.get(id) ?? 0) + 1)
      // A header passes through the last element of an array.
      const count = counts.get(id)
      if (count !== undefined) found(count - 1)
    }
    if (header !== '') table = place
    open += row.replace(/[^[{]/g, '').length - row.replace(/[^\]}]/g, '').length
  }
  return lines
}

/** The same lines without comments, and without what might be taken for TOML in a text. */
const withoutTexts = (text: string): string =>
  text.replace(
    /"""[^]*?(?=""")(?<=[^\\](?:\\\\)*)"{3,5}|'''[^]*?'{3,5}|"[^\n]*?(?=")(?<=[^\\](?:\\\\)*)"|'[^'\n]*'|#[^\n]*/g,
    (found) => (found.startsWith('#') ? '' : found.replace(/[[\]{}=.]/g, ' ')),
  )
