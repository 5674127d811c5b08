/** The rows below the heading of comma-separated values (RFC 4180). What follows the first thing that is none is not read. */
export function parseCsv(text: string): string[][] {
  const rows: string[][] = []
  let row: string[] = []
  let at = 0
  while (at < text.length || row.length > 0) {
    const [value, end] = text[at] === '"' ? quotedAt(text, at) : plainAt(text, at)
    row.push(value)
    at = end
    if (text[at] === ',') at++
    else {
      rows.push(row)
      row = []
      if (!text.startsWith('\r\n', at)) break
      at += 2
    }
  }
  return rows.slice(1)
}

/** A value in quotation marks and where it ends: each character is looked at once, however many marks there are. */
function quotedAt(text: string, open: number): [value: string, end: number] {
  let value = ''
  for (let from = open + 1; ;) {
    const mark = text.indexOf('"', from)
    if (mark < 0) return [value + text.slice(from), text.length]
    value += text.slice(from, mark)
    if (text[mark + 1] !== '"') return [value, mark + 1]
    value += '"'
    from = mark + 2
  }
}

function plainAt(text: string, at: number): [value: string, end: number] {
  const end = /[",\r\n]|$/g
  end.lastIndex = at
  const { index } = end.exec(text) ?? { index: text.length }
  return [text.slice(at, index), index]
}
