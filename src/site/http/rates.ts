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
type Rate = keyof typeof RATES

/** What a request takes from, by its method and path: of its address, and of its caller. */
const TAKEN: readonly { readonly asked: RegExp; readonly address: Rate; readonly caller?: Rate }[] = [
  { asked: /^(?!POST)/, address: 'reads', caller: 'read' },
  { asked: /^POST/, address: 'writes', caller: 'write' },
  { asked: /\/events$/, address: 'streams' },
  { asked: /^POST .*\/contestants$/, address: 'signup' },
  { asked: /^POST .*\/entries$/, address: 'uploads', caller: 'upload' },
  { asked: /^POST .*\/entries\/preview$/, address: 'previews', caller: 'preview' },
]

/** Callers that are remembered. */
const MOST = 50_000

/** Buckets that fill up as time goes by: each request takes one out. */
export class Buckets {
  private readonly by = new Map<string, { readonly left: number; readonly at: number }>()

  constructor(
    private readonly rate: RateLimit,
    private readonly now: () => number = () => performance.now(),
  ) {}

  /** Takes one. Throws a Refusal with how long to wait where there is none. */
  take(who: string): void {
    const { burst, perSecond } = this.rate
    const before = this.by.get(who)
    const at = this.now()
    const left = before === undefined ? burst : Math.min(burst, before.left + ((at - before.at) / 1000) * perSecond)
    if (left < 1) {
      const wait = Math.max(1, Math.ceil((1 - left) / perSecond))
      throw new Refusal('too-many', `too many requests: try again in ${wait} s`, { wait })
    }
    // Who was here last is remembered longest.
    this.by.delete(who)
    this.by.set(who, { left: left - 1, at })
    if (this.by.size > MOST) for (const [oldest] of this.by) return void this.by.delete(oldest)
  }
}

/** Bounds the requests of each caller but the host. To be used once the caller is known. */
export function bounded(now?: () => number): MiddlewareHandler<Env> {
  const buckets = new Map(Object.entries(RATES).map(([rate, limit]) => [rate, new Buckets(limit, now)]))
  return async (c, next) => {
    const caller = c.get('caller')
    const address = c.get('address')
    const who = caller.role === 'contestant' ? `c${caller.number}` : address
    const asked = `${c.req.method} ${c.req.path}`
    for (const taken of caller.role === 'host' ? [] : TAKEN)
      if (taken.asked.test(asked)) {
        buckets.get(taken.address)?.take(address)
        if (taken.caller !== undefined) buckets.get(taken.caller)?.take(who)
      }
    await next()
  }
}
