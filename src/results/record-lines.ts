import { createReadStream, existsSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { createGunzip } from 'node:zlib'
import { UserError, message, option, command, messageOf } from '../core/index.js'
import { pause } from '../files/index.js'
import { partSize } from './folder-files.js'

/** The file of records at a path: itself, or in a results folder. Throws UserError where there is none. */
export function recordsFile(path: string): string {
  if (!existsSync(path)) throw new UserError(`${path}: no such file; give a file of match records, or a results folder`)
  if (!statSync(path).isDirectory()) return path
  const file = join(path, 'records.jsonl')
  if (existsSync(file)) {
    partSize(file)
    return file
  }
  const begun = existsSync(join(path, 'contest.json'))
  throw new UserError(
    begun
      ? message`${path} holds no records.jsonl: its run has not ended; continue with ${command('run …')} ${option('resume')}`
      : `${path} holds no records.jsonl; give a file of match records, or a results folder`,
  )
}

/** Bytes of the longest line: one of a small compressed file could fill all memory. */
const LINE_BYTES = 2 ** 28
/** Empty lines of a file: passing over hundreds of millions takes minutes, and no agon writes any. */
const EMPTY_LINES = 1_000_000

/**
 * A file's lines (of a gzip-compressed one if its name ends in .gz), one at a time; only '\n' ends a line. `start`: the first byte. Throws
 * UserError for an unreadable file, a line of more than `most` bytes, and more than a million empty lines.
 */
export async function* linesOf(file: string, start = 0, most = LINE_BYTES): AsyncGenerator<string> {
  if (!existsSync(file)) throw new UserError(`${file}: no such file`)
  if (statSync(file).isDirectory()) throw new UserError(`${file} is a folder; give a file of JSON lines`)
  const source = createReadStream(file, { start })
  const stream = file.endsWith('.gz') ? source.pipe(createGunzip()) : source
  if (stream !== source) source.on('error', (error) => stream.destroy(error))
  let rest: Buffer[] = []
  let held = 0
  let empty = 0
  try {
    for await (const chunk of stream as AsyncIterable<Buffer>) {
      let at = 0
      for (let end = chunk.indexOf(10); end >= 0; end = chunk.indexOf(10, at)) {
        const isEmpty = held === 0 && (end === at || (end === at + 1 && chunk[at] === 13))
        if (isEmpty && ++empty > EMPTY_LINES) throw new Error(`more than ${EMPTY_LINES} of its lines are empty`)
        yield rest.length === 0
          ? chunk.toString('utf8', at, end)
          : Buffer.concat([...rest, chunk.subarray(at, end)]).toString()
        rest = []
        held = 0
        at = end + 1
        // Handling a line may take as long as a match.
        const pausing = pause()
        if (pausing !== undefined) await pausing
      }
      rest.push(chunk.subarray(at))
      held += chunk.length - at
      if (held > most) throw new Error(`a line has more than ${most} bytes`)
    }
  } catch (error) {
    throw new UserError(`${file}: cannot be read: ${messageOf(error)}`)
  }
  const last = Buffer.concat(rest).toString()
  if (last !== '') yield last
}
