import { visible } from '../core/index.js'

/**
 * Where a spreadsheet may see a formula begin: it may pass over blanks, take wide characters for the usual ones, and, where commas part
 * decimals, begin a cell after a semicolon.
 */
const FORMULA = /(^|;)(\s*)(?=[=+\-@＝＋－＠])/gu

/**
 * A name as a cell of comma-separated values: visible, and no formula to a spreadsheet, which would run it. A quotation mark
 * before it is what spreadsheets themselves put there.
 */
export function cellText(name: string): string {
  return visible(name).replace(FORMULA, "$1'$2")
}

/** Comma-separated values as RFC 4180 has them, lines ended by CRLF. */
export function csv(rows: readonly (readonly string[])[]): string {
  const quoted = (cell: string): string => (/[",\r\n]/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell)
  return rows.map((row) => `${row.map(quoted).join(',')}\r\n`).join('')
}
