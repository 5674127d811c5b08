import { createHash } from 'node:crypto'
import { readSync } from 'node:fs'

/** Bytes that are read at a time, at most and at least. */
const MOST = 1024 ** 2
const LEAST = 1024

/**
 * The contents of an open file, chunk by chunk in a buffer that is used again. `size`: in bytes, as it was when the file was opened; a
 * buffer that is far larger than its file would keep the garbage collector busy.
 */
export function* chunksOf(fd: number, size: number): Generator<Buffer, void> {
  const buffer = Buffer.allocUnsafe(Math.min(MOST, Math.max(LEAST, size)))
  for (;;) {
    const length = readSync(fd, buffer, 0, buffer.length, null)
    if (length === 0) return
    yield buffer.subarray(0, length)
  }
}

/** SHA-256 of an open file of that many bytes, in steps. */
export function* hashOf(fd: number, size: number): Generator<undefined, string> {
  const hash = createHash('sha256')
  for (const chunk of chunksOf(fd, size)) {
    hash.update(chunk)
    yield
  }
  return hash.digest('hex')
}

export function sha256(data: string | Buffer): string {
  return createHash('sha256').update(data).digest('hex')
}
