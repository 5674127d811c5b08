import type { Answer, Heard, Question, Say } from '../core/index.js'
import { type Running, type Snapshot, type StayEnding, describeEnding, hardStopMs, tooBusy } from '../sandbox/index.js'
import { type Bot, type BotLife, CLOSED, type Disturbance, livesOn } from './life.js'
import { HALF_LINE, type Waiter, copied, letEnd, sendText } from './lines-input.js'
import type { Clock, ProcessHost } from './process-host.js'

/*
 * Theory of operation.
 *
 * One process answers question after question, each with a line. A question is written only after everything in the pipe has
 * been read and thrown away: what was printed before is no answer to it. What a bot prints on its own in the moment between
 * (50 µs at most, and until it has read the question) cannot be told from an answer. A bot in trouble (late, ended, flooding) is
 * killed and stays away for the rest of the match: its late answer would meet the next question. Where it may live on, it is
 * started again for its next match. Whether it lives in a sandbox or in a folder of the host is its process host's affair.
 */

/** A pipe that was seen empty less than so many milliseconds ago is not looked into again: a look costs as much as a question. */
const JUST_MS = 0.05

/** Lines on a process that stays for a match, a series or a tournament. */
export class LinesBot implements Bot {
  private closed = false
  private running: Running | undefined
  /** Settles when the process that was killed for its trouble is gone, with all that it started. */
  private leaving: Promise<unknown> | undefined
  /** What whoever asks next is told, because no more answers come in this match; and what all after him are told. */
  private gone: { now: Heard; later: Heard } | undefined
  /** This machine failed to start it: whoever asks is told that the match is void. */
  private broken: Error | undefined
  /** What was read and belongs to no answer yet. */
  private pending = ''
  /** Where the first line in it ends; -1: nowhere. */
  private lineEnd = -1
  /** It was told something after its last answer, which it may not have read yet. */
  private parting = false
  /** Bytes of this match printed unasked. */
  private unasked = 0
  private waiter: Waiter | undefined
  private limit = 0
  /** When the question was asked, and when something was last read: then there was nothing more in the pipe. */
  private askedAt = 0
  private readAt = 0
  private readonly clock: Clock
  private match = ''
  /** What this match has said to a process that was there before it and has not answered yet; it may have gone between matches. */
  private unanswered: Say[] | undefined

  constructor(
    private readonly life: BotLife,
    private readonly host: ProcessHost,
  ) {
    this.clock = host.clock((busy) => {
      if (busy) this.giveUp()
      else this.leave({ trouble: 'timeout', why: `no whole line within ${this.limit} ms` })
    })
  }

  async begin(key: string): Promise<void> {
    this.match = key
    const lives = livesOn(this.life.memory)
    if (!lives) await this.stop()
    await this.leaving
    await this.host.ready(!lives)
    this.gone = undefined
    this.unasked = 0
    this.unanswered = this.running === undefined ? undefined : []
    // A process that has ended is started again for the next match; within a match it stays away.
    if (this.running === undefined) this.launch()
  }

  ready(say: Say | undefined, limit: number): Promise<Answer> {
    return this.exchange(say, limit)
  }

  tell(say: Say): void {
    if (this.gone !== undefined || this.closed || this.broken !== undefined) return
    this.parting = true
    this.clock.stir?.()
    this.write(say)
  }

  ask(question: Question): Promise<Answer> {
    return this.exchange(question.say, question.limit)
  }

  dismiss(): void {
    this.leave({ trouble: 'killed', why: 'it was ended' })
  }

  async end(): Promise<void> {
    if (!livesOn(this.life.memory)) return this.stop()
    // What it left in its folders is looked at next.
    await this.leaving
  }

  async close(): Promise<void> {
    this.closed = true
    this.answer(CLOSED)
    await this.stop()
    await this.host.close()
  }

  disturbed(): Disturbance | undefined {
    return this.host.disturbances.take()
  }

  snapshot(): Promise<Snapshot | undefined> {
    return this.host.snapshot()
  }

  restore(snapshot: Snapshot): Promise<void> {
    return this.host.ready(true, snapshot)
  }

  amend(snapshot: Snapshot): Promise<void> {
    return this.host.amend(snapshot)
  }

  private launch(): void {
    const { life } = this
    this.broken = undefined
    this.pending = ''
    const seed = life.seed(livesOn(life.memory) ? life.key : this.match)
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
    this.host.disturbances.see(ending)
    const said = this.unanswered
    this.unanswered = undefined
    if (this.gone !== undefined || this.closed) return
    if (ending.flood !== undefined) return this.leave({ trouble: 'flood', why: ending.flood })
    if (said === undefined || ending.sandbox !== undefined)
      return this.leave({ trouble: 'crash', why: describeEnding(ending) })
    if (said.length === 0) return
    this.launch()
    for (const say of said) if (this.running !== undefined) this.write(say)
  }

  /** The machine was too busy for it to answer: that is no fault, and voids the match. */
  private giveUp(): void {
    const { running } = this
    if (running === undefined) return
    this.fail(running, tooBusy(this.life.name, this.limit))
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
    waiter?.failed(error)
  }

