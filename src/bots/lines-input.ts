import { writeSync } from 'node:fs'
import type { Running } from '../sandbox/index.js'

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
