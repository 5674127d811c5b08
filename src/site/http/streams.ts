import { setImmediate } from 'node:timers/promises'
import type { Context } from 'hono'
import { type Env, addressOf } from './address.js'
import { Refusal } from './problems.js'

/*
 * Theory of operation.
 *
 * A channel sends the events of one source, such as a contest, to all its listeners. Each listener has a position, the id of the last
 * event that it was sent; the source says what came after one. The channel asks it once for each position that its listeners have,
 * writes the answer as text once, and sends the text to all who stood there. So a listener that reconnects, and gives the id that it had
 * reached, catches up by itself and then moves with the others. Looks never overlap, so nobody receives anything twice or misses anything.
 *
 * A listener that does not read what it is sent is disconnected; it reconnects and gives its position. Listeners are sent a text in
 * slices: to write to a thousand sockets takes longer than a reader should have to wait.
 */

/** An event as it is sent; who comes back gives the id of the last one. */
export interface SentEvent {
  readonly id: string
  readonly kind: string
  readonly data: unknown
}

/** Where a channel's events come from. */
export interface EventSource {
  /** What came after the event of this id; for a listener that has just come, with what it is sent first. Undefined: it names none. */
  since(last: string | undefined, isNew: boolean): Promise<readonly SentEvent[]>
  /** Calls `look` when there may be news. Returns a function that stops that. */
  listen?(look: () => void): () => void
  /** Nothing more will come. */
  readonly isOver?: boolean
}

/** Where a listener's texts go. */
export interface Listener {
  /** Returns how many bytes still wait to be sent. */
  send(text: string): number
  end(): void
}

/** Milliseconds between two looks at news that were announced. */
const TICK_MS = 200
/** A connection that carries nothing is closed by some proxies after half a minute. */
const ALIVE_MS = 15_000
/** Bytes that may wait for one listener. */
const WAITING = 1024 ** 2
/** Listeners that are sent a text before others are answered. */
const SLICE = 32

/** One source's listeners. */
class Channel {
  /** By listener the id of the last event that it was sent. */
  private readonly listeners = new Map<Listener, string | undefined>()
  /** Who is about to join. */
  private coming = 0
  private last: Promise<unknown> = Promise.resolve()
  private looked = -Infinity
  private sentAt = performance.now()
  private timer: NodeJS.Timeout | undefined
  private readonly deaf: (() => void) | undefined

  constructor(
    private readonly source: EventSource,
    /** Milliseconds between two looks at the most: another process may play the contest. */
    private readonly lookMs: number,
    private readonly onEmpty: () => void,
  ) {
    this.deaf = source.listen?.(() => this.lookSoon(TICK_MS))
  }

  /** Adds a listener that was sent all up to the event `last`. Resolves once it has been sent what it missed. */
  async join(listener: Listener, last: string | undefined): Promise<void> {
    this.coming++
    await this.inTurn(async () => {
      const news = await this.source.since(last, true)
      listener.send(`retry: 1000\n\n${textOf(news)}`)
      if (this.source.isOver) listener.end()
      else this.listeners.set(listener, news.at(-1)?.id ?? last)
    }).finally(() => this.coming--)
    this.lookSoon(this.lookMs)
    this.closeIfEmpty()
  }

  leave(listener: Listener): void {
    this.listeners.delete(listener)
    this.closeIfEmpty()
  }

  close(): void {
    clearTimeout(this.timer)
    this.deaf?.()
    for (const listener of this.listeners.keys()) listener.end()
    this.listeners.clear()
  }

  private closeIfEmpty(): void {
    if (this.listeners.size + this.coming > 0) return
    this.close()
    this.onEmpty()
  }

  private lookSoon(within: number): void {
    if (this.listeners.size === 0 || (this.timer !== undefined && within >= this.lookMs)) return
    clearTimeout(this.timer)
    const due = Math.max(0, Math.min(within, this.looked + within - performance.now()))
    this.timer = setTimeout(() => void this.look(), due)
    this.timer.unref()
  }

  private async look(): Promise<void> {
    this.timer = undefined
    this.looked = performance.now()
    // The file may be busy; the next look tries again.
    await this.inTurn(() => this.publish()).catch(() => undefined)
    this.lookSoon(this.lookMs)
    this.closeIfEmpty()
  }

  /** Sends every listener what came since it was sent something. */
  private async publish(): Promise<void> {
    const isLate = performance.now() - this.sentAt > ALIVE_MS
    for (const position of new Set(this.listeners.values())) {
      const news = await this.source.since(position, false)
      const text = news.length > 0 ? textOf(news) : isLate ? ': alive\n\n' : ''
      if (text !== '') await this.sendTo(position, news.at(-1)?.id ?? position, text)
    }
    if (!this.source.isOver) return
    for (const listener of this.listeners.keys()) listener.end()
    this.listeners.clear()
  }

