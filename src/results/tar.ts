/*
 * Theory of operation.
 *
 * An archive is a tar file (POSIX ustar) in gzip: blocks of 512 bytes, a header before each file's contents, which are filled up
 * to whole blocks, and two empty blocks at the end. Only plain files with short names are written, with times of 0: the same
 * contents give the same bytes. Why not tar-stream: docs/dependencies.md.
 */
const BLOCK = 512

/** A file in an archive: header, contents, filling. Names of at most 100 bytes. */
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

export const TAR_END = Buffer.alloc(2 * BLOCK)

/** The sum of a header's bytes, its own place counting as blanks. */
function checksum(header: Buffer): number {
  let sum = 0
  for (const [at, byte] of header.entries()) sum += at >= 148 && at < 156 ? 32 : byte
  return sum
}

/** Bytes of an archive's file at most, and of what is behind its end. */
const MOST = 2 ** 29 - 2 ** 20
const BEHIND = 2 ** 20

/** Files, and other programs' headers that say more of the next file, which agon does not need. */
const PLAIN: ReadonlySet<string> = new Set(['0', '\0', ''])
const EXTRA: ReadonlySet<string> = new Set(['x', 'g', 'L', 'K'])

/**
 * Reads an archive's files in turn. Throws an Error for what is no whole tar file, and what no archive of agon has: links,
 * devices, a name that comes twice or leads elsewhere, a size beyond memory.
 */
export async function* readTar(chunks: AsyncIterable<Buffer>): AsyncGenerator<{ name: string; data: Buffer }> {
  const reader = new Reader(chunks)
  const seen = new Set<string>()
  for (;;) {
    const header = await reader.take(BLOCK)
    // The rest belongs to the compression, which checks itself by it.
    if (header.every((byte) => byte === 0)) return reader.drain(BEHIND)
    const text = (at: number, length: number): string =>
      header.toString('utf8', at, at + length).replace(/[\0 ].*$/s, '')
    if (Number.parseInt(text(148, 8), 8) !== checksum(header)) throw new Error('a header is damaged')
    const size = sizeOf(header)
    const kind = text(156, 1)
    const data = await reader.take(size)
    await reader.take((BLOCK - (size % BLOCK)) % BLOCK)
    if (EXTRA.has(kind) && size <= BEHIND) continue
    const name = text(0, 100).replace(/^\.\//, '')
    if (!PLAIN.has(kind)) throw new Error(`${JSON.stringify(name)} in it is not a regular file`)
    if (!/^\w[\w.-]*$/.test(name) || text(345, 155) !== '')
      throw new Error(`${JSON.stringify(name)} is no file of an archive`)
    if (seen.has(name)) throw new Error(`${name} is in it twice`)
    seen.add(name)
    yield { name, data }
  }
}

/** A size in octal digits; larger ones are written otherwise, and none is that large. */
function sizeOf(header: Buffer): number {
  const digits = header.toString('latin1', 124, 136).replace(/[\0 ]+$/, '')
  const size = /^ *[0-7]{1,12}$/.test(digits) ? Number.parseInt(digits, 8) : Number.NaN
  if (!(size <= MOST)) throw new Error(`a file in it is too large (more than ${MOST} bytes), or its size is damaged`)
  return size
}

class Reader {
  private readonly source: AsyncIterator<Buffer>
  private parts: Buffer[] = []
  private held = 0

  constructor(chunks: AsyncIterable<Buffer>) {
    this.source = chunks[Symbol.asyncIterator]()
  }

  /** Reads to the end of the source. Throws where it has more bytes than that. */
  async drain(most: number): Promise<void> {
    for (let next = await this.source.next(); !next.done; next = await this.source.next()) {
      this.held += next.value.length
      if (this.held > most) throw new Error('more stands behind its end than an archive has')
    }
  }

  async take(bytes: number): Promise<Buffer> {
    while (this.held < bytes) {
      const next = await this.source.next()
      if (next.done) throw new Error('it is cut off')
      this.parts.push(next.value)
      this.held += next.value.length
    }
    // A piece of many small files is not copied for each.
    const [first = EMPTY] = this.parts
    const all = first.length >= bytes ? first : Buffer.concat(this.parts)
    if (all === first) this.parts[0] = first.subarray(bytes)
    else this.parts = [all.subarray(bytes)]
    this.held -= bytes
    return all.subarray(0, bytes)
  }
}

const EMPTY = Buffer.alloc(0)
