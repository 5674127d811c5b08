import type { Context } from 'hono'
import { Refusal } from '../refusal.js'
import { addressOf } from './address.js'
import type { Listener } from './channel.js'
import type { Env } from './env.js'

/** Streams of events that are open at once: of one address, behind which a school may sit, and in all. */
const STREAMS = { each: 400, all: 5000 } as const

const HEADERS = { 'content-type': 'text/event-stream', 'cache-control': 'no-store', 'x-accel-buffering': 'no' }

/** What a listener joins and leaves. */
export interface Joined {
  join(listener: Listener, last: string | undefined): Promise<void>
  leave(listener: Listener): void
}

/** The streams of events that are open: each holds a connection, and the events that wait to be sent. */
export class Streams {
  private readonly open = new Map<string, number>()
  private all = 0

  constructor(private readonly most: { readonly each: number; readonly all: number } = STREAMS) {}

  /** Answers with a stream of events. Throws a Refusal where there are too many. */
  answer(c: Context<Env>, channel: Joined): Response {
    // The client would neither read nor close it.
    if (c.req.raw.method === 'HEAD') return new Response(null, { headers: HEADERS })
    const free = this.take(addressOf(c))
    const last = c.req.header('last-event-id')
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
