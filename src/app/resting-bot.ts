import type { Answer, BotInput, Question } from '../core/index.js'
import type { Disturbance, SeatedBot } from '../bots/index.js'

type Restable = Pick<SeatedBot, 'begin' | 'ready' | 'send' | 'ask' | 'dismiss' | 'close' | 'disturbed'>

/** What a bot has been sent and asked at most when it is ended for a while: the next one is sent all of it again. */
const MOST = 1000

/**
 * A bot that waits long for its next question, such as against a person: ended if nothing is asked for a while, unless it has heard very much. The
 * next bot in its place hears all of that again, if it remembers anything.
 */
export class RestingBot implements Restable {
  private awake: Restable | undefined
  private key = ''
  /** What it was sent and asked in this match, in order. */
  private heard: ((bot: Restable) => unknown)[] = []
  /** It is not ended: it has heard too much to be told again, or its answers are trouble, so that another would begin anew. */
  private stays = false
  private timer: NodeJS.Timeout | undefined
  private ending: Promise<void> = Promise.resolve()
  private found: Disturbance | undefined
  private isDismissed = false

  constructor(
    private readonly make: () => Restable,
    private readonly remembers: boolean,
    private readonly idleMs: number,
  ) {}

  begin(key: string): Promise<void> {
    this.key = key
    this.heard = []
    this.stays = this.isDismissed = false
    return this.close()
  }

  ready(input: BotInput | undefined, limit: number): Promise<Answer> {
    return this.answered((bot) => bot.ready(input, limit))
  }

  ask(question: Question): Promise<Answer> {
    return this.answered((bot) => bot.ask(question))
  }

  async send(input: BotInput): Promise<void> {
    await this.awake?.send(input)
    this.hear((bot) => bot.send(input))
  }

  dismiss(): void {
    this.isDismissed = true
    this.awake?.dismiss()
  }

  end(): Promise<void> {
    return this.close()
  }

  disturbed(): Disturbance | undefined {
    const found = this.awake?.disturbed?.() ?? this.found
    this.found = undefined
    return found
  }

  close(): Promise<void> {
    clearTimeout(this.timer)
    const { awake } = this
    this.awake = undefined
    if (awake !== undefined) {
      this.found ??= awake.disturbed?.()
      this.ending = this.ending.then(() => awake.close())
    }
    return this.ending
  }

  private hear(what: (bot: Restable) => unknown): void {
    if (!this.remembers || this.stays) return
    this.stays = this.heard.push(what) > MOST && this.awake !== undefined
    if (this.stays) this.heard = []
  }

  private async answered(ask: (bot: Restable) => Promise<Answer> | Answer): Promise<Answer> {
    clearTimeout(this.timer)
    if (this.isDismissed && this.awake === undefined)
      return { output: { trouble: 'killed', why: 'it was ended' }, wallUs: 0 }
    const answer = await ask(this.awake ?? (await this.wake()))
    this.hear(ask)
    this.stays ||= 'trouble' in answer.output
    if (!this.stays) this.timer = setTimeout(() => void this.close().catch(() => undefined), this.idleMs).unref()
    return answer
  }

  private async wake(): Promise<Restable> {
    await this.ending
    const bot = (this.awake = this.make())
    await bot.begin(this.key)
    for (const hear of this.heard) await hear(bot)
    return bot
  }
}
