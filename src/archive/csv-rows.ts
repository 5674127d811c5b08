import { parse } from 'csv-parse/sync'

/** Cells of a table at most: a small compressed file could else hold so many empty ones that they fill all memory. */
const MOST = 2 ** 25
const COMMA = 0x2c
const NEWLINE = 0x0a

/**
 * The rows below the heading of comma-separated values (RFC 4180, lines ended by CRLF), all as long as the heading. Throws an Error
 * that names the line for anything else.
 */
export function parseCsv(bytes: Buffer | string): string[][] {
  const data = typeof bytes === 'string' ? Buffer.from(bytes) : bytes
  let ends = 0
  for (let at = 0; at < data.length; at++) if (data[at] === COMMA || data[at] === NEWLINE) ends++
  if (ends > MOST) throw new Error(`it has more than ${MOST} cells`)
  return parse(bytes, { record_delimiter: '\r\n' }).slice(1)
}
