/*
 * Theory of operation.
 *
 * An archive is a tar file (POSIX ustar, as every tar program reads it) in gzip: blocks of 512 bytes, a header block before each
 * file's contents, which are filled up to whole blocks, and two empty blocks at the end. Only plain files with short names are
 * written, with times of 0, so that the same contents give the same bytes.
 */
const BLOCK = 512

/** A file as it stands in an archive: header, contents, filling. Names of at most 100 bytes. */
export function tarFile(name: string, data: Buffer): Buffer {
  const header = Buffer.alloc(BLOCK)
  header.write(name, 0, 100, 'utf8')
  header.write('0000644\0', 100)
  header.write('0000000\0', 108)
  header.write('0000000\0', 116)
  header.write(`${data.length.toString(8).padStart(11, '0')}\0`, 124)
  header.write(`${'0'.repeat(11)}\0`, 136)
  header.write('        ', 148)
  header.write('0', 156)
  header.write('ustar\x0000', 257)
  header.write(`${checksum(header).toString(8).padStart(6, '0')}\0 `, 148)
  return Buffer.concat([header, data, Buffer.alloc((BLOCK - (data.length % BLOCK)) % BLOCK)])
}

/** What stands after the last file. */
export const TAR_END = Buffer.alloc(2 * BLOCK)

/** The sum of a header's bytes, the sum's own place counting as blanks. */
function checksum(header: Buffer): number {
  let sum = 0
  for (const [at, byte] of header.entries()) sum += at >= 148 && at < 156 ? 32 : byte
  return sum
}

/** Reads the files of an archive, one after the other. Throws an Error for what is no whole tar file. */
export async function* readTar(chunks: AsyncIterable<Buffer>): AsyncGenerator<{ name: string; data: Buffer }> {
  const reader = new Reader(chunks)
  for (;;) {
    const header = await reader.take(BLOCK)
    // What is behind the end belongs to the compression, which checks itself by it.
    if (header.every((byte) => byte === 0)) return reader.drain()
    const text = (at: number, length: number): string =>
      header.toString('utf8', at, at + length).replace(/[\0 ].*$/s, '')
    if (Number.parseInt(text(148, 8), 8) !== checksum(header)) throw new Error('a header is damaged')
    const size = Number.parseInt(text(124, 12), 8)
    const data = await reader.take(size)
    await reader.take((BLOCK - (size % BLOCK)) % BLOCK)
    yield { name: text(0, 100), data }
  }
}

class Reader {
  private readonly source: AsyncIterator<Buffer>
  private parts: Buffer[] = []
  private held = 0

  constructor(chunks: AsyncIterable<Buffer>) {
    this.source = chunks[Symbol.asyncIterator]()
  }

  async drain(): Promise<void> {
    while (!(await this.source.next()).done);
  }

  async take(bytes: number): Promise<Buffer> {
    while (this.held < bytes) {
      const next = await this.source.next()
      if (next.done) throw new Error('it is cut off')
      this.parts.push(next.value)
      this.held += next.value.length
    }
    const all = Buffer.concat(this.parts)
    this.parts = [all.subarray(bytes)]
    this.held -= bytes
    return all.subarray(0, bytes)
  }
}
