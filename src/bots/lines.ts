import type { Answer, BotOutput, Question, BotInput } from '../core/index.js'
import { type Running, type Snapshot, type StayEnding, describeEnding, hardStopMs, tooBusy } from '../sandbox/index.js'
import { FirstLook } from '../sandbox/first-look.js'
import { type SeatedBot, type BotLife, CLOSED, outlivesMatch, settled } from './life.js'
import { HostedBot } from './hosted-bot.js'
import { LineBuffer } from './line-buffer.js'
import { LeftMatch, HALF_LINE, Updates, PendingAnswer, endProcess, sendText, textOf } from './lines-input.js'
import { BotCore } from './bot-core.js'
import type { Clock, ProcessHost } from './process-host.js'

/*
 * Theory of operation.
 *
 * One process answers question after question, each with a line. A question is written, with the updates before it, only after everything in
 * the pipe has been read and thrown away: what was printed before is no answer to it. What a bot prints on its own in the moment between
 * (50 µs at most, and until it has read the question) cannot be distinguished from an answer. A bot in trouble (late, ended, flooding) is killed and
 * stays away for the rest of the match: its late answer would meet the next question. Where it may live on, it is started again for its
 * next match. Whether it lives in a sandbox or in a folder of the host is its process host's affair.
 */

/** A pipe that was seen empty less than so many milliseconds ago is not looked into again: a look costs as much as a question. */
const JUST_MS = 0.05

/** Lines on a process that stays for a match, a series or a tournament. */
export class LinesBot extends HostedBot<ProcessHost> implements SeatedBot {
  private closed = false
  private running: Running | undefined
  /** Settles when the process that was killed for its trouble is gone, with all that it started. */
  private leaving: Promise<void> | undefined
  /** It has left this match: no more answers come. */
  private gone: LeftMatch | undefined
  /** This machine failed to start it: the next question makes the match void. */
  private broken: Error | undefined
  private readonly printed: LineBuffer
  private readonly updates = new Updates(() => this.flush())
  private readonly firstLook = new FirstLook()
  private readonly core = new BotCore()
  /** It was sent something after its last answer, which it may not have read yet. */
  private parting = false
  private waiter: PendingAnswer | undefined
  private limit = 0
  /** When the question was asked, and when something was last read: then there was nothing more in the pipe. */
  private askedAt = 0
  private readAt = 0
  private readonly clock: Clock
  private match = ''
  /** What this match has sent to a process that was there before it and has not answered yet; it may have ended between matches. */
  private unanswered: BotInput[] | undefined

  constructor(life: BotLife, host: ProcessHost) {
    super(life, host)
    this.printed = new LineBuffer(life.outputBytes)
    this.clock = host.clock((busy, cpuUs) => {
      if (busy) this.giveUp(cpuUs)
      else this.leave({ trouble: 'timeout', why: `no whole line within ${this.limit} ms` })
    })
  }

  begin(key: string): Promise<void> | void {
    this.match = key
    this.life.figures?.begin()
    const fresh = !outlivesMatch(this.life.memory)
    const waiting = fresh || this.leaving !== undefined ? this.makeReady(fresh) : this.host.ready(false)
    return waiting === undefined ? this.seat() : waiting.then(() => this.seat())
  }

  private async makeReady(fresh: boolean): Promise<void> {
    if (fresh) await this.stop()
    await this.leaving
    this.leaving = undefined
    await this.host.ready(fresh)
  }

  /** All is there for its next match. */
  private seat(): void {
    this.gone = undefined
    this.printed.begin()
    this.unanswered = this.running === undefined ? undefined : []
    // A process that has ended is started again for the next match; within a match it stays away.
    if (this.running === undefined) this.launch()
  }

  async ready(input: BotInput | undefined, limit: number): Promise<Answer> {
    return this.exchange(input, limit)
  }

