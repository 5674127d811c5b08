import type { BotInput } from '../core/index.js'
import type { Running, StayEnding } from '../sandbox/index.js'
import { settled } from './life.js'
import { Updates, endProcess, sendText, textOf } from './lines-input.js'
import type { ProcessHost } from './process-host.js'

/** What a process does to its bot. */
interface ProcessEvents {
  /** It printed something. */
  onOutput(latin1: string): void
  /**
   * It went by itself. `unanswered`: what the match has sent to a process that was there before it, and that has not answered yet;
   * undefined: it was started in this match, or has answered in it.
   */
  onEnd(ending: StayEnding, unanswered: readonly BotInput[] | undefined): void
  /** This machine failed to run it. */
  onFailure(error: unknown): void
  /** What was held back is sent on its own. */
  onFlush(): void
}

/** The process of a bot that answers in lines: it is started, sent lines, started again where it has ended, and killed. */
export class LinesProcess {
  private running: Running | undefined
  /** Settles when the process that was killed for its trouble is gone, with all that it started. */
  private killed: Promise<void> | undefined
  private readonly updates = new Updates(() => this.flush())
  /** It was sent something after its last answer, which it may not have read yet. */
  private parting = false
  private unanswered: BotInput[] | undefined

  constructor(
    private readonly host: ProcessHost,
    private readonly events: ProcessEvents,
  ) {}

  /** It has been started, and has not ended. */
  get isRunning(): boolean {
    return this.running !== undefined
  }

  /** Settles when a process that was killed is gone. Undefined: none was since it was last forgotten. */
  get leaving(): Promise<void> | undefined {
    return this.killed
  }

  /** Waits until a process that was killed is gone. */
  async left(): Promise<void> {
    await this.killed
    this.killed = undefined
  }

  /** A match begins. */
  begin(): void {
    this.unanswered = this.running === undefined ? undefined : []
  }

  /** Starts it. Throws what the host throws. */
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

  /** Resumes it where it is suspended. Undefined: it is not. */
  wake(): Promise<void> | undefined {
    return this.running?.wake?.()
  }

  /** Milliseconds that it ran while it was suspended, and has not been charged for. */
  takeSuspended(): number {
    return this.running?.takeSuspended?.() ?? 0
  }

  /** What it was sent in this match will not be sent again: it has answered. */
  answered(): void {
    this.unanswered = undefined
  }

  /** It is to be sent this, which is sent again where it ends before it has answered. */
  expect(input: BotInput): void {
    this.unanswered?.push(input)
  }

  /** Holds a text back that needs no answer, for a moment or until the next question. */
  hold(text: string): void {
    this.parting = true
    this.updates.hold(text)
  }

  /** Sends what was held back, and a question behind it. */
  ask(text: string): void {
    this.parting = false
    this.updates.send(this.running, text)
  }

  /** Sends again what the process before it has not answered. */
  sendAgain(inputs: readonly BotInput[]): void {
    sendText(this.running, inputs.map(textOf).join(''))
  }

  /** Sends what is held back, where no question comes. */
  flush(): void {
    if (this.updates.empty) return
    this.events.onFlush()
    this.updates.send(this.running)
  }

  /** Throws away what is in the pipe. */
  drain(): void {
    this.running?.drain()
  }

  /** Whether its output can be read at once. */
  get canLook(): boolean {
    return this.running?.look !== undefined
  }

  /** What it has printed by now; '': nothing. */
  look(): string {
    return this.running?.look?.() ?? ''
  }

  /** Kills it: no more is heard of it. */
  kill(): void {
    const { running } = this
    this.running = undefined
    this.unanswered = undefined
    this.updates.clear()
    if (running === undefined) return
    this.killed = settled(running.ended)
    running.kill()
  }

  /** Gives it up for a failure of this machine, which is reported. */
  abandon(error: Error): void {
    const { running } = this
    if (running === undefined) return
    this.failed(running, error)
    running.kill()
  }

  /** Ends it. It has a moment to read what it was sent last. */
  async stop(): Promise<void> {
    const { running, parting } = this
    this.running = undefined
    this.parting = false
    this.updates.send(running)
    this.updates.clear()
    await this.killed
    if (running !== undefined) await endProcess(running, parting)
  }

  private ended(running: Running, ending: StayEnding): void {
    if (this.running !== running) return
    this.running = undefined
    this.updates.clear()
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
