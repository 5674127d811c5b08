import type { RemoteSeat, RemoteSeats, SeatEvents } from '../context.js'
import { Link, LinkError, REFUSED, type Sent, TAKEN_OVER } from './link.js'
import { randomBytes } from 'node:crypto'

/** A remote bot's key: no chosen name makes it another's. */
export const remoteBot = (contest: string, name: string): string => JSON.stringify([contest, name])

export interface Comer {
  readonly contest: string
  readonly name: string
  readonly contestant: number
  readonly address: string
  /** Seconds to come back after a broken connection. */
  readonly reconnect: number
  readonly outputBytes: number
}

export interface Connection {
  write(text: string): void
  terminate(): void
  /** The other end shows the reason. */
  close(code: number, why: string): void
}

/** Remembered matches in which a bot was lost. */
const LOST = 1000

/**
 * A bot that was connected since the site began. Its play outlives connections, until another machine takes over or
 * none comes back.
 */
class ConnectedBot {
  /** Its machine's own name for itself; undefined: none is waited for. */
  session: string | undefined
  connection: Connection | undefined
  private link = new Link()
  private readonly seats = new Map<string, SeatEvents>()
  private late: NodeJS.Timeout | undefined
  private readonly lost = new Set<string>()
  private readonly waiting = new Set<() => void>()

  constructor(
    public comer: Comer,
    private readonly onChange: () => void,
  ) {}

  /**
   * `session`: as its machine names itself; another takes the last one's place. `received`: the last number that came
   * there. It is told what came here, and whether nothing of the session before counts.
   */
  connect(session: string, received: number, connection: Connection): void {
    const { name, outputBytes } = this.comer
    const isNew = this.session !== session
    if (isNew) this.end(`another connection of ${name} took over`, TAKEN_OVER)
    else this.detach()?.terminate()
    clearTimeout(this.late)
    this.session = session
    this.connection = connection
    connection.write(JSON.stringify({ welcome: this.link.received, isNew, most: outputBytes }))
    this.link.attach((text) => connection.write(text), isNew ? 0 : received)
    for (const seat of this.seats.values()) seat.back()
    for (const here of this.waiting) here()
    this.onChange()
  }

  /** Its machine is waited for, unless another one has taken its place. */
  disconnect(connection: Connection): void {
    if (this.connection !== connection) return
    this.detach()
    this.onChange()
  }

  /** Throws a LinkError for what no agon sends. */
  receive(connection: Connection, text: string): void {
    if (this.connection !== connection) return
    const { sent, seen = 0 } = this.link.receive(text) ?? {}
    // What comes of a seat that was left is late.
    const events = sent && this.seats.get(sent.seat)
    if (sent?.line !== undefined) events?.line(sent.line, seen)
    else if (sent?.end !== undefined) events?.ended(sent.end.slice(0, 200))
  }

  /** Resolves once it is connected or out of time. */
  async arrived(): Promise<void> {
    if (this.connection !== undefined) return
    await new Promise<void>((done) => {
      const here = (): void => {
        clearTimeout(late)
        this.waiting.delete(here)
        done()
      }
      const late = setTimeout(here, 1000 * this.comer.reconnect)
      this.waiting.add(here)
    })
  }

  sit(match: string, events: SeatEvents): RemoteSeat {
    const seat = randomBytes(12).toString('base64url')
    this.seats.set(seat, events)
    this.send({ seat, begin: match })
    return {
      send: (line) => this.send({ seat, line }),
      hasReached: (n) => this.link.hasReached(n),
      breakOff: () => this.connection?.terminate(),
      close: (killed) => {
        if (this.seats.delete(seat)) this.send({ seat, end: killed ? 'killed' : 'over' })
      },
    }
  }

  lostFirst(match: string): boolean {
    if (this.lost.has(match)) return false
    this.lost.add(match)
    for (const oldest of [...this.lost].slice(0, -LOST)) this.lost.delete(oldest)
    return true
  }

  end(why: string, code?: number): void {
    const { connection } = this
    const seats = [...this.seats.values()]
    clearTimeout(this.late)
    this.session = this.connection = undefined
    this.link = new Link()
    this.seats.clear()
    if (code === undefined) connection?.terminate()
    else connection?.close(code, why)
    for (const seat of seats) seat.lost(why)
  }

  /** Ends the session for good; the machine is told why. */
  drop(why: string): void {
    if (this.session === undefined) return
    this.end(why, REFUSED)
    this.onChange()
  }

  close(): void {
    for (const here of this.waiting) here()
    this.end('the site ends')
  }

  private detach(): Connection | undefined {
    const { connection, comer } = this
    if (connection === undefined) return undefined
    this.connection = undefined
    this.link.detach()
    for (const seat of this.seats.values()) seat.broken()
    this.late = setTimeout(() => this.end('its connection broke and did not come back'), 1000 * comer.reconnect)
    this.late.unref()
    return connection
  }

  private send(sent: Sent): number {
    try {
      return this.link.send(sent)
    } catch (error) {
      if (!(error instanceof LinkError)) throw error
      this.end(`its machine was cut off: ${error.message}`)
      return 0
    }
  }
}

/** To be closed. */
export class Remotes implements RemoteSeats {
  private readonly bots = new Map<string, ConnectedBot>()
  private closed = false

  /** `onChange`: called when a bot of a contest comes or goes. */
  constructor(private readonly onChange: (contest: string) => void = () => undefined) {}

  isThere(bot: string): boolean {
    return this.bots.get(bot)?.connection !== undefined
  }

  patience(bot: string): number {
    return 1000 * (this.bots.get(bot)?.comer.reconnect ?? 0)
  }

  lostFirst(bot: string, match: string): boolean {
    return this.bots.get(bot)?.lostFirst(match) ?? true
  }

  async sit(bot: string, match: string, events: SeatEvents): Promise<RemoteSeat | undefined> {
    const there = this.bots.get(bot)
    if (there === undefined || this.closed) return undefined
    await there.arrived()
    return this.isThere(bot) ? there.sit(match, events) : undefined
  }

  bot(comer: Comer): ConnectedBot {
    const { contest, name } = comer
    const key = remoteBot(contest, name)
    const bot = this.bots.get(key) ?? new ConnectedBot(comer, () => this.onChange(contest))
    this.bots.set(key, bot)
    bot.comer = comer
    return bot
  }

  /** Ends a bot's connection for good; its machine is told why. */
  drop(contest: string, name: string, why: string): void {
    this.bots.get(remoteBot(contest, name))?.drop(why)
  }

  close(): void {
    this.closed = true
    for (const bot of this.bots.values()) bot.close()
  }
}
