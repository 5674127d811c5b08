interface ContestField {
  /** The table of the contest file that it stands in; '': above all tables. */
  readonly table: '' | 'format' | 'limits'
  readonly key: string
  readonly label: string
  readonly kind: 'text' | 'number' | 'flag'
}

/** The keys of a contest file that have a field of their own above it; a file may say more. */
export const FIELDS: readonly ContestField[] = [
  { table: '', key: 'title', label: 'Title', kind: 'text' },
  { table: '', key: 'notice', label: 'Notice on its page', kind: 'text' },
  { table: 'format', key: 'repetitions', label: 'Repetitions', kind: 'number' },
  { table: 'limits', key: 'turn', label: 'Milliseconds for an answer', kind: 'number' },
  { table: 'limits', key: 'output', label: 'Bytes of an answer', kind: 'number' },
  { table: 'limits', key: 'memory', label: 'Bytes of memory', kind: 'number' },
  { table: '', key: 'signup', label: 'Anyone may sign up', kind: 'flag' },
  { table: '', key: 'sittings', label: 'People may play against its bots', kind: 'flag' },
  { table: '', key: 'publish', label: 'Sources are public at its end', kind: 'flag' },
]

type Place = Pick<ContestField, 'table' | 'key' | 'kind'>

/** Where a table stands among the lines: from the line after its heading to the next one, that excluded. */
function tableOf(lines: readonly string[], table: string): { readonly from: number; readonly to: number } | undefined {
  const heading = table === '' ? -1 : lines.findIndex((line) => new RegExp(`^\\s*\\[\\s*${table}\\s*\\]`).test(line))
  if (table !== '' && heading < 0) return undefined
  const next = lines.findIndex((line, i) => i > heading && /^\s*\[/.test(line))
  return { from: heading + 1, to: next < 0 ? lines.length : next }
}

const VALUES = { text: /=\s*("(?:\\.|[^"\\])*")/, number: /=\s*([\d_]+)/, flag: /=\s*(true|false)/ } as const

function lineOf(lines: readonly string[], { table, key }: Place): number {
  const { from, to } = tableOf(lines, table) ?? { from: 0, to: 0 }
  return lines.findIndex((line, i) => i >= from && i < to && new RegExp(`^\\s*${key}\\s*=`).test(line))
}

/** What a contest file says at a place, as a field shows it; undefined: nothing, or nothing that a field can show. */
export function valueIn(toml: string, place: Place): string | undefined {
  const lines = toml.split('\n')
  const value = VALUES[place.kind].exec(lines[lineOf(lines, place)] ?? '')?.[1]
  if (value === undefined || place.kind !== 'text') return value?.replaceAll('_', '')
  try {
    return String(JSON.parse(value))
  } catch {
    return undefined
  }
}

/** The contest file with another value at a place; '': with none. Comments stay. */
export function withValue(toml: string, place: Place, value: string): string {
  if (place.kind === 'number' && !/^\d*$/.test(value)) return toml
  const written = place.kind === 'text' ? JSON.stringify(value) : value
  const lines = toml.split('\n')
  const at = lineOf(lines, place)
  const line = lines[at]
  if (line !== undefined) {
    if (value === '') return lines.toSpliced(at, 1).join('\n')
    // What a field cannot show is left to the file.
    if (!VALUES[place.kind].test(line)) return toml
    return lines
      .with(
        at,
        line.replace(VALUES[place.kind], () => `= ${written}`),
      )
      .join('\n')
  }
  if (value === '') return toml
  const own = `${place.key} = ${written}`
  const table = tableOf(lines, place.table)
  if (place.table !== '' && table) return lines.toSpliced(table.from, 0, own).join('\n')
  if (table) {
    const top = lines.slice(0, table.to).findLastIndex((one) => one.trim() !== '') + 1
    return lines.toSpliced(top, 0, own).join('\n')
  }
  // Entrants come last in most files, and a table may stand anywhere before them.
  const entrants = lines.findIndex((one) => /^\s*\[\[/.test(one))
  return lines.toSpliced(entrants < 0 ? lines.length : entrants, 0, `[${place.table}]`, own, '').join('\n')
}
