import type { Answer, BotInput, BotOutput, Question } from '../core/index.js'
import { flooded } from '../core/index.js'
import { attempt } from '../files/index.js'
import { type BotLife, CLOSED, type Disturbance, type SeatedBot } from './life.js'
import { GivenUp, HALF_LINE, LeftMatch, LineWait } from './line-answers.js'

/*
 * A remote bot runs on its author's machine, and plays in lines over a connection that the site keeps. A question has
 * the bot's limit and what the way may take. While the connection is broken no clock runs; all breaks of a match
 * together may last as long as the contest says. Then the bot is out: the first time in a match as a disturbance, which
 * voids it, later as a timeout. So nobody gains by pulling the plug.
 *
 * Between two matches its machine may do anything: its first answer in each may take the time to load, until it says
 * that it has loaded. A line answers a question only if the bot's machine had received the question before the line was
 * printed.
 */

export interface SeatEvents {
  /** Its program printed a line; `seen`: the number of the last line given to it before. */
  line(text: string, seen: number): void
  ended(why: string): void
  broken(): void
  back(): void
  /** The connection is gone, or did not come back in time. */
  lost(why: string): void
}

export interface RemoteSeat {
  /** Sends the bot a line. Returns the line's number. */
  send(line: string): number
  hasReached(line: number): boolean
  /** Gives up a connection that seems to be there, but brings nothing. */
  breakOff(): void
  /** The match is over for it; `killed`: its program is to be ended. */
  close(killed: boolean): void
}

export interface RemoteSeats {
  isThere(bot: string): boolean
  /** Seats it as soon as it is connected; undefined: it was not in time. */
  sit(bot: string, match: string, events: SeatEvents): Promise<RemoteSeat | undefined>
  /** Milliseconds that all breaks in a match may last. */
  patience(bot: string): number
  /** A bot was lost in a match. Returns whether for the first time. */
  lostFirst(bot: string, match: string): boolean
}

/** Milliseconds for the way there and back, where the contest does not say. */
const NETWORK_MS = 200

interface Waiting {
  /** Numbers of the question's line, and of the question in its match (undefined: whether it is ready). */
  readonly line: number
  readonly number: number | undefined
  limit: number
  /** The limit without the time to load. */
  readonly turn: number
  /** Milliseconds of these that are no thinking. */
  loading: number
  readonly wait: LineWait | undefined
  done(answer: Answer): void
  /** Milliseconds of waiting, breaks not counted, until `since`. */
  waited: number
  since: number
}

export class RemoteBot implements SeatedBot {
  private seat: RemoteSeat | undefined
  private match = ''
  private gone: LeftMatch | undefined
  private waiting: Waiting | undefined
  private timer: NodeJS.Timeout | undefined
  private brokenAt: number | undefined
  /** Milliseconds that breaks may still last in this match. */
  private patience = 0
  private disturbance: Disturbance | undefined
  private closed = false
  private givenUp: GivenUp
  private loading = false
  private mercies = 0

  constructor(
    private readonly life: BotLife,
    private readonly bot: string,
    private readonly seats: RemoteSeats,
    private readonly networkMs = NETWORK_MS,
    private readonly now: () => number = () => performance.now(),
  ) {
    this.givenUp = new GivenUp(life.wire)
  }

  async begin(key: string): Promise<void> {
    this.leaveSeat(true)
    this.match = key
    this.gone = undefined
    this.givenUp = new GivenUp(this.life.wire)
    this.loading = this.life.startLimit !== undefined
    this.mercies = this.life.forgiven ?? 0
    this.patience = this.seats.patience(this.bot)
    const seat = await this.seats.sit(this.bot, key, this.events())
    if (this.closed) seat?.close(true)
    else if (seat === undefined) this.lost('it was not connected')
    else this.seat = seat
  }

  ready(input: BotInput | undefined, limit: number): Promise<Answer> {
    return this.exchange(input, limit, undefined, undefined)
  }

  ask({ input, number, limit, skips }: Question): Promise<Answer> {
    return this.exchange(input, limit, number, skips && new LineWait(skips, this.life.outputBytes, 'print an answer'))
  }

  send({ lines = [] }: BotInput): void {
    for (const line of lines) this.seat?.send(line)
  }

  dismiss(): void {
    this.leave({ trouble: 'killed', why: 'it was ended' })
  }

  end(): void {
    this.leaveSeat(false)
  }

  async close(): Promise<void> {
    this.closed = true
    this.answer(CLOSED)
    this.leaveSeat(true)
  }

  disturbed(): Disturbance | undefined {
    const { disturbance } = this
    this.disturbance = undefined
    return disturbance
  }

  private exchange(
    input: BotInput | undefined,
    turn: number,
    number: number | undefined,
    wait: LineWait | undefined,
  ): Promise<Answer> {
    if (this.closed) return Promise.resolve({ output: CLOSED, wallUs: 0 })
    const numbers = (input?.lines ?? []).map((line) => this.seat?.send(line) ?? 0)
    // It may have been lost just now.
    if (this.seat === undefined) return Promise.resolve({ output: this.gone?.take() ?? CLOSED, wallUs: 0 })
    const loading = this.loading ? (this.life.startLimit ?? 0) : 0
    const limit = Math.max(turn, loading)
    return new Promise((done) => {
      const line = numbers.at(-1) ?? 0
      this.waiting = { line, number, limit, turn, loading, wait, done, waited: 0, since: this.now() }
      if (this.brokenAt === undefined) this.arm()
    })
  }

