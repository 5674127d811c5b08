/*
 * Whole numbers and texts as bytes, one after another. A number takes a byte for each seven bits, the least first; a checksum seven
 * bytes; a text its length and its UTF-8.
 */

/** Bytes that nothing of this kind wrote. */
export class BytesError extends Error {}

/** Bytes that grow at their end. */
export class ByteWriter {
  private data = Buffer.alloc(1024)
  private end = 0

  get length(): number {
    return this.end
  }

  /** A number below 256. */
  byte(n: number): void {
    this.reserve(1)
    this.data[this.end++] = n
  }

  /** A whole number from 0. */
  number(n: number): void {
    this.reserve(8)
    let rest = n
    while (rest >= 0x80) {
      this.data[this.end++] = (rest % 0x80) | 0x80
      rest = Math.floor(rest / 0x80)
    }
    this.data[this.end++] = rest
  }

  /** A whole number, which may be negative. */
  difference(n: number): void {
    this.number(n < 0 ? -2 * n - 1 : 2 * n)
  }

  /** A whole number below 2⁵². */
  sum(n: number): void {
    this.reserve(SUM)
    this.data.writeUInt32LE(n % 2 ** 32, this.end)
    this.data.writeUIntLE(Math.floor(n / 2 ** 32), this.end + 4, 3)
    this.end += SUM
  }

  text(text: string): void {
    const length = Buffer.byteLength(text)
    this.number(length)
    this.reserve(length)
    this.end += this.data.write(text, this.end)
  }

  /** Drops what was written. */
  clear(): void {
    this.end = 0
  }

  append(data: Uint8Array): void {
    this.reserve(data.length)
    this.data.set(data, this.end)
    this.end += data.length
  }

  /** What was written so far, as a view that the next write may change. */
  written(): Buffer {
    return this.data.subarray(0, this.end)
  }

  private reserve(more: number): void {
    if (this.end + more <= this.data.length) return
    const wider = Buffer.alloc(Math.max(2 * this.data.length, this.end + more))
    this.data.copy(wider)
    this.data = wider
  }
}

/** Bytes of a checksum. */
const SUM = 7

/** Reads what a `ByteWriter` wrote. Throws a BytesError past the end. */
export class ByteReader {
  private at = 0
  private readonly data: Buffer

  constructor(data: Uint8Array) {
    this.data = Buffer.from(data.buffer, data.byteOffset, data.byteLength)
  }

  get done(): boolean {
    return this.at >= this.data.length
  }

  number(): number {
    // Most numbers are one byte, and a call for it would take as long as the rest.
    const first = this.data[this.at]
    if (first !== undefined && first < 0x80) {
      this.at++
      return first
    }
    return this.longNumber()
  }

  private longNumber(): number {
    let byte = this.byte()
    let n = 0
    let weight = 1
    for (; byte >= 0x80; byte = this.byte()) {
      n += (byte - 0x80) * weight
      weight *= 0x80
    }
    return n + byte * weight
  }

  difference(): number {
    const n = this.number()
    return n % 2 === 0 ? n / 2 : -(n + 1) / 2
  }

  sum(): number {
    const { data, at } = this
    this.at += SUM
    if (this.at > data.length) throw new BytesError('the bytes end within a checksum')
    const high = (data[at + 4] as number) | ((data[at + 5] as number) << 8) | ((data[at + 6] as number) << 16)
    const low = (data[at] as number) | ((data[at + 1] as number) << 8) | ((data[at + 2] as number) << 16)
    return high * 2 ** 32 + (data[at + 3] as number) * 2 ** 24 + low
  }

  text(): string {
    const length = this.number()
    const end = this.at + length
    if (end > this.data.length) throw new BytesError('a text goes past the end')
    const text = this.data.toString('utf8', this.at, end)
    this.at = end
    return text
  }

  byte(): number {
    const byte = this.data[this.at++]
    if (byte === undefined) throw new BytesError('the bytes end within a number')
    return byte
  }
}
