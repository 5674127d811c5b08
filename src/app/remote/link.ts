import { z } from 'zod'
import { WebSocket } from 'ws'

/*
 * A site and a bot's machine talk over a connection that may break. Both ends keep a link, which outlives connections.
 * What an end sends has a number from 1, and is kept until the other end acknowledges it; on a new connection both say
 * which number came last, and later ones are sent again. So all comes once, in order.
 */

const number = z.int().min(0)
const FRAME = z.object({
  /** The last number that has come from the other end. */
  ack: number,
  /** Absent: only an acknowledgement. */
  n: number.optional(),
  seat: z.string().max(40).optional(),
  /** A line to the bot's program, or from it. */
  line: z.string().optional(),
  /** From the site: the seat is taken, in the match of this key. */
  begin: z.string().optional(),
  /** From the site: the seat is left; `killed`: end its program. From the bot's machine: how the program has ended. */
  end: z.string().optional(),
})
type Frame = z.infer<typeof FRAME>

export type Sent = Readonly<Pick<Frame, 'line' | 'begin' | 'end'>> & { readonly seat: string }

/** Most characters, and frames, that wait: beyond it the other end does not read, or does not say so. */
const MOST = 16 * 1024 ** 2
const MOST_FRAMES = 100_000

/** What came is not what the other end of a link sends. */
export class LinkError extends Error {}

export class Link {
  private readonly kept: { readonly n: number; readonly text: string }[] = []
  private size = 0
  private last = 0
  private acked = 0
  private write: ((text: string) => void) | undefined

  received = 0

  /** Sends something, now or once there is a connection. Returns its number. Throws a LinkError where too much waits. */
  send(sent: Sent): number {
    const n = ++this.last
    const text = JSON.stringify({ ...sent, n, ack: this.received } satisfies Frame)
    this.kept.push({ n, text })
    this.size += text.length
    if (this.size > MOST || this.kept.length > MOST_FRAMES) throw new LinkError('the other end does not read')
    this.write?.(text)
    return n
  }

  hasReached(n: number): boolean {
    return n <= this.acked
  }

  /** A connection is there; `received`: the last number that has come to the other end. */
  attach(write: (text: string) => void, received: number): void {
    this.take(received)
    this.write = write
    // What is sent again says what had come at first: an answer belongs to the question before it.
    const waiting = this.kept.map(({ text }) => text)
    for (const text of waiting) write(text)
  }

  detach(): void {
    this.write = undefined
  }

  /**
   * Undefined: an acknowledgement, or something that came before. `seen`: the last number that the other end had
   * received when it sent this. Throws a LinkError for what no other end sends.
   */
  receive(text: string): { readonly sent: Sent; readonly seen: number } | undefined {
    const { data, error } = FRAME.safeParse(jsonOf(text))
    if (error !== undefined) throw new LinkError(`no frame: ${error.issues[0]?.path.join('.')}`)
    const { n, ack, seat, ...said } = data
    this.take(ack)
    if (n === undefined) return undefined
    if (seat === undefined) throw new LinkError('a frame has no seat')
    if (n > this.received + 1) throw new LinkError('something is lacking')
    const isNew = n > this.received
    this.received = Math.max(n, this.received)
    this.write?.(JSON.stringify({ ack: this.received }))
    return isNew ? { sent: { seat, ...said }, seen: ack } : undefined
  }

  private take(ack: number): void {
    if (ack > this.last) throw new LinkError('a number comes back that was not sent')
    this.acked = Math.max(this.acked, ack)
    while (this.kept[0] !== undefined && this.kept[0].n <= ack) this.size -= this.kept.shift()?.text.length ?? 0
  }
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

/** Codes (free for applications) with which a site closes a connection for good; the reason is for a person. */
export const TAKEN_OVER = 4001
export const REFUSED = 4002

const PING_MS = 10_000
/** Unanswered pings after which a connection counts as dead. */
const MISSED = 2

/** Ends the connection where pings bring nothing. A process that stood still hears first what came meanwhile. */
export function keepAlive(socket: Pick<WebSocket, 'ping' | 'terminate' | 'on' | 'readyState'>): void {
  let missed = 0
  const timer = setInterval(() => {
    if (socket.readyState !== WebSocket.OPEN) return
    if (missed++ < MISSED) socket.ping()
    else socket.terminate()
  }, PING_MS)
  for (const sign of ['message', 'ping', 'pong'] as const) socket.on(sign, () => (missed = 0))
  socket.on('close', () => clearInterval(timer))
}
