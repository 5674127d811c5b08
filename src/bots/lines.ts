import { type Answer, type BotOutput, type Question, type BotInput, flooded } from '../core/index.js'
import { attempt } from '../files/index.js'
import { FirstLook, type Snapshot, type StayEnding, describeEnding, tooBusy } from '../sandbox/index.js'
import { type SeatedBot, type BotLife, CLOSED, outlivesMatch } from './life.js'
import { LineBuffer } from './line-buffer.js'
import { GivenUp, HALF_LINE, LeftMatch, LineWait } from './line-answers.js'
import { LinesProcess, textOf } from './lines-process.js'
import { BotCore } from './bot-core.js'
import { OpenQuestion } from './open-question.js'
import { HostedBot, type ProcessHost } from './process-host.js'

/*
 * One process answers each question with a line. Before a question and its updates are written, all that lies in the
 * pipe is thrown away. What a bot prints unasked in the moment between (50 µs at most, and until it has read the
 * question) looks like an answer. A bot in trouble (late, ended, flooding) is killed and stays away for the rest of the
 * match, because its late answer would meet the next question; where it may live on, it is started again for its next
 * match.
 *
 * Where a contest forgives late answers the process lives on, and the line that it owes is known by its number or,
 * without one, its place. A process that may load runs on until it has answered, or says that it has loaded.
 */

/** Milliseconds for which a pipe that was seen empty is not looked into again: a look costs as much as a question. */
const JUST_MS = 0.05

/** Lines on a process that stays for a match, a series or a tournament. */
export class LinesBot extends HostedBot<ProcessHost> implements SeatedBot {
  private closed = false
  private gone: LeftMatch | undefined
  /** This machine failed to start it: the next question makes the match void. */
  private broken: Error | undefined
  private readonly printed: LineBuffer
  private readonly firstLook = new FirstLook()
  private readonly core = new BotCore()
  private givenUp: GivenUp
  private readonly question: OpenQuestion
  private readonly process: LinesProcess
  private wait: LineWait | undefined
  private loading = false
  /** The last question: its number (none: whether it is ready), and its limit without the time to load. */
  private number: number | undefined
  private turn = 0
  private mercies = 0
  /** When something was last read: then the pipe was empty. */
  private readAt = 0
  private match = ''

  constructor(life: BotLife, host: ProcessHost) {
    super(life, host)
    this.printed = new LineBuffer(life.outputBytes)
    this.givenUp = new GivenUp(life.wire)
    this.question = new OpenQuestion(host, this.core, {
      onTime: (busy, cpuUs) => this.timeIsUp(busy, cpuUs),
      onLate: (output) => this.tooLate(output),
    })
    this.process = new LinesProcess(host, {
      onOutput: (latin1) => this.read(latin1),
      onEnd: (ending, unanswered) => this.ended(ending, unanswered),
      onFailure: (error) => this.broke(error),
      onFlush: () => this.question.clock.stir?.(),
    })
  }

  begin(key: string): Promise<void> | void {
    this.match = key
    this.life.figures?.begin()
    const fresh = !outlivesMatch(this.life.memory)
    const waiting = fresh || this.process.leaving !== undefined ? this.makeReady(fresh) : this.host.ready(false)
    return waiting === undefined ? this.seat() : waiting.then(() => this.seat())
  }

  private async makeReady(fresh: boolean): Promise<void> {
    if (fresh) await this.stop()
    await this.process.left()
    await this.host.ready(fresh)
  }

  private seat(): void {
    this.gone = undefined
    this.mercies = this.life.forgiven ?? 0
    this.printed.begin()
    this.process.begin()
    // A process that has ended is started again only for the next match.
    if (this.process.running === undefined) this.launch()
  }

  async ready(input: BotInput | undefined, limit: number): Promise<Answer> {
    const { ready } = this.life.wire
    this.number = undefined
    this.waitFor(ready?.at === 'match' ? (out) => !ready.ok({ out }) : undefined, ready?.expects)
    return this.exchange(input, limit)
  }

  send(input: BotInput): void {
    if (this.gone !== undefined || this.closed || this.broken !== undefined) return
    const text = this.deliver(input)
    if (text !== '') this.process.hold(text)
  }

  ask(question: Question): Promise<Answer> | Answer {
    this.life.figures?.asked(question.number)
    this.number = question.number
    this.waitFor(question.skips)
    return this.exchange(question.input, question.limit)
  }

