import type { MiddlewareHandler } from 'hono'
import { Refusal } from './problems.js'
import type { Env } from './address.js'

/** So many requests at once, and so many a second from then on. */
export interface RateLimit {
  readonly burst: number
  readonly perSecond: number
}

/** What one caller may ask. A caller is known by its token or, without one, by its address. */
export const RATES = {
  read: { burst: 1000, perSecond: 500 },
  /** Writes, and matches that are played on demand. */
  write: { burst: 600, perSecond: 20 },
  /** The same by address, whatever tokens they have: where anyone may sign up, one person can have many tokens. */
  reads: { burst: 5000, perSecond: 1000 },
  writes: { burst: 3000, perSecond: 60 },
  upload: { burst: 10, perSecond: 1 / 60 },
  /** By address, for all its contestants together: a school may sit behind one. */
  uploads: { burst: 100, perSecond: 1 / 5 },
  /** Looks at what a bot's files hold, by who sends them and by address. */
  preview: { burst: 30, perSecond: 1 / 10 },
  previews: { burst: 300, perSecond: 1 / 2 },
  /** Contestants that come in by themselves, by address. */
  signup: { burst: 60, perSecond: 1 / 20 },
  /** Streams of events that are opened, by address: a school's pages all come back at once when a server does. */
  streams: { burst: 600, perSecond: 20 },
  /** Requests with an unknown token, by address. */
  wrong: { burst: 100, perSecond: 1 / 2 },
} as const satisfies Record<string, RateLimit>

/** Callers that are remembered. */
const MOST = 50_000

/** Buckets that fill up as time goes by: each request takes one out. */
export class Buckets {
  private readonly by = new Map<string, { left: number; at: number }>()

  constructor(
    private readonly rate: RateLimit,
    private readonly now: () => number = () => performance.now(),
  ) {}

  /** Takes one. Throws a Refusal with how long to wait where there is none. */
  take(who: string): void {
    const left = this.left(who)
    if (left < 1) {
      const wait = Math.max(1, Math.ceil((1 - left) / this.rate.perSecond))
      throw new Refusal('too-many', `too many requests: try again in ${wait} s`, { wait })
    }
    this.put(who, left - 1)
  }

  private left(who: string): number {
    const bucket = this.by.get(who)
    if (bucket === undefined) return this.rate.burst
    const filled = ((this.now() - bucket.at) / 1000) * this.rate.perSecond
    return Math.min(this.rate.burst, bucket.left + filled)
  }

  private put(who: string, left: number): void {
    this.by.delete(who)
    this.by.set(who, { left, at: this.now() })
    // Who was here last is remembered longest.
    if (this.by.size > MOST) for (const [oldest] of this.by) return void this.by.delete(oldest)
  }
}

/** Bounds the requests of each caller. To be used once the caller is known. */
export function bounded(now?: () => number): MiddlewareHandler<Env> {
  const bucketsOf = (name: keyof typeof RATES): Buckets => new Buckets(RATES[name], now)
  const [read, write, upload] = [bucketsOf('read'), bucketsOf('write'), bucketsOf('upload')]
  const [reads, writes] = [bucketsOf('reads'), bucketsOf('writes')]
  const [uploads, signup, streams] = [bucketsOf('uploads'), bucketsOf('signup'), bucketsOf('streams')]
  const [preview, previews] = [bucketsOf('preview'), bucketsOf('previews')]
  return async (c, next) => {
    const caller = c.get('caller')
    if (caller.role !== 'host') {
      const who = caller.role === 'contestant' ? `c${caller.number}` : c.get('address')
      const reading = c.req.method === 'GET'
      const [own, all] = reading ? [read, reads] : [write, writes]
      all.take(c.get('address'))
      own.take(who)
      if (c.req.path.endsWith('/events')) streams.take(c.get('address'))
      if (c.req.method === 'POST' && c.req.path.endsWith('/contestants')) signup.take(c.get('address'))
      if (c.req.path.endsWith('/entries/preview')) {
        previews.take(c.get('address'))
        preview.take(who)
      }
      if (c.req.method === 'POST' && c.req.path.endsWith('/entries')) {
        uploads.take(c.get('address'))
        upload.take(who)
      }
    }
    await next()
  }
}
