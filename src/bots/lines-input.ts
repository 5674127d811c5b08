import { writeSync } from 'node:fs'
import type { Answer } from '../core/index.js'
import type { Running } from '../sandbox/index.js'

/** Who waits for the next line, or for the reason why there will be none. */
export interface Waiter {
  done(answer: Answer): void
  failed(error: unknown): void
}

/** Writes at once where the pipe takes it: a round trip through Node's streams costs more than the answer of a quick bot. */
export function sendText(running: Running | undefined, text: string): void {
  const { stdin, input } = running ?? {}
  if (!stdin?.writable) return
  let written = 0
  if (input !== undefined && stdin.writableLength === 0) {
    try {
      written = writeSync(input, text)
    } catch {
      // The pipe is full, or its other end is closed: the stream waits for the one and tells the other.
    }
  }
  if (written < Buffer.byteLength(text)) stdin.write(Buffer.from(text).subarray(written))
}

/** Closes a program's input, and waits a moment for it to end by itself. */
export async function letEnd(running: Running): Promise<void> {
  await running.wake?.()
  running.stdin?.end()
  await new Promise<void>((done) => {
    const late = setTimeout(done, PARTING_MS)
    running.exited(() => {
      clearTimeout(late)
      done()
    })
  })
}
/** Milliseconds for a bot to read how its last match ended. */
const PARTING_MS = 100

/** A part of a text; where the text is much longer, a copy: a part of it would hold all of it in memory. */
export const copied = (part: string, of: string): string =>
  of.length < 2 * part.length + 256 ? part : Buffer.from(part, 'latin1').toString('latin1')

/** Bytes of half a line that are kept for the fault. */
export const HALF_LINE = 200