  /** `skips`: tells the lines that are no answer; undefined: each line is one. */
  private waitFor(skips: Question['skips'], expects = 'print an answer'): void {
    this.wait = skips && new LineWait(skips, this.life.outputBytes, expects)
  }

  dismiss(): void {
    this.leave({ trouble: 'killed', why: 'it was ended' })
  }

  end(): Promise<void> | void {
    if (!outlivesMatch(this.life.memory)) return this.stop()
    if (this.life.memory === 'tournament' && this.core.look()) this.host.bind?.(this.core.isShared)
    // What it left in its folders is looked at next.
    return this.process.leaving
  }

  get sharesCore(): boolean {
    return this.life.memory === 'tournament' && this.core.isShared
  }

  async close(): Promise<void> {
    this.closed = true
    this.question.answer(CLOSED)
    await this.stop()
    await this.host.close()
  }

  override snapshot(): Promise<Snapshot | undefined> | Snapshot | undefined {
    this.process.flush()
    return super.snapshot()
  }

  surplusLines(): number {
    return this.printed.surplus
  }

  private launch(): void {
    const { life } = this
    this.broken = undefined
    this.printed.clear()
    this.givenUp = new GivenUp(life.wire)
    const seed = life.seed(outlivesMatch(life.memory) ? life.key : this.match)
    try {
      this.process.start(seed)
    } catch (error) {
      const lost = this.host.lost()
      return lost === undefined ? this.broke(error) : this.leave({ trouble: 'crash', why: describeEnding(lost) })
    }
    this.loading = life.startLimit !== undefined
    if (this.loading) this.question.clock.load?.(this.loadMs)
  }

  /** Milliseconds that its process may take to load, if it still does. */
  private get loadMs(): number {
    return this.loading ? (this.life.startLimit ?? 0) : 0
  }

  private loaded(): void {
    if (!this.loading) return
    this.loading = false
    this.question.clock.load?.(0)
  }

  private async stop(): Promise<void> {
    this.gone = undefined
    const stopped = this.process.stop()
    this.question.clock.clear()
    await stopped
  }

  /** It went by itself: between matches it may, and is started again; within one that is a crash. */
  private ended(ending: StayEnding, unanswered: readonly BotInput[] | undefined): void {
    if (this.gone !== undefined || this.closed) return
    if (ending.flood !== undefined) return this.leave(flooded(ending.flood))
    if (unanswered === undefined || ending.sandbox !== undefined)
      return this.leave({ trouble: 'crash', why: describeEnding(ending) })
    if (unanswered.length === 0) return

    this.launch()
    this.process.sendAgain(unanswered)
    if (this.loading && this.question.isOpen) this.question.time(this.limit(), performance.now(), 0, this.loadMs)
  }

  /** If the machine was too busy for it, that is no fault, and voids the match. */
  private timeIsUp(busy: boolean, cpuUs: number | undefined): void {
    if (busy) this.process.abandon(tooBusy(this.life.name, this.question.limit, cpuUs))
    else if (this.forgives()) this.giveUp()
    else this.leave(this.timeout)
  }

  private forgives(): boolean {
    return this.number !== undefined && this.mercies-- > 0
  }

  /** The answer to the open question is awaited no longer, and may still come. */
  private giveUp(): void {
    const output = this.withPrinted(this.timeout)
    this.givenUp.add(this.number as number)
    this.loaded()
    this.question.answer(output)
    this.question.clock.rest?.()
  }

  private tooLate({ out }: BotOutput): BotOutput {
    const output = this.timeout
    if (!this.forgives()) {
      this.leave(output)
      this.gone?.take()
    }
    return out === undefined ? output : { ...output, out: out.slice(0, HALF_LINE) }
  }

  private get timeout(): BotOutput {
    const missing = this.wait?.first === undefined ? 'no whole line' : `did not ${this.wait.expects}`
    const { limit } = this.question
    return { trouble: 'timeout', why: `${missing} within ${this.loading ? `its first ${limit}` : limit} ms` }
  }

  /** With the beginning of what it printed, or of the first line passed over. */
  private withPrinted(output: BotOutput): BotOutput {
    const out = this.printed.empty ? this.wait?.first : this.printed.start(HALF_LINE)
    return out === undefined ? output : { ...output, out }
  }

  private broke(error: unknown): void {
    this.broken = error instanceof Error ? error : new Error(String(error))
    this.question.fail(this.broken)
  }

  private flooded(why: string): void {
    this.printed.clear()
    this.leave(flooded(why))
  }

