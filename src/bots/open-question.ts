import type { Answer, BotOutput } from '../core/index.js'
import { hardStopMs } from '../sandbox/index.js'
import type { BotCore } from './bot-core.js'
import { keptByModules } from './module.js'
import type { Clock, ProcessHost } from './process-host.js'

/** Who waits for an answer, or for why there will be none. */
export class PendingAnswer {
  private answer: Answer | undefined
  private error: Error | undefined
  private waiter: { done(answer: Answer): void; failed(error: Error): void } | undefined

  done(answer: Answer): void {
    this.answer = answer
    this.waiter?.done(answer)
  }

  failed(error: Error): void {
    this.error = error
    this.waiter?.failed(error)
  }

  result(): Promise<Answer> | Answer {
    if (this.answer !== undefined) return this.answer
    if (this.error !== undefined) return Promise.reject(this.error)
    return new Promise((done, failed) => (this.waiter = { done, failed }))
  }
}

interface QuestionEvents {
  /** Its time is up. `busy`: the machine was too busy for the bot. `cpuUs`: what it took, if known. */
  onTime(busy: boolean, cpuUs?: number): void
  /** Its answer came after the hard stop, which the launcher could not report. Returns the output that counts. */
  onLate(output: BotOutput): BotOutput
}

/** The question that a bot has not answered, if any, and its clock. */
export class OpenQuestion {
  private waiter: PendingAnswer | undefined
  private askedAt = 0
  /** Milliseconds of the last question spent before it was asked. */
  private spent = 0
  readonly clock: Clock
  /** Milliseconds that the last question has. */
  limit = 0
  /** Milliseconds of these for its process to load. */
  private loading = 0

  constructor(
    host: ProcessHost,
    private readonly core: BotCore,
    private readonly events: QuestionEvents,
  ) {
    this.clock = host.clock((busy, cpuUs) => events.onTime(busy, cpuUs))
  }

  get isOpen(): boolean {
    return this.waiter !== undefined
  }

  open(): PendingAnswer {
    return (this.waiter = new PendingAnswer())
  }

  /**
   * The open question's time begins `now`, by performance.now(). Milliseconds: `spent` are gone, `loading` are to load.
   */
  time(limit: number, now: number, spent = 0, loading = 0): void {
    this.askedAt = now
    this.limit = limit
    this.spent = spent
    this.loading = loading
    this.clock.set(limit - spent, now)
  }

  /** Hands an output to who waits, with the time that it took. If nothing was asked, the clock stops. */
  answer(output: BotOutput, now = performance.now()): void {
    const { waiter } = this
    this.waiter = undefined
    const measuring = this.clock.off(now)
    const keptUs = Math.min(keptByModules(), now - this.askedAt) * 1000
    const wallUs = (now - this.askedAt) * 1000 - keptUs
    const spentUs = this.spent * 1000
    const done = (one: Answer): void => waiter?.done(this.thought(one))
    const answer = spentUs === 0 ? { output, wallUs } : { output, wallUs, cpuUs: spentUs, chargedUs: wallUs + spentUs }
    this.core.answered(wallUs)
    if (!measuring || waiter === undefined) return done(answer)

    void measuring.then((took) => {
      // The launcher may have looked some time after the answer.
      const chargedUs = took === undefined ? wallUs : Math.max(took.cpuUs, Math.min(wallUs, took.chargedUs - keptUs))
      const measured =
        took === undefined ? answer : { ...answer, cpuUs: took.cpuUs + spentUs, chargedUs: chargedUs + spentUs }
      // The launcher heard only after its time of a question that this thread could not watch.
      const isOver = keptUs > 0 && measured.chargedUs !== undefined && measured.chargedUs / 1000 > this.limit
      const late = output.trouble === undefined && (isOver || wallUs / 1000 > hardStopMs(this.limit))
      done(late ? { ...measured, output: this.events.onLate(output) } : measured)
    })
  }

  /** Its time of thinking: without loading or waiting for a core. */
  private thought(answer: Answer): Answer {
    const less = this.loading + (this.clock.credit ?? 0)
    if (less === 0) return answer
    const { wallUs, chargedUs = wallUs } = answer
    return { ...answer, thoughtUs: Math.max(0, chargedUs - less * 1000) }
  }

  fail(error: Error): void {
    const { waiter } = this
    this.waiter = undefined
    void this.clock.off()
    waiter?.failed(error)
  }
}
