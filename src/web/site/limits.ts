/** The limits that have a field of their own; a contest file may name more. */
export const LIMITS = [
  { name: 'turn', label: 'Milliseconds for an answer', least: 1, most: 3_600_000 },
  { name: 'output', label: 'Bytes of an answer', least: 1, most: 100_000_000 },
  { name: 'memory', label: 'Bytes of memory', least: 1, most: 1e12 },
] as const

/** Where the table of limits stands among the lines: from its heading to the next one, that excluded. */
function tableOf(lines: readonly string[]): { readonly from: number; readonly to: number } | undefined {
  const from = lines.findIndex((line) => /^\s*\[\s*limits\s*\]/.test(line))
  if (from < 0) return undefined
  const next = lines.findIndex((line, i) => i > from && /^\s*\[/.test(line))
  return { from, to: next < 0 ? lines.length : next }
}

const isOf = (line: string, name: string): boolean => new RegExp(`^\\s*${name}\\s*=`).test(line)

/** What a contest file says of a limit; undefined: nothing. */
export function limitIn(toml: string, name: string): string | undefined {
  const lines = toml.split('\n')
  const table = tableOf(lines)
  const line = table && lines.slice(table.from + 1, table.to).find((one) => isOf(one, name))
  return line === undefined ? undefined : /=\s*([\d_]+)/.exec(line)?.[1]?.replaceAll('_', '')
}

/** The contest file with another limit; '': with none of that name. Comments stay. */
export function withLimit(toml: string, name: string, value: string): string {
  if (!/^\d*$/.test(value)) return toml
  const lines = toml.split('\n')
  const table = tableOf(lines)
  const at = table ? lines.findIndex((line, i) => i > table.from && i < table.to && isOf(line, name)) : -1
  if (at >= 0) {
    const line = lines[at] ?? ''
    return (value === '' ? lines.toSpliced(at, 1) : lines.with(at, line.replace(/=\s*[\d_]*/, `= ${value}`))).join('\n')
  }
  if (value === '') return toml
  if (table) return lines.toSpliced(table.from + 1, 0, `${name} = ${value}`).join('\n')
  // Entrants come last in most files, and a table may stand anywhere before them.
  const entrants = lines.findIndex((line) => /^\s*\[\[/.test(line))
  const before = entrants < 0 ? lines.length : entrants
  return lines.toSpliced(before, 0, '[limits]', `${name} = ${value}`, '').join('\n')
}
