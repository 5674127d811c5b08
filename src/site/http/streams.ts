import { setImmediate } from 'node:timers/promises'
import type { Context } from 'hono'
import type { Env } from './callers.js'
import { respond, tooMany } from './answers.js'
import { Places } from './limits.js'

/*
 * A channel tells all its listeners what happens to one source, such as a contest. Each has a position, the id of the last event that it was
 * sent; the source is asked once for all at a position what came after it. So a listener that reconnects catches up by itself and then moves
 * with the others. It is sent more only once it has read what it was sent before: who reads slowly misses nothing, and nothing waits in memory.
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

/** Milliseconds between two looks at news that were announced. */
const TICK_MS = 200
/** A connection that carries nothing is closed by some proxies after half a minute. */
const ALIVE_MS = 15_000
/** Listeners that are told news before others are answered: to write to a thousand sockets takes long. */
const SLICE = 32

/** What a listener is sent next, and the position that it has then. An empty text: nothing more will come. */
interface News {
  readonly text: string
  readonly last: string | undefined
}

const newsOf = (events: readonly SentEvent[], last: string | undefined): News => ({
  text: events.map(({ id, kind, data }) => `id: ${id}\nevent: ${kind}\ndata: ${JSON.stringify(data)}\n\n`).join(''),
  last: events.at(-1)?.id ?? last,
})

class Channel {
  listeners = 0
  private isClosed = false
  /** By position: what came after it, as of the last look. */
  private readonly news = new Map<string | undefined, Promise<News>>()
  private waiting: (() => void)[] = []
  private looked = performance.now()
  private timer: NodeJS.Timeout | undefined
  private readonly deaf: (() => void) | undefined

  constructor(
    private readonly source: EventSource,
    /** Milliseconds between two looks at the most: another process may play the contest. */
    private readonly lookMs: number,
  ) {
    this.deaf = source.listen?.(() => this.lookWithin(TICK_MS))
    this.lookWithin(lookMs)
  }

  /** What a listener is sent that has just come, and was sent all up to the event `last` before. */
  async first(last: string | undefined): Promise<News> {
    const news = newsOf(await this.source.since(last, true), last)
    return { ...news, text: `retry: 1000\n\n${news.text}` }
  }

  async next(last: string | undefined): Promise<News> {
    const alive = performance.now() + ALIVE_MS
    while (!this.isClosed) {
      const isOver = this.source.isOver === true
      if (!isOver) await new Promise<void>((go) => this.waiting.push(go))
      const known = isOver ? undefined : this.news.get(last)
      const asked = known ?? this.source.since(last, false).then((events) => newsOf(events, last))
      if (!isOver) this.news.set(last, asked)
      // The file may be busy; the next look tries again.
      const news = await asked.catch(() => undefined)
      if (news !== undefined && news.text !== '') return news
      // A slow reader is still told how it has ended.
      if (isOver) break
      if (performance.now() > alive) return { text: ': alive\n\n', last }
    }
    return { text: '', last }
  }

  close(): void {
    this.isClosed = true
    clearTimeout(this.timer)
    this.deaf?.()
    for (const go of this.waiting) go()
  }

  private lookWithin(ms: number): void {
    if (this.isClosed || (this.timer !== undefined && ms >= this.lookMs)) return
    clearTimeout(this.timer)
    this.timer = setTimeout(() => void this.look(), Math.max(0, this.looked + ms - performance.now()))
    this.timer.unref()
  }

  private async look(): Promise<void> {
    this.timer = undefined
    this.looked = performance.now()
    this.news.clear()
    const { waiting } = this
    this.waiting = []
    for (const [n, go] of waiting.entries()) {
      go()
      if (n % SLICE === SLICE - 1) await setImmediate()
    }
    this.lookWithin(this.lookMs)
  }
}

/** Streams of events that are open at once: of one address, behind which a school may sit, and in all. */
const STREAMS = { each: 400, all: 5000 }

const HEADERS = { 'content-type': 'text/event-stream', 'cache-control': 'no-store', 'x-accel-buffering': 'no' }

/** Channels by name, each there as long as it has listeners, and the streams of events that they are read by. */
export class Channels {
  private readonly byName = new Map<string, Channel>()

  constructor(
    private readonly open: (name: string) => EventSource,
    private readonly lookMs: number,
    private readonly places = new Places(),
    private readonly most = STREAMS,
  ) {}

  get size(): number {
    return this.byName.size
  }

  close(): void {
    for (const channel of this.byName.values()) channel.close()
  }

  answer(c: Context<Env>, name: string): Response {
    // The client would neither read nor close it.
    if (c.req.raw.method === 'HEAD') return respond(null, 200, HEADERS)
    const free = this.places.take([`from ${c.get('address')}`, this.most.each], ['all', this.most.all])
    if (free === undefined)
      throw tooMany('too many streams of events are open: close some, or come back in a minute', {
        wait: 60,
      })
    const channel = this.byName.get(name) ?? new Channel(this.open(name), this.lookMs)
    this.byName.set(name, channel)
    channel.listeners++
    let isOpen = true
    const end = (): void => {
      free()
      if (isOpen && --channel.listeners === 0) {
        channel.close()
        if (this.byName.get(name) === channel) this.byName.delete(name)
      }
      isOpen = false
    }
    const header = c.req.header('last-event-id') ?? ''
    let last = header === '' ? undefined : header
    let isNew = true
    const encoder = new TextEncoder()
    const body = new ReadableStream<Uint8Array>(
      {
        async pull(controller) {
          try {
            const news = isNew ? await channel.first(last) : await channel.next(last)
            isNew = false
            last = news.last
            if (news.text !== '') return controller.enqueue(encoder.encode(news.text))
          } catch (error) {
            end()
            throw error
          }
          end()
          controller.close()
        },
        cancel: end,
      },
      { highWaterMark: 0 },
    )
    return respond(body, 200, HEADERS)
  }
}
