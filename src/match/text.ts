import { type MatchRecord, parseStrange } from '../core/index.js'
import { RecordError } from './judge.js'
import { record } from './schema.js'

/** A record as one line of JSON, without newline. */
export function formatRecord(match: MatchRecord): string {
  return JSON.stringify(match)
}

/**
 * Reads one line of records. Throws RecordError, in words for a person, where it was cut off, is of another version, or
 * lacks a part.
 */
export function parseRecord(line: string): MatchRecord {
  let data: unknown
  try {
    data = parseStrange(line)
  } catch {
    throw new RecordError(`not a whole line of JSON (cut off?): …${line.slice(-40)}`)
  }
  const version: unknown = typeof data === 'object' && data !== null && 'agon' in data ? data.agon : undefined
  if (version === undefined) throw new RecordError('not a match record: no "agon" with the format\'s version')
  if (version !== 1)
    throw new RecordError(
      `a record of format version ${JSON.stringify(version).slice(0, 40)}; this agon reads version 1`,
    )
  const parsed = record.safeParse(data)
  if (!parsed.success) {
    const [issue] = parsed.error.issues
    throw new RecordError(`not a match record: ${issue?.path.join('.') || 'the line'}: ${issue?.message}`)
  }
  return parsed.data
}
