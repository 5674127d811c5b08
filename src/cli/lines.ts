import { createReadStream, existsSync, statSync } from 'node:fs'
import { createGunzip } from 'node:zlib'
import { UserError } from '../core/index.js'

/** The lines of a file (of a gzip-compressed one where its name ends in .gz), one at a time; a line ends at '\n' and nowhere else. */
export async function* linesOf(file: string): AsyncGenerator<string> {
  if (!existsSync(file) || statSync(file).isDirectory())
    throw new UserError(`${file}: no such file; give a file of JSON lines`)
  const source = createReadStream(file)
  const stream = file.endsWith('.gz') ? source.pipe(createGunzip()) : source
  if (stream !== source) source.on('error', (error) => stream.destroy(error))
  let rest: Buffer[] = []
  try {
    for await (const chunk of stream as AsyncIterable<Buffer>) {
      let at = 0
      for (let end = chunk.indexOf(10); end >= 0; end = chunk.indexOf(10, at)) {
        yield Buffer.concat([...rest, chunk.subarray(at, end)]).toString()
        rest = []
        at = end + 1
      }
      rest.push(chunk.subarray(at))
    }
  } catch (error) {
    throw new UserError(`${file}: cannot be read: ${error instanceof Error ? error.message : String(error)}`)
  }
  const last = Buffer.concat(rest).toString()
  if (last !== '') yield last
}
