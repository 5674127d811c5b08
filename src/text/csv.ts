import { visible } from '../core/index.js'

/**
 * Where a spreadsheet may see a formula begin: also after blanks, with wide characters, and after a semicolon where commas part
 * decimals.
 */
const FORMULA = /(^|;)(\s*)(?=[=+\-@＝＋－＠])/gu

/**
 * A name as a CSV cell: visible, and no formula that a spreadsheet would run. The quotation mark before it is their own way.
 */
export function cellText(name: string): string {
  return visible(name).replace(FORMULA, "$1'$2")
}

/** Comma-separated values as RFC 4180 has them, lines ended by CRLF. */
export function csv(rows: readonly (readonly string[])[]): string {
  const quoted = (cell: string): string => (/[",\r\n]/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell)
  return rows.map((row) => `${row.map(quoted).join(',')}\r\n`).join('')
}
