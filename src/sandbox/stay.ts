import { constants, openSync } from 'node:fs'
import type { Sandbox } from './sandbox.js'
import type { Measures, StayEvents } from './sandbox-spec.js'
import type { ProgramSpec, Turn } from './frames.js'
import { exhausted } from './host-error.js'
import { PipeReader, PipeWriter, discard } from './pipe.js'
import type { ProcessEnd, ErrorSink, Running } from './process.js'

/*
 * A process that stays is asked and answers over two pipes without a name. Before a question, its output is read until
 * it is empty: only what the bot prints in the moment between can pass for an answer.
 *
 * The launcher keeps its clock, but learns of a question only when it is still open after WATCH_MS: waking it for each
 * would cost more than a quick answer. When the time is up, the whole family is stopped, so that it prints nothing
 * more; the pipe is read again, and the bot is killed or, where its answer was in time, goes on.
 *
 * A bot runs while it is asked. After SUSPEND_MS without a question, its processes are stopped until the next: it does
 * not think in another's time, nor take its core.
 */

/** Milliseconds after which the launcher watches a question. */
export const WATCH_MS = 2

/** Milliseconds that a process runs on after its answer; and after an update, to read it, or its start. */
export const SUSPEND_MS = 2
export const UPDATE_MS = 20

/** How it ended; `flood`, in words: it was killed for that. */
export type StayEnding = ProcessEnd & { readonly flood?: string }

export class SandboxRunning implements Running {
  readonly ended: Promise<StayEnding>
  /** The launcher's number of it: a report on a forerunner is not about this one. */
  private readonly id: number
  private readonly toBot: PipeWriter
  private readonly fromBot: PipeReader
  private over = false
  private suspended = false
  private ranSuspended = 0
  private waking: Promise<void> | undefined
  private errorBytes = 0
  private measured: ((measures: Measures) => void) | undefined
  onLate: ((measures: Measures) => void) | undefined

  /**
   * `errors`: bytes of standard error between two questions. `output` is lent what it prints; `judge` judges its end.
   * Throws a HostError where the sandbox has ended.
   */
  constructor(
    private readonly sandbox: Sandbox,
    command: ProgramSpec & Pick<Turn, 'warm'>,
    errors: number,
    stderr: ErrorSink,
    output: (bytes: Buffer) => void,
    judge: (ending: StayEnding) => StayEnding = (ending) => ending,
  ) {
    const { pipes } = sandbox
    // Questions to an earlier process, and its output, are not this one's.
    discard(pipes.toBot)
    discard(pipes.fromBot)
    const { O_WRONLY, O_RDWR, O_NONBLOCK } = constants
    this.toBot = new PipeWriter(openSync(`/proc/self/fd/${pipes.toBot}`, O_WRONLY | O_NONBLOCK))
    this.fromBot = new PipeReader(openSync(`/proc/self/fd/${pipes.fromBot}`, O_RDWR | O_NONBLOCK), output)
    let over: (ending: StayEnding) => void = () => undefined
    let failed: (error: unknown) => void = () => undefined
    this.ended = new Promise((done, fail) => {
      over = (ending) => {
        this.finish()
        done(judge(ending))
      }
      failed = fail
    })
    this.ended.catch(() => undefined)
    void sandbox.closed.then(() => {
      const { why, outside } = sandbox.fate
      over({ sandbox: why, outside })
    })
    const started = sandbox.start({ ...command, errors: Infinity }, this.events(errors, stderr, over))
    this.id = started.id
    started.failed.then(
      (end) => {
        const full = end && 'noStart' in end ? exhausted(end.noStart) : undefined
        if (full) {
          this.finish()
          failed(full)
        } else if (end) over(end)
      },
      (error: unknown) => {
        // Where its sandbox has ended, that is reported above.
        if (!sandbox.gone) failed(error)
      },
    )
  }

  private events(errors: number, stderr: ErrorSink, over: (ending: StayEnding) => void): StayEvents {
    return {
      ended: ({ end, outside }) => {
        this.drain()
        const flood = `wrote more than ${errors} bytes to its standard error`
        over({ ...end, outside, flood: this.errorBytes > errors ? flood : undefined })
      },
      errors: (chunk) => {
        stderr.add(chunk)
        this.errorBytes += chunk.length
        if (this.errorBytes > errors) this.kill()
      },
      late: (measures) => (this.onLate ? this.onLate(measures) : this.resume()),
      measured: (measures) => this.measured?.(measures),
    }
  }

  kill(): void {
    if (!this.over) this.sandbox.kill(this.id)
  }

  exited(then: () => void): void {
    void this.ended.then(then, then)
  }

  send(bytes: Buffer): void {
    this.toBot.send(bytes)
  }
  endInput(): void {
    this.toBot.end()
  }

  drain(): void {
    if (!this.over) this.fromBot.drain()
  }

  look(): void {
    if (!this.over) this.fromBot.look()
  }

  asked(): void {
    this.errorBytes = 0
  }

  /** The launcher keeps the clock of a question that is still open; `began` is of the monotonic clock, in nanoseconds. */
  watch(question: number, began: bigint, limit: number): void {
    this.sandbox.watch(this.id, question, began, limit)
  }
  answered(): Promise<Measures | undefined> {
    if (this.over) return Promise.resolve(undefined)
    return new Promise((done) => {
      this.measured = done
      const none = (): void => done(undefined)
      void this.ended.then(none, none)
      this.sandbox.tell('answered', this.id)
    })
  }
  resume(): void {
    this.sandbox.tell('continue', this.id)
  }

  suspend(): void {
    if (this.over || this.suspended) return
    this.suspended = true
    this.sandbox.tell('suspend', this.id)
  }
  wake(): Promise<void> | undefined {
    if (this.over || !this.suspended) return this.waking
    this.suspended = false
    const waking = this.sandbox.wake(this.id)
    const woken = (ran: number): void => void (this.ranSuspended += ran)
    if (typeof waking === 'number') {
      woken(waking)
      return undefined
    }
    // Where its sandbox has ended, `ended` reports it.
    this.waking = waking.then(woken, () => undefined)
    void this.waking.then(() => (this.waking = undefined))
    return this.waking
  }
  takeSuspended(): number {
    const ran = this.ranSuspended
    this.ranSuspended = 0
    return ran
  }

  private finish(): void {
    if (this.over) return
    this.over = true
    this.toBot.close()
    this.fromBot.close()
  }
}
