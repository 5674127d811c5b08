import { parse } from 'csv-parse/sync'

/**
 * The rows below the heading of comma-separated values (RFC 4180, lines ended by CRLF), all as long as the heading. Throws an Error
 * that names the line for anything else.
 */
export function parseCsv(bytes: Buffer | string): string[][] {
  return parse(bytes, { record_delimiter: '\r\n' }).slice(1)
}