  private events(): SeatEvents {
    // Of a seat that was left nothing counts any more.
    const { match } = this
    const ifHere = (act: () => void): void => {
      if (this.match === match && this.gone === undefined && !this.closed) act()
    }
    return {
      line: (text, seen) => ifHere(() => this.read(text, seen)),
      ended: (why) => ifHere(() => this.leave({ trouble: 'crash', why })),
      broken: () => ifHere(() => this.broke()),
      back: () => ifHere(() => this.resume()),
      lost: (why) => ifHere(() => this.lost(why)),
    }
  }

  private read(text: string, seen: number): void {
    const { waiting } = this
    if (text.length > this.life.outputBytes)
      return this.leave(flooded(`printed more than ${this.life.outputBytes} bytes`))
    if (this.saysLoaded(text)) return
    if (waiting === undefined || seen < waiting.line) return void this.givenUp.takes(text)
    if (waiting.wait?.passesOver(text) !== true && !this.givenUp.takes(text, waiting.number)) {
      this.loading = false
      return this.answer({ out: text })
    }
    const flood = waiting.wait?.flood()
    if (flood !== undefined) this.leave(flooded(flood))
  }

  /** Whether a line says that it has loaded: from then on the open question has its usual time. */
  private saysLoaded(line: string): boolean {
    if (!this.loading || attempt(() => this.life.wire.loads?.ok(line)) !== true) return false
    this.loading = false
    const { waiting } = this
    if (waiting === undefined) return true
    clearTimeout(this.timer)
    Object.assign(waiting, { limit: waiting.turn, loading: 0, waited: 0, since: this.now() })
    if (this.brokenAt === undefined) this.arm()
    return true
  }

  private arm(): void {
    const { waiting } = this
    if (waiting === undefined) return
    const left = waiting.limit + this.networkMs - waiting.waited
    this.timer = setTimeout(() => this.timeIsUp(), Math.max(0, left))
  }

  /** Where a question has not reached its machine, the connection is late, not the bot. */
  private timeIsUp(): void {
    const { waiting, seat } = this
    if (waiting === undefined) return
    if (seat?.hasReached(waiting.line) === false) return seat.breakOff()
    const { limit, wait, number } = waiting
    const missing = wait?.first === undefined ? 'no line' : `did not ${wait.expects}`
    const why = `${missing} within ${limit} ms and ${this.networkMs} ms for the way`
    const output = { trouble: 'timeout', why, out: wait?.first } as const
    if (number === undefined || this.mercies-- <= 0) return this.leave(output)
    // Its answer may still come.
    this.givenUp.add(number)
    this.loading = false
    this.answer(output)
  }

  private broke(): void {
    if (this.brokenAt !== undefined) return
    this.brokenAt = this.now()
    clearTimeout(this.timer)
    if (this.waiting !== undefined) this.waiting.waited += this.brokenAt - this.waiting.since
    this.timer = setTimeout(() => this.lost('its connection broke and did not come back'), this.patience)
  }

  private resume(): void {
    if (this.brokenAt === undefined) return
    clearTimeout(this.timer)
    const now = this.now()
    this.patience = Math.max(0, this.patience - (now - this.brokenAt))
    this.brokenAt = undefined
    if (this.waiting !== undefined) this.waiting.since = now
    this.arm()
  }

  private lost(why: string): void {
    if (this.seats.lostFirst(this.bot, this.match))
      this.disturbance ??= { certain: false, why: `${this.life.name}: ${why}` }
    this.leave({ trouble: 'timeout', why })
  }

  /** It is out of this match. This answers the open question, or else the next one. */
  private leave(output: BotOutput): void {
    if (this.gone !== undefined) return
    this.gone = new LeftMatch(output, this.waiting !== undefined)
    const out = output.out?.slice(0, HALF_LINE)
    this.answer({ ...output, out })
    this.leaveSeat(true)
  }

  private answer(output: BotOutput): void {
    const { waiting } = this
    clearTimeout(this.timer)
    this.waiting = undefined
    if (waiting === undefined) return
    const waited = waiting.waited + (this.brokenAt === undefined ? this.now() - waiting.since : 0)
    // What the way may take is not the bot's time.
    const charged = Math.max(0, waited - this.networkMs)
    const { loading } = waiting
    const thoughtUs = loading === 0 ? undefined : 1000 * Math.max(0, charged - loading)
    waiting.done({ output, wallUs: 1000 * waited, chargedUs: 1000 * charged, thoughtUs })
  }

  private leaveSeat(killed: boolean): void {
    clearTimeout(this.timer)
    this.brokenAt = undefined
    this.seat?.close(killed)
    this.seat = undefined
  }
}