  send(input: BotInput): void {
    if (this.gone !== undefined || this.closed || this.broken !== undefined) return
    const text = this.deliver(input)
    if (text === '') return
    this.parting = true
    this.updates.hold(text)
  }

  /** Sends what is held back, where no question comes. */
  private flush(): void {
    if (this.updates.empty) return
    this.clock.stir?.()
    this.updates.send(this.running)
  }

  ask(question: Question): Promise<Answer> | Answer {
    this.life.figures?.asked(question.number)
    return this.exchange(question.input, question.limit)
  }
  dismiss(): void {
    this.leave({ trouble: 'killed', why: 'it was ended' })
  }

  end(): Promise<void> | void {
    if (!outlivesMatch(this.life.memory)) return this.stop()
    if (this.life.memory === 'tournament' && this.core.look()) this.host.bind?.(this.core.isShared)
    // What it left in its folders is looked at next.
    return this.leaving
  }
  get sharesCore(): boolean {
    return this.life.memory === 'tournament' && this.core.isShared
  }
  async close(): Promise<void> {
    this.closed = true
    this.answer(CLOSED)
    await this.stop()
    await this.host.close()
  }
  snapshot(): Promise<Snapshot | undefined> | Snapshot | undefined {
    this.flush()
    return this.host.snapshot()
  }

  private launch(): void {
    const { life } = this
    this.broken = undefined
    this.printed.clear()
    const seed = life.seed(outlivesMatch(life.memory) ? life.key : this.match)
    let running: Running
    try {
      running = this.host.start(seed, (bytes) => this.read(running, bytes.toString('latin1')))
    } catch (error) {
      const lost = this.host.lost()
      return lost === undefined ? this.broke(error) : this.leave({ trouble: 'crash', why: describeEnding(lost) })
    }
    this.running = running
    running.ended.then(
      (ending) => this.ended(running, ending),
      (error: unknown) => this.fail(running, error),
    )
  }

  /** It went by itself: between matches that is its right, and it is started again; within one it is a crash. */
  private ended(running: Running, ending: StayEnding): void {
    if (this.running !== running) return
    this.running = undefined
    this.updates.clear()
    this.host.disturbances.see(ending)
    const unanswered = this.unanswered
    this.unanswered = undefined
    if (this.gone !== undefined || this.closed) return
    if (ending.flood !== undefined) return this.leave({ trouble: 'flood', why: ending.flood })
    if (unanswered === undefined || ending.sandbox !== undefined)
      return this.leave({ trouble: 'crash', why: describeEnding(ending) })
    if (unanswered.length === 0) return
    this.launch()
    sendText(this.running, unanswered.map(textOf).join(''))
  }

  /** The machine was too busy for it to answer: that is no fault, and voids the match. */
  private giveUp(cpuUs: number | undefined): void {
    const { running } = this
    if (running === undefined) return
    this.fail(running, tooBusy(this.life.name, this.limit, cpuUs))
    running.kill()
  }
  private fail(running: Running, error: unknown): void {
    if (this.running !== running) return
    this.running = undefined
    this.broke(error)
  }
  private broke(error: unknown): void {
    this.broken = error instanceof Error ? error : new Error(String(error))
    const { waiter } = this
    this.waiter = undefined
    void this.clock.off()
    waiter?.failed(this.broken)
  }

  private read(running: Running, latin1: string): void {
    if (this.running !== running) return
    this.readAt = performance.now()
    this.printed.add(latin1)
    const flood = this.printed.flood(this.waiter !== undefined)
    if (flood !== undefined) return this.flooded(flood)
    const out = this.waiter === undefined ? undefined : this.printed.takeLine()
    if (out === undefined) return
    this.unanswered = undefined
    this.answer({ out }, this.readAt)
  }
  private flooded(why: string): void {
    this.printed.clear()
    this.leave({ trouble: 'flood', why })
  }