  private read(running: Running, latin1: string): void {
    if (this.running !== running) return
    this.readAt = performance.now()
    // What has been looked through is not looked through again: a line may come byte by byte.
    const before = this.pending.length
    if (before === 0) this.lineEnd = -1
    const found = this.lineEnd < 0 ? latin1.indexOf('\n') : -1
    if (found >= 0) this.lineEnd = before + found
    this.pending = before === 0 ? latin1 : this.pending + latin1
    const end = this.lineEnd
    if ((end < 0 ? this.pending.length : end) > this.life.output) {
      this.pending = ''
      this.leave({ trouble: 'flood', why: `printed more than ${this.life.output} bytes for one answer` })
    } else if (this.waiter === undefined) this.countUnasked(this.pending.length)
    else if (end >= 0) {
      const out = copied(this.pending.slice(0, this.pending[end - 1] === '\r' ? end - 1 : end), this.pending)
      this.pending = copied(this.pending.slice(end + 1), this.pending)
      this.lineEnd = this.pending.indexOf('\n')
      this.unanswered = undefined
      this.answer({ out }, this.readAt)
    }
  }

  /** Lines that nobody asked for are thrown away, but not without end. */
  private countUnasked(more: number): void {
    if (this.unasked + more <= this.life.output) return
    this.pending = ''
    this.leave({ trouble: 'flood', why: `printed more than ${this.life.output} bytes without being asked` })
  }

  private answer(heard: Heard, now = performance.now()): void {
    const { waiter } = this
    this.waiter = undefined
    const measuring = this.clock.off()
    const answer = { heard, wallUs: (now - this.askedAt) * 1000 }
    if (!measuring || waiter === undefined) return waiter?.done(answer)
    void measuring.then((told) => {
      const measured = told === undefined ? answer : { ...answer, cpuUs: told.cpuUs, chargedUs: told.chargedUs }
      const late = heard.trouble === undefined && answer.wallUs / 1000 > hardStopMs(this.limit)
      waiter.done(late ? { ...measured, heard: this.tooLate(heard) } : measured)
    })
  }

  /** Its answer came after the hard stop: the launcher was kept from saying so. */
  private tooLate({ out }: Heard): Heard {
    const heard: Heard = { trouble: 'timeout', why: `no whole line within ${this.limit} ms` }
    this.leave(heard)
    if (this.gone !== undefined) this.gone.now = this.gone.later
    return out === undefined ? heard : { ...heard, out: out.slice(0, HALF_LINE) }
  }

  /** The bot is out of this match: killed if it still runs, and whoever waits is told, else whoever asks next. */
  private leave(heard: Heard): void {
    if (this.gone !== undefined) return
    const later: Heard = {
      trouble: heard.trouble === 'crash' ? 'crash' : 'killed',
      why: `had left the match before: ${heard.why}`,
    }
    const { running } = this
    this.gone = { now: this.waiter === undefined ? heard : later, later }
    this.running = undefined
    this.unanswered = undefined
    if (running) this.leaving = running.ended.catch(() => undefined)
    running?.kill()
    this.answer(this.pending === '' ? heard : { ...heard, out: this.pending.slice(0, HALF_LINE) })
    this.pending = ''
  }

  /** A process that stands still goes on before its time begins; it may be at rest again when that is known. */
  private exchange(say: Say | undefined, limit: number): Promise<Answer> {
    const waking = this.gone === undefined ? this.running?.wake?.() : undefined
    return waking === undefined ? this.exchangeNow(say, limit) : waking.then(() => this.exchange(say, limit))
  }

  private exchangeNow(say: Say | undefined, limit: number): Promise<Answer> {
    if (this.closed) return Promise.resolve({ heard: CLOSED, wallUs: 0 })
    // Where something is asked, what was said before is no answer to it.
    if (say !== undefined) this.drain()
    if (this.gone !== undefined) {
      const heard = this.gone.now
      this.gone.now = this.gone.later
      return Promise.resolve({ heard, wallUs: 0 })
    }
    return new Promise((done, failed) => {
      if (this.broken !== undefined) return failed(this.broken)
      this.askedAt = performance.now()
      this.parting = false
      this.waiter = { done, failed }
      this.limit = limit
      this.clock.set(limit, this.askedAt)
      if (say !== undefined) this.write(say)
      else if (this.running === undefined) this.launch()
      else if (this.pending !== '') this.read(this.running, '')
    })
  }

  private drain(): void {
    if (performance.now() - this.readAt > JUST_MS) this.running?.drain()
    if (this.pending === '') return
    this.countUnasked(this.pending.length)
    this.unasked += this.pending.length
    this.pending = ''
  }

  private write(say: Say): void {
    const { lines } = say
    if (lines === undefined || lines.length === 0) return
    if (this.running === undefined) this.launch()
    else this.unanswered?.push(say)
    sendText(this.running, lines.length === 1 ? `${lines[0]}\n` : `${lines.join('\n')}\n`)
  }

  private async stop(): Promise<void> {
    const { running, parting } = this
    this.running = undefined
    this.gone = undefined
    this.parting = false
    this.clock.clear()
    await this.leaving
    if (running === undefined) return
    if (parting) await letEnd(running)
    running.kill()
    await running.ended.catch(() => undefined)
  }
}
