import { performance } from 'node:perf_hooks'
import type { Answer, BotInput, Player, Question } from '../../core/index.js'
import { PassingPlayer } from '../../core/passing-player.js'
import type { Exchange } from '../look/exchange.js'

/** How a bot that may be late is treated. */
export interface LatePolicy {
  /** It is a process a question: what was late is asked again with more time. Else it is given more time at once. */
  readonly again: boolean
  /** What it has printed when its time runs out counts. */
  readonly salvage: boolean
}

/** The longest that a late answer is waited for, in milliseconds: long enough to see how late it is. */
const waitFor = (limit: number): number => Math.min(8 * limit, limit + 4000)

/** A bot whose questions and answers are written down, and whose first late answer is waited for, to see how late it is. */
export class ObservedPlayer extends PassingPlayer {
  readonly exchanges: Exchange[] = []
  /** It plays no part in the rest of the match. */
  gaveUp = false
  private patient = true
  private inputs: BotInput[] = []

  constructor(
    player: Player,
    private readonly lateTreatment: LatePolicy,
  ) {
    super(player)
  }

  override begin(key: string): Promise<void> | void {
    this.gaveUp = false
    this.inputs = []
    return super.begin(key)
  }
  override send(input: BotInput): Promise<void> | void {
    this.inputs.push(input)
    return super.send(input)
  }
  override async ask(question: Question): Promise<Answer> {
    if (this.gaveUp) return GONE
    const answer = await (this.patient ? this.askPatiently(question) : this.player.ask(question))
    this.exchanges.push({ inputs: [...this.inputs, question.input], view: question.view, answer })
    this.inputs = []
    return answer
  }
  /** Takes no further part in this match. */
  giveUp(): void {
    this.gaveUp = true
    this.player.dismiss()
  }

  private async askPatiently(question: Question): Promise<Answer> {
    const { limit } = question
    const longer = { ...question, limit: waitFor(limit) }
    const { again, salvage } = this.lateTreatment
    if (!again) {
      const before = performance.eventLoopUtilization()
      const answer = await this.player.ask(longer)
      return this.judged(answer, limit, { busyMs: performance.eventLoopUtilization(before).active })
    }
    const answer = await this.player.ask(question)
    const isLate = answer.output.trouble === 'timeout' && !(salvage && answer.output.out)
    return isLate ? this.judged(await this.player.ask(longer), limit, { first: answer }) : answer
  }

  /**
   * An answer that got more time, judged by the limit; `first`: the answer at the limit. `busyMs`: for how long agon itself was at work, and so
   * did not look for the answer: a house bot in this process may think for a second. A time that a sandbox has measured does not include it.
   */
  private judged(answer: Answer, limit: number, { first = answer, busyMs = 0 }: Judging): Answer {
    const ms = answer.chargedUs === undefined ? answer.wallUs / 1000 - busyMs : answer.chargedUs / 1000
    const never = answer.output.trouble === 'timeout'
    const other = answer.output.trouble !== undefined || ms <= limit
    if (!never && other) return first
    this.patient = false
    const why = never
      ? `no answer, although it was given ${grouped(waitFor(limit))} ms; the limit is ${grouped(limit)}`
      : `took ${grouped(ms)} ms of ${grouped(limit)}${answer.output.out ? '' : ', and printed nothing'}`
    return { ...answer, output: { ...first.output, trouble: 'timeout', why } }
  }
}

interface Judging {
  readonly first?: Answer
  readonly busyMs?: number
}

const GONE: Answer = { output: { trouble: 'killed', why: 'takes no further part' }, wallUs: 0 }

/** Milliseconds with commas between thousands. */
const grouped = (ms: number): string => Math.round(ms).toLocaleString('en-US')
