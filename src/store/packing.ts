import { deflateRawSync, inflateRawSync } from 'node:zlib'
import { damaged } from './sums.js'

/*
 * A job's records are short and much like any other's: compressed with a text that they are likely to repeat, they take a third less. The
 * text is a part of the schema: without it nothing can be read.
 */
const LIKELY = Buffer.from(
  '{"agon":1,"game":"","version":1,"options":{},"luck":{"seed":"","at":0},"field":2,"seats":[{"entrant":"","wire":"lines","id":0},' +
    '{"entrant":"","wire":"module","id":1},{"entrant":"","wire":"turn","id":2}],"ready":[[0,"READY\\n"],[1,{"trouble":"timeout","why":""}]],' +
    '"steps":[[[0,"\\n"],[1,"\\n"]],[[0,""],[1,""]]],"times":[[[0],[1]],[[0,1,2],[0,1,2]],[[100],[200]]],' +
    '"outcome":{"place":[1,2],"reason":"","score":[0,0],"tally":{"":[0,0]}},"place":[2,1],"key":"1/-/1"}',
)

/** Bytes that records unpack to, at most: else a few could fill all memory. */
const OPENED_BYTES = 1024 ** 3

const END_OF_LINE = 10

/** Bytes of a buffer likely to hold the output: a match needs a small part of zlib's usual 16 KiB. */
const chunkOf = (likely: number): number => Math.min(16_384, Math.max(1024, likely))

/** Compresses lines without ends. Joined and split as bytes: together they may exceed the longest text. */
export function pack(lines: readonly string[]): Uint8Array {
  const data = Buffer.allocUnsafe(lines.reduce((sum, line) => sum + Buffer.byteLength(line) + 1, 0))
  let end = 0
  for (const line of lines) {
    end += data.write(line, end)
    data[end++] = END_OF_LINE
  }
  return deflateRawSync(data, { level: 3, dictionary: LIKELY, chunkSize: chunkOf(data.length) })
}

/** The packed lines, each with its end. Throws UserError, which names the store, if the bytes are damaged. */
export function unpack(where: string, packed: Uint8Array): Buffer {
  try {
    const chunkSize = chunkOf(8 * packed.length)
    return inflateRawSync(packed, { dictionary: LIKELY, maxOutputLength: OPENED_BYTES, chunkSize })
  } catch {
    throw damaged(where)
  }
}

export function linesIn(data: Buffer): string[] {
  const lines: string[] = []
  for (let from = 0, at = 0; (at = data.indexOf(END_OF_LINE, from)) >= 0; from = at + 1)
    lines.push(data.toString('utf8', from, at))
  return lines
}
