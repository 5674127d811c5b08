import { writeSync } from 'node:fs'
import type { Answer, Heard, Question, Say } from '../core/index.js'
import { type Running, type Snapshot, type StayEnding, describeEnding } from '../cells/index.js'
import { type Bot, type BotLife, CLOSED, livesOn } from './life.js'
import type { Clock, Quarters } from './quarters.js'

/*
 * Theory of operation.
 *
 * One process answers question after question, each with a line. A question is written only after everything that lay in the
 * pipe has been read and thrown away, so what was printed before it is not taken for its answer; what a bot prints on its own
 * in the moment between (50 µs at most, and until it has read the question) cannot be told from an answer. A bot in trouble (late, ended, flooding) is killed and stays away for
 * the rest of the match: a process is never resumed after a missed deadline, because its late answer would meet the next
 * question. Where it may live on, it is started again for its next match. Whether it lives in a cell or in a folder of the
 * host is its quarters' affair, and so is its clock.
 */

/** Who waits for the next line, or for the reason why there will be none. */
interface Waiter {
  done(answer: Answer): void
  failed(error: unknown): void
}

/** Lines on a process that stays for a match, a series or a tournament. */
export class LinesBot implements Bot {
  private closed = false
  private running: Running | undefined
  /** What whoever asks next is told, because no more answers come in this match; and what all after him are told. */
  private gone: { now: Heard; later: Heard } | undefined
  /** This machine failed to start it: whoever asks is told that the match is void. */
  private broken: Error | undefined
  /** What was read and belongs to no answer yet. */
  private pending = ''
  /** It was told something after its last answer, which it may not have read yet. */
  private parting = false
  /** Bytes of this match that were printed unasked. */
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
    private readonly quarters: Quarters,
  ) {
    this.clock = quarters.clock(() => this.leave({ trouble: 'timeout', why: `no whole line within ${this.limit} ms` }))
  }

  async begin(key: string): Promise<void> {
    this.match = key
    const lives = livesOn(this.life.memory)
    if (!lives) await this.stop()
    await this.quarters.ready(!lives)
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
    if (this.gone !== undefined || this.closed) return
    this.parting = true
    this.write(say)
  }

  ask(question: Question): Promise<Answer> {
    return this.exchange(question.say, question.limit)
  }

  dismiss(): void {
    this.leave({ trouble: 'killed', why: 'it was ended' })
  }

  async end(): Promise<void> {
    if (livesOn(this.life.memory)) return
    await this.stop()
  }

  async close(): Promise<void> {
    this.closed = true
    this.answer(CLOSED)
    await this.stop()
    await this.quarters.close()
  }

  snapshot(): Promise<Snapshot | undefined> {
    return this.quarters.snapshot()
  }

  restore(snapshot: Snapshot): Promise<void> {
    return this.quarters.ready(true, snapshot)
  }

  amend(snapshot: Snapshot): Promise<void> {
    return this.quarters.amend(snapshot)
  }

  private launch(): void {
    const { life } = this
    this.broken = undefined
    this.pending = ''
    const seed = life.seed(livesOn(life.memory) ? life.key : this.match)
    const running: Running = this.quarters.start(seed, (bytes) => this.read(running, bytes.toString('latin1')))
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
    const said = this.unanswered
    this.unanswered = undefined
    if (this.gone !== undefined || this.closed) return
    if (ending.flood !== undefined) return this.leave({ trouble: 'flood', why: ending.flood })
    if (said === undefined) return this.leave({ trouble: 'crash', why: describeEnding(ending) })
    if (said.length === 0) return
    this.launch()
    for (const say of said) this.write(say)
  }

  private fail(running: Running, error: unknown): void {
    if (this.running !== running) return
    this.running = undefined
    this.broken = error instanceof Error ? error : new Error(String(error))
    const { waiter } = this
    this.waiter = undefined
    void this.clock.off()
    waiter?.failed(error)
  }

  private read(running: Running, latin1: string): void {
    if (this.running !== running) return
    this.readAt = performance.now()
    this.pending = this.pending === '' ? latin1 : this.pending + latin1
    const end = this.pending.indexOf('\n')
    if ((end < 0 ? this.pending.length : end) > this.life.output) {
      this.pending = ''
      this.leave({ trouble: 'flood', why: `printed more than ${this.life.output} bytes for one answer` })
    } else if (this.waiter === undefined) this.countUnasked(this.pending.length)
    else if (end >= 0) {
      const out = this.pending.slice(0, this.pending[end - 1] === '\r' ? end - 1 : end)
      this.pending = this.pending.slice(end + 1)
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
    if (!measuring) return waiter?.done(answer)
    void measuring.then((told) =>
      waiter?.done(told === undefined ? answer : { ...answer, cpuUs: told.cpuUs, chargedUs: told.chargedUs }),
    )
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
    running?.kill()
    this.answer(this.pending === '' ? heard : { ...heard, out: this.pending.slice(0, HALF_LINE) })
    this.pending = ''
  }

  private exchange(say: Say | undefined, limit: number): Promise<Answer> {
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
      else if (this.running !== undefined && this.pending !== '') this.read(this.running, '')
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
    this.send(lines.length === 1 ? `${lines[0]}\n` : `${lines.join('\n')}\n`)
  }

  /** Writes at once where the pipe takes it: a round trip through Node's streams costs more than the answer of a quick bot. */
  private send(text: string): void {
    const { stdin, input } = this.running ?? {}
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
  private async letEnd(running: Running): Promise<void> {
    running.stdin?.end()
    await new Promise<void>((done) => {
      const late = setTimeout(done, PARTING_MS)
      running.exited(() => {
        clearTimeout(late)
        done()
      })
    })
  }

  private async stop(): Promise<void> {
    const { running, parting } = this
    this.running = undefined
    this.gone = undefined
    this.parting = false
    this.clock.clear()
    if (running === undefined) return
    if (parting) await this.letEnd(running)
    running.kill()
    await running.ended.catch(() => undefined)
  }
}

/** Milliseconds for a bot to read how its last match ended. */
const PARTING_MS = 100
/** A pipe that was seen empty less than so many milliseconds ago is not looked into again: a look costs as much as a question. */
const JUST_MS = 0.05
/** Bytes of a half line that are kept for the fault. */
const HALF_LINE = 200
