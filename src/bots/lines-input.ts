import { writeSync } from 'node:fs'
import type { BotInput, BotOutput } from '../core/index.js'
import type { Running } from '../sandbox/index.js'

/** The outputs of a bot that has left its match: first the reason, where no question was open to take it, then that it has left. */
export class LeftMatch {
  private readonly later: BotOutput
  private next: BotOutput

  constructor(reason: BotOutput, asked: boolean) {
    const trouble = reason.trouble === 'crash' ? 'crash' : 'killed'
    this.later = { trouble, why: `had left the match before: ${reason.why}` }
    this.next = asked ? this.later : reason
  }

  take(): BotOutput {
    const { next } = this
    this.next = this.later
    return next
  }
}

/**
 * What a program is sent that needs no answer is held back for a moment: with the next question it is one write, and wakes the program once.
 */
export class Updates {
  private held = ''
  private heldAt = 0
  private timer: NodeJS.Timeout | undefined
  /** The timer runs. */
  private armed = false

  /** `flush`: where no question came, it is sent on its own. */
  constructor(private readonly flush: () => void) {}

  hold(text: string): void {
    if (this.held === '') this.heldAt = performance.now()
    this.held += text
    if (this.held.length > HELD) this.flush()
    else if (!this.armed) this.arm()
  }

  /** Nothing is held. */
  get empty(): boolean {
    return this.held === ''
  }

  /** Writes what is held, and this behind it. */
  send(running: Running | undefined, text = ''): void {
    const all = this.held + text
    this.held = ''
    if (all !== '') sendText(running, all)
  }

  /** Lets go of what is held, and of the timer. */
  clear(): void {
    this.held = ''
    clearTimeout(this.timer)
    this.timer = undefined
    this.armed = false
  }

  private arm(): void {
    this.armed = true
    // To make one anew for each update costs more than to set it again.
    if (this.timer === undefined) this.timer = setTimeout(() => this.look(), HOLD_MS)
    else this.timer.refresh()
  }

  /** One timer for many updates: most go with a question before it fires. */
  private look(): void {
    this.armed = false
    if (this.held === '') return
    if (performance.now() < this.heldAt + HOLD_MS) this.arm()
    else this.flush()
  }
}
/** Milliseconds, and characters, that are held back at most. */
const HOLD_MS = 1
const HELD = 4096

/** The lines of an input as they are written; empty: there are none. */
export function textOf({ lines }: BotInput): string {
  if (lines === undefined || lines.length === 0) return ''
  return lines.length === 1 ? `${lines[0]}\n` : `${lines.join('\n')}\n`
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
      // The pipe is full, or its other end is closed: the stream waits for the one and reports the other.
    }
  }
  // So few bytes are written whole or not at all.
  if (written > 0 && text.length <= WHOLE) return
  if (written < Buffer.byteLength(text)) stdin.write(Buffer.from(text).subarray(written))
}

/** Characters that a pipe takes at once, four bytes each. */
const WHOLE = 1024

/** Ends a program. Where it may still have to read something, its input is closed first, and it has a moment to end by itself. */
export async function endProcess(running: Running, reading: boolean): Promise<void> {
  if (reading) {
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
  running.kill()
  await running.ended.catch(() => undefined)
}
/** Milliseconds for a bot to read how its last match ended. */
const PARTING_MS = 100

/** Bytes of half a line that are kept for the fault. */
export const HALF_LINE = 200