  private answer(output: BotOutput, now = performance.now()): void {
    const { waiter } = this
    this.waiter = undefined
    const measuring = this.clock.off(now)
    const answer = { output, wallUs: (now - this.askedAt) * 1000 }
    this.core.answered(answer.wallUs)
    if (!measuring || waiter === undefined) return waiter?.done(answer)
    void measuring.then((took) => {
      const measured = took === undefined ? answer : { ...answer, cpuUs: took.cpuUs, chargedUs: took.chargedUs }
      const late = output.trouble === undefined && answer.wallUs / 1000 > hardStopMs(this.limit)
      waiter.done(late ? { ...measured, output: this.tooLate(output) } : measured)
    })
  }

  /** Its answer came after the hard stop: the launcher was kept from reporting it. */
  private tooLate({ out }: BotOutput): BotOutput {
    const output: BotOutput = { trouble: 'timeout', why: `no whole line within ${this.limit} ms` }
    this.leave(output)
    this.gone?.take()
    return out === undefined ? output : { ...output, out: out.slice(0, HALF_LINE) }
  }

  /** The bot is out of this match: killed if it still runs. This is the answer to the open question, or else to the next one. */
  private leave(output: BotOutput): void {
    if (this.gone !== undefined) return
    const { running } = this
    this.gone = new LeftMatch(output, this.waiter !== undefined)
    this.running = undefined
    this.unanswered = undefined
    this.updates.clear()
    if (running) this.leaving = settled(running.ended)
    running?.kill()
    this.answer(this.printed.empty ? output : { ...output, out: this.printed.start(HALF_LINE) })
    this.printed.clear()
  }

  /** A process that is suspended is resumed before its time begins; it may be suspended again when that is known. */
  private exchange(input: BotInput | undefined, limit: number): Promise<Answer> | Answer {
    const waking = this.gone === undefined ? this.running?.wake?.() : undefined
    return waking === undefined ? this.exchangeNow(input, limit) : waking.then(() => this.exchange(input, limit))
  }

  private exchangeNow(input: BotInput | undefined, limit: number): Promise<Answer> | Answer {
    if (this.closed) return { output: CLOSED, wallUs: 0 }
    let now = performance.now()
    // Where something is asked, what was printed before is no answer to it.
    if (input !== undefined && this.drain(now)) now = performance.now()
    if (this.gone !== undefined) return { output: this.gone.take(), wallUs: 0 }
    if (this.broken !== undefined) return Promise.reject(this.broken)
    const waiter = new PendingAnswer()
    this.askedAt = now
    this.waiter = waiter
    this.limit = limit
    this.clock.set(limit, now)
    const text = input === undefined ? '' : this.deliver(input)
    this.parting = false
    this.updates.send(this.running, text)
    if (input !== undefined) this.lookAtOnce()
    else if (this.running === undefined) this.launch()
    else if (!this.printed.empty) this.read(this.running, '')
    return waiter.result()
  }
  private lookAtOnce(): void {
    const { running } = this
    if (running?.look === undefined || !this.firstLook.due()) return
    this.read(running, running.look())
    this.firstLook.found(this.waiter === undefined)
  }

  /** Throws away what was printed unasked. Whether it had to look. */
  private drain(now: number): boolean {
    const looks = now - this.readAt > JUST_MS
    if (looks) this.running?.drain()
    const flood = this.printed.empty ? undefined : this.printed.discard()
    if (flood !== undefined) this.flooded(flood)
    return looks
  }

  /** The text of what the program is to be sent. One that has ended is started again for it. */
  private deliver(input: BotInput): string {
    const text = textOf(input)
    if (text === '') return text
    if (this.running === undefined) this.launch()
    else this.unanswered?.push(input)
    return text
  }
  private async stop(): Promise<void> {
    const { running, parting } = this
    this.running = undefined
    this.gone = undefined
    this.parting = false
    this.updates.send(running)
    this.updates.clear()
    this.clock.clear()
    await this.leaving
    if (running !== undefined) await endProcess(running, parting)
  }
}
