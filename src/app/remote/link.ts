/*
 * Theory of operation.
 *
 * A site and a bot's machine talk over a connection that may break. Both ends keep a link, which outlives connections. What an end sends has a
 * number, counted from 1, and is kept until the other end says that it has come; where a connection takes the place of a broken one,
 * both say which number came last, and all that came after is sent again. So everything comes once, and in order.
 */

/** What is sent over a link: something about a seat in a match. */
export interface Sent {
  readonly seat: string
  /** A line to the bot's program, or from it. */
  readonly line?: string
  /** From the site: the seat is taken, in the match of this key. */
  readonly begin?: string
  /** From the site: the seat is left; `killed`: its program is to be ended. From the bot's machine: the program has ended, and how. */
  readonly end?: string
}

/** As it goes over the connection; `ack`: the last number that has come from the other end. */
interface Frame extends Sent {
  readonly n: number
  readonly ack: number
}

/** Characters, and frames, that wait for an acknowledgement at most: the other end does not read, or does not say so. */
const MOST = 16 * 1024 ** 2
const MOST_FRAMES = 100_000

/** What came is not what the other end of a link sends. */
export class LinkError extends Error {}

/** One end of a link. */
export class Link {
  private readonly kept: { readonly frame: Frame; readonly size: number }[] = []
  private size = 0
  private last = 0
  private acked = 0
  private write: ((text: string) => void) | undefined
  private owesAck = false

  /** The last number that has come. */
  received = 0

  /** Sends something, now or once there is a connection. Returns its number. Throws a LinkError where too much waits. */
  send(sent: Sent): number {
    const n = ++this.last
    const size = (sent.line?.length ?? 0) + 100
    const frame = { ...sent, n, ack: this.received }
    this.kept.push({ frame, size })
    this.size += size
    if (this.size > MOST || this.kept.length > MOST_FRAMES) throw new LinkError('the other end does not read')
    this.put(frame)
    return n
  }

  /** Whether the other end has said that this number has come. */
  hasReached(n: number): boolean {
    return n <= this.acked
  }

  /** A connection is there; `received`: the last number that has come to the other end. */
  attach(write: (text: string) => void, received: number): void {
    this.take(received)
    this.write = write
    for (const { frame } of this.kept) this.put(frame)
  }

  detach(): void {
    this.write = undefined
  }

  /**
   * Takes what came; undefined: an acknowledgement, or something that came before. `seen`: the number of what the other end had received when it
   * sent this. Throws a LinkError for what the other end of a link does not send.
   */
  receive(text: string): { readonly sent: Sent; readonly seen: number } | undefined {
    const { n, ack, ...sent } = frameOf(text)
    this.take(ack)
    if (n === undefined) return undefined
    if (n > this.received + 1) throw new LinkError('something is lacking')
    this.acknowledge()
    if (n <= this.received) return undefined
    this.received = n
    return { sent: sent as Sent, seen: ack }
  }

  /** What is sent again says what had come when it was sent first: an answer belongs to the question before it. */
  private put(frame: Frame): void {
    if (frame.ack === this.received) this.owesAck = false
    this.write?.(JSON.stringify(frame))
  }

  /** What is sent next says it; where nothing is sent soon, it is said alone. */
  private acknowledge(): void {
    if (this.owesAck) return
    this.owesAck = true
    setImmediate(() => {
      if (this.owesAck) this.write?.(JSON.stringify({ ack: this.received }))
      this.owesAck = false
    })
  }

  private take(ack: number): void {
    if (ack > this.last) throw new LinkError('a number comes back that was not sent')
    this.acked = Math.max(this.acked, ack)
    while (this.kept[0] !== undefined && this.kept[0].frame.n <= ack) this.size -= this.kept.shift()?.size ?? 0
  }
}

/** Characters of the name of a seat. */
const SEAT = 40

/** A frame, of whatever came. Throws a LinkError. */
function frameOf(text: string): Partial<Frame> & Pick<Frame, 'ack'> {
  const value = jsonOf(text)
  const { n, ack, seat, line, begin, end } = value
  const isNumber = (one: unknown): one is number => Number.isSafeInteger(one) && Number(one) >= 0
  if (!isNumber(ack) || (n !== undefined && !isNumber(n))) throw new LinkError('a frame has no number')
  if (n === undefined) return { ack }
  if (typeof seat !== 'string' || seat.length > SEAT) throw new LinkError('a frame has no seat')
  const isText = (one: unknown): one is string | undefined => one === undefined || typeof one === 'string'
  if (!isText(line) || !isText(begin) || !isText(end)) throw new LinkError('a frame has something that is no text')
  return { n, ack, seat, line, begin, end }
}

/** An object that came as JSON. Throws a LinkError. */
export function jsonOf(text: string): Readonly<Record<string, unknown>> {
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch {
    throw new LinkError('no JSON')
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value)) throw new LinkError('no object')
  return value as Readonly<Record<string, unknown>>
}

/** Codes with which a site closes a connection for good (of those that are free for applications); the reason says why, for a person. */
export const TAKEN_OVER = 4001
export const REFUSED = 4002
