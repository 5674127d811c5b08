import { createHash } from 'node:crypto'
import { readSync } from 'node:fs'

const CHUNK = 1024 ** 2

/** The contents of an open file, chunk by chunk in a buffer that is used again. */
export function* chunksOf(fd: number): Generator<Buffer, void> {
  const buffer = Buffer.allocUnsafe(CHUNK)
  for (;;) {
    const length = readSync(fd, buffer, 0, CHUNK, null)
    if (length === 0) return
    yield buffer.subarray(0, length)
  }
}

/** SHA-256 of an open file, in steps. */
export function* hashOf(fd: number): Generator<undefined, string> {
  const hash = createHash('sha256')
  for (const chunk of chunksOf(fd)) {
    hash.update(chunk)
    yield
  }
  return hash.digest('hex')
}

export function sha256(data: string | Buffer): string {
  return createHash('sha256').update(data).digest('hex')
}