  private async sendTo(position: string | undefined, next: string | undefined, text: string): Promise<void> {
    this.sentAt = performance.now()
    let sent = 0
    // A listener that leaves in a pause is passed over.
    for (const [listener, at] of this.listeners) {
      if (at !== position) continue
      this.listeners.set(listener, next)
      if (listener.send(text) > WAITING) {
        listener.end()
        this.listeners.delete(listener)
      }
      if (++sent % SLICE === 0) await setImmediate()
    }
  }

  private inTurn<T>(work: () => Promise<T>): Promise<T> {
    const turn = this.last.then(work, work)
    this.last = turn.catch(() => undefined)
    return turn
  }
}

/** Channels by name, each there as long as it has listeners. */
export class Channels {
  private readonly byName = new Map<string, Channel>()

  /** `open`: makes the source of a name. */
  constructor(
    private readonly open: (name: string) => EventSource,
    private readonly lookMs: number,
  ) {}

  /** The channel of a name, opened where it has no listener yet. It is to be joined at once. */
  of(name: string): Pick<Channel, 'join' | 'leave'> {
    const there = this.byName.get(name)
    if (there !== undefined) return there
    const channel: Channel = new Channel(this.open(name), this.lookMs, () => {
      if (this.byName.get(name) === channel) this.byName.delete(name)
    })
    this.byName.set(name, channel)
    return channel
  }

  /** Channels that are open. */
  get size(): number {
    return this.byName.size
  }

  close(): void {
    for (const channel of this.byName.values()) channel.close()
    this.byName.clear()
  }
}

/** Events as server-sent events; JSON has no line breaks. */
const textOf = (events: readonly SentEvent[]): string =>
  events.map(({ id, kind, data }) => `id: ${id}\nevent: ${kind}\ndata: ${JSON.stringify(data)}\n\n`).join('')

/** Streams of events that are open at once: of one address, behind which a school may sit, and in all. */
const STREAMS = { each: 400, all: 5000 } as const

const HEADERS = { 'content-type': 'text/event-stream', 'cache-control': 'no-store', 'x-accel-buffering': 'no' }

/** The streams of events that are open: each holds a connection, and the events that wait to be sent. */
export class Streams {
  private readonly open = new Map<string, number>()
  private all = 0

  constructor(private readonly most: { readonly each: number; readonly all: number } = STREAMS) {}

  /** Answers with a stream of the events of a channel, which is opened only for a client that reads them. Throws a Refusal where there are too many. */
  answer(c: Context<Env>, channels: Pick<Channels, 'of'>, name: string): Response {
    // The client would neither read nor close it.
    if (c.req.raw.method === 'HEAD') return new Response(null, { headers: HEADERS })
    const free = this.take(addressOf(c))
    const channel = channels.of(name)
    const last = c.req.header('last-event-id') ?? ''
    let listener: Listener | undefined
    const leave = (): void => {
      free()
      if (listener !== undefined) channel.leave(listener)
    }
    const body = new ReadableStream<Uint8Array>(
      {
        async start(controller) {
          listener = listenerOf(controller, free)
          try {
            await channel.join(listener, last === '' ? undefined : last)
          } catch (error) {
            leave()
            throw error
          }
        },
        cancel: leave,
      },
      { highWaterMark: 0 },
    )
    return new Response(body, { headers: HEADERS })
  }

  /** Returns a function that gives the place back, once. */
  private take(from: string): () => void {
    const own = this.open.get(from) ?? 0
    if (own >= this.most.each || this.all >= this.most.all)
      throw new Refusal('too-many', 'too many streams of events are open: close some, or come back in a minute', {
        wait: 60,
      })
    this.open.set(from, own + 1)
    this.all++
    let held = true
    return () => {
      if (!held) return
      held = false
      this.all--
      const left = (this.open.get(from) ?? 1) - 1
      if (left === 0) this.open.delete(from)
      else this.open.set(from, left)
    }
  }
}

function listenerOf(controller: ReadableStreamDefaultController<Uint8Array>, onEnd: () => void): Listener {
  const encoder = new TextEncoder()
  let open = true
  let waiting = 0
  return {
    send(text) {
      if (!open) return 0
      const bytes = encoder.encode(text)
      controller.enqueue(bytes)
      // The stream counts chunks that were not read yet: they hold no more bytes than were sent since it was last empty.
      waiting = (controller.desiredSize ?? 0) >= -1 ? bytes.length : waiting + bytes.length
      return waiting
    },
    end() {
      if (!open) return
      open = false
      onEnd()
      controller.close()
    },
  }
}
