import type { RemoteSeat, SeatEvents } from '../../app/context.js'
import { Link, LinkError, type Sent } from '../../app/remote/link.js'
import { freshId } from '../tokens.js'

/** A connection of a bot's machine. */
export interface Connection {
  write(text: string): void
  /** Ends it at once. */
  terminate(): void
  /** Ends it with a reason that the other end shows. */
  close(code: number, why: string): void
}

/** What the machine of a bot, once it is connected, plays: it outlives connections, and ends where another machine takes its place, or none comes back. */
export class RemoteSession {
  private readonly link = new Link()
  private readonly seats = new Map<string, SeatEvents>()
  private connection: Connection | undefined

  constructor(
    /** By what the machine names itself when it comes back. */
    readonly id: string,
  ) {}

  get isConnected(): boolean {
    return this.connection !== undefined
  }

  /** The last number that has come from the machine. */
  get received(): number {
    return this.link.received
  }

  /** A connection takes the place of the one before. `received`: what has come to the machine. */
  attach(connection: Connection, received: number): void {
    const before = this.connection
    this.connection = undefined
    before?.terminate()
    if (before !== undefined) this.tell((seat) => seat.broken())
    this.connection = connection
    this.link.attach((text) => connection.write(text), received)
    this.tell((seat) => seat.back())
  }

  /** A connection has ended. False: another one had taken its place. */
  detach(connection: Connection): boolean {
    if (this.connection !== connection) return false
    this.connection = undefined
    this.link.detach()
    this.tell((seat) => seat.broken())
    return true
  }

  /** Something came over it. Throws a LinkError for what no agon sends. */
  receive(text: string): void {
    const { sent, seen } = this.link.receive(text) ?? {}
    const events = sent && this.seats.get(sent.seat)
    // What comes of a seat that was left is late.
    if (sent === undefined || events === undefined) return
    if (sent.line !== undefined) events.line(sent.line, seen ?? 0)
    else if (sent.end !== undefined) events.ended(sent.end.slice(0, 200))
  }

  sit(match: string, events: SeatEvents): RemoteSeat {
    const seat = freshId()
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

  /** Ends it: all seats are lost. */
  end(why: string, code?: number): void {
    const { connection } = this
    this.connection = undefined
    this.link.detach()
    if (code === undefined) connection?.terminate()
    else connection?.close(code, why)
    const all = [...this.seats.values()]
    this.seats.clear()
    for (const seat of all) seat.lost(why)
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

  private tell(act: (seat: SeatEvents) => void): void {
    for (const seat of this.seats.values()) act(seat)
  }
}