  /** The bot is out of this match, and killed. This answers the open question, or else the next one. */
  private leave(output: BotOutput): void {
    if (this.gone !== undefined) return
    this.gone = new LeftMatch(output, this.question.isOpen)
    this.process.kill()
    this.question.answer(this.withPrinted(output))
    this.printed.clear()
  }

  /** A suspended process is resumed before its time begins; it may be suspended again when that is known. */
  private exchange(input: BotInput | undefined, limit: number): Promise<Answer> | Answer {
    const waking = this.gone === undefined ? this.process.running?.wake?.() : undefined
    return waking === undefined ? this.exchangeNow(input, limit) : waking.then(() => this.exchange(input, limit))
  }

  private exchangeNow(input: BotInput | undefined, limit: number): Promise<Answer> | Answer {
    if (this.closed) return { output: CLOSED, wallUs: 0 }
    if (this.process.running === undefined && this.gone === undefined && this.broken === undefined) this.launch()
    let now = performance.now()
    if (input !== undefined && this.drain(now)) now = performance.now()
    const spent = this.process.running?.takeSuspended?.() ?? 0
    this.turn = limit
    if (this.gone === undefined && spent >= this.limit()) {
      const output = { trouble: 'timeout', why: spentWords(spent) } as const
      if (this.forgives()) return { output, wallUs: 0 }
      this.leave(output)
    }
    if (this.gone !== undefined) return { output: this.gone.take(), wallUs: 0 }
    if (this.broken !== undefined) return Promise.reject(this.broken)

    const answer = this.question.open()
    this.question.time(this.limit(), now, spent, this.loadMs)
    this.process.ask(input === undefined ? '' : this.deliver(input))
    if (input !== undefined) this.lookAtOnce()
    else if (!this.printed.empty) this.read('')
    return answer.result()
  }

  private limit(): number {
    return Math.max(this.turn, this.loadMs)
  }

  /** What to write to the program. One that has ended is started again. */
  private deliver(input: BotInput): string {
    const text = textOf(input)
    if (text === '') return text
    if (this.process.running === undefined) this.launch()
    else this.process.expect(input)
    return text
  }

  private lookAtOnce(): void {
    const { running } = this.process
    if (running?.look === undefined || !this.firstLook.due()) return
    running.look()
    this.firstLook.found(!this.question.isOpen)
  }

  /** Throws away what was printed unasked. Whether it had to look. */
  private drain(now: number): boolean {
    const looks = now - this.readAt > JUST_MS
    if (looks) this.process.running?.drain()
    // The rest of a half line is a line, too, so that what is owed is counted right.
    const flood = this.printed.empty ? undefined : this.printed.discard()
    if (flood !== undefined) this.flooded(flood)
    return looks
  }

  /** It printed this; '': what was printed before may answer a question asked since. */
  private read(latin1: string): void {
    this.readAt = performance.now()
    this.printed.add(latin1)
    const asked = this.question.isOpen
    const flood = this.printed.flood(asked)
    if (flood !== undefined) return this.flooded(flood)

    if (!asked && (this.loading || this.givenUp.any)) this.takeUnasked()
    const out = asked ? this.takeAnswer() : undefined
    if (out === undefined) return
    this.loaded()
    this.process.answered()
    this.question.answer({ out }, this.readAt)
  }

  private takeAnswer(): string | undefined {
    let out = this.printed.takeLine()
    while (out !== undefined && this.isNoAnswer(out)) out = this.printed.takeLine()
    const flood = this.wait?.flood()
    if (flood === undefined) return out
    this.flooded(flood)
    return undefined
  }

  private isNoAnswer(line: string): boolean {
    return this.saysLoaded(line) || this.wait?.passesOver(line) === true || this.givenUp.takes(line, this.number)
  }

  /** Unasked lines may be answers that are still owed. */
  private takeUnasked(): void {
    for (let line = this.printed.takeLine(); line !== undefined; line = this.printed.takeLine())
      if (!this.saysLoaded(line) && !this.givenUp.takes(line)) this.printed.unask(line)
  }

  /** Whether a line says that it has loaded: from then on the open question has its usual time. */
  private saysLoaded(line: string): boolean {
    if (!this.loading || attempt(() => this.life.wire.loads?.ok(line)) !== true) return false
    this.loaded()
    if (this.question.isOpen) this.question.time(this.turn, this.readAt)
    return true
  }
}

const spentWords = (ms: number): string =>
  ms === 0 ? 'had no time left' : `ran for ${Math.round(ms)} ms while it was not asked`
