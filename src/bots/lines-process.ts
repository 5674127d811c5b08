import type { BotInput } from '../core/index.js'
import { OneTimer, type Running, type StayEnding } from '../sandbox/index.js'
import type { ProcessHost } from './process-host.js'

interface ProcessEvents {
  onOutput(latin1: string): void
  /**
   * It went by itself. `unanswered`: sent in this match to an earlier process, and not answered; undefined: no such
   * process.
   */
  onEnd(ending: StayEnding, unanswered: readonly BotInput[] | undefined): void
  onFailure(error: unknown): void
  onFlush(): void
}

/** The process of a bot that answers in lines. */
export class LinesProcess {
  running: Running | undefined
  /** Settles when a killed process is gone, with all that it started. Undefined: none since `left`. */
  leaving: Promise<void> | undefined
  /** What needs no answer is held back: with the next question it is one write, and wakes the program once. */
  private held = ''
  private heldAt = 0
  private readonly timer = new OneTimer(
    () => (this.held === '' ? Infinity : this.heldAt + HOLD_MS),
    () => this.flush(),
  )
  /** It may not have read what it was sent after its last answer. */
  private parting = false
  private unanswered: BotInput[] | undefined

  constructor(
    private readonly host: ProcessHost,
    private readonly events: ProcessEvents,
  ) {}

  async left(): Promise<void> {
    await this.leaving
    this.leaving = undefined
  }

  begin(): void {
    this.unanswered = this.running === undefined ? undefined : []
  }

  /** Throws what the host throws. */
  start(seed: number): void {
    const running = this.host.start(seed, (bytes) => {
      if (this.running === running) this.events.onOutput(bytes.toString('latin1'))
    })
    this.running = running
    running.ended.then(
      (ending) => this.ended(running, ending),
      (error: unknown) => this.failed(running, error),
    )
  }

  /** It has answered: what it was sent is not sent again. */
  answered(): void {
    this.unanswered = undefined
  }

  /** Sends this, again where it ends before it has answered. */
  expect(input: BotInput): void {
    this.unanswered?.push(input)
  }

  hold(text: string): void {
    this.parting = true
    if (this.held === '') this.heldAt = performance.now()
    this.held += text
    if (this.held.length > HELD) this.flush()
    else this.timer.look()
  }

  ask(text: string): void {
    this.parting = false
    this.write(this.running, text)
  }

  sendAgain(inputs: readonly BotInput[]): void {
    this.running?.send(Buffer.from(inputs.map(textOf).join('')))
  }

  flush(): void {
    if (this.held === '') return
    this.events.onFlush()
    this.write(this.running)
  }

  private write(running: Running | undefined, text = ''): void {
    const all = this.held + text
    this.held = ''
    if (all !== '') running?.send(Buffer.from(all))
  }

  private clear(): void {
    this.held = ''
    this.timer.clear()
  }

  kill(): void {
    const { running } = this
    this.running = undefined
    this.unanswered = undefined
    this.clear()
    if (running === undefined) return
    this.leaving = running.ended.then(nothing, nothing)
    running.kill()
  }

  /** Gives it up for a failure of this machine. */
  abandon(error: Error): void {
    const { running } = this
    if (running === undefined) return
    this.failed(running, error)
    running.kill()
  }

  async stop(): Promise<void> {
    const { running, parting } = this
    this.running = undefined
    this.parting = false
    this.write(running)
    this.clear()
    await this.leaving
    if (running !== undefined) await endProcess(running, parting)
  }

  private ended(running: Running, ending: StayEnding): void {
    if (this.running !== running) return
    this.running = undefined
    this.clear()
    this.host.disturbances.see(ending)
    const { unanswered } = this
    this.unanswered = undefined
    this.events.onEnd(ending, unanswered)
  }

  private failed(running: Running, error: unknown): void {
    if (this.running !== running) return
    this.running = undefined
    this.events.onFailure(error)
  }
}

const nothing = (): void => undefined
/** Milliseconds, and characters, that are held back at most. */
const HOLD_MS = 1
const HELD = 4096

/** The lines of an input as they are written; empty: there are none. */
export function textOf({ lines }: BotInput): string {
  if (lines === undefined || lines.length === 0) return ''
  return lines.length === 1 ? `${lines[0]}\n` : `${lines.join('\n')}\n`
}

/** Ends a program. If it may still have to read, its input is closed first, and it has a moment to end by itself. */
async function endProcess(running: Running, reading: boolean): Promise<void> {
  if (reading) {
    await running.wake?.()
    running.endInput()
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
