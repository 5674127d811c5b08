import { performance } from 'node:perf_hooks'
import type { Answer, BotInput, Player, Question } from '../../core/index.js'
import { PassingPlayer } from '../../core/passing-player.js'
import type { Exchange } from '../look/exchange.js'
import { grouped } from './causes-of-answers.js'

export interface LatePolicy {
  /** It is a process a question: what was late is asked again with more time. Else it is given more time at once. */
  readonly again: boolean
  /** What it has printed when its time runs out counts. */
  readonly salvage: boolean
  /** Milliseconds that a process that stays may take to load; 0: none. */
  readonly start: number
}

/** The longest wait for a late answer, in milliseconds. */
const waitFor = (limit: number): number => Math.min(8 * limit, limit + 4000)

export type TimedExchange = Exchange & { readonly limitMs: number }

/** Writes down questions and answers, and waits for the first late answer, to see how late it is. */
export class ObservedPlayer extends PassingPlayer {
  readonly exchanges: TimedExchange[] = []
  gaveUp = false
  private patient = true
  private inputs: BotInput[] = []
  private isFirst = true

  constructor(
    player: Player,
    private readonly policy: LatePolicy,
  ) {
    super(player)
  }

  override begin(key: string): Promise<void> | void {
    this.gaveUp = false
    this.inputs = []
    this.isFirst = true
    return super.begin(key)
  }
  override send(input: BotInput): Promise<void> | void {
    this.inputs.push(input)
    return super.send(input)
  }
  override async ask(question: Question): Promise<Answer> {
    if (this.gaveUp) return { output: { trouble: 'killed', why: 'takes no further part' }, wallUs: 0 }
    const answer = this.patient ? await this.askPatiently(question) : await this.player.ask(question)
    const inputs = [...this.inputs, question.input]
    this.exchanges.push({ inputs, view: question.view, answer, limitMs: this.limitOf(answer, question) })
    this.inputs = []
    this.isFirst = false
    return answer
  }
  giveUp(): void {
    this.gaveUp = true
    this.player.dismiss()
  }

  private async askPatiently(question: Question): Promise<Answer> {
    const { limit } = question
    const { again, salvage, start } = this.policy
    const longer = { ...question, limit: waitFor(this.isFirst ? Math.max(limit, start) : limit) }
    if (again) {
      const answer = await this.player.ask(question)
      const isLate = answer.output.trouble === 'timeout' && !(salvage && answer.output.out)
      return isLate ? this.judged(await this.player.ask(longer), question, 0, answer) : answer
    }
    const before = performance.eventLoopUtilization()
    const answer = await this.player.ask(longer)
    return this.judged(answer, question, performance.eventLoopUtilization(before).active)
  }

  /** Milliseconds that an answer had: more if its process had to load. */
  private limitOf({ thoughtUs }: Answer, { limit }: Question): number {
    return this.isFirst && thoughtUs !== undefined ? Math.max(limit, this.policy.start) : limit
  }

  /**
   * An answer that got more time, judged by the limit; `atLimit`: the answer then. `busyMs`: how long agon itself, such
   * as a house bot in this process, kept it from seeing the answer; a time that a sandbox measured does not include it.
   */
  private judged(answer: Answer, question: Question, busyMs: number, atLimit = answer): Answer {
    const limit = this.limitOf(answer, question)
    const ms = answer.chargedUs === undefined ? answer.wallUs / 1000 - busyMs : answer.chargedUs / 1000
    const never = answer.output.trouble === 'timeout'
    if (!never && (answer.output.trouble !== undefined || ms <= limit)) return atLimit
    this.patient = false
    const why = never
      ? `no answer, although it was given ${grouped(waitFor(limit))} ms; the limit is ${grouped(limit)}`
      : `took ${grouped(ms)} ms of ${grouped(limit)}${answer.output.out ? '' : ', and printed nothing'}`
    return { ...answer, output: { ...atLimit.output, trouble: 'timeout', why } }
  }
}
