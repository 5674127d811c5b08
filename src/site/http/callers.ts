import { createHash, randomBytes } from 'node:crypto'
import { isIPv6 } from 'node:net'
import type { HttpBindings } from '@hono/node-server'
import type { Context, MiddlewareHandler } from 'hono'
import type { Comer } from '../../app/remote/remotes.js'
import type { SiteStore } from '../store.js'
import { forbidden, unauthorized } from './answers.js'
import { Buckets } from './limits.js'

/** Who asks. A contestant is one of a single contest. */
export type Caller =
  | { readonly role: 'anonymous' }
  | { readonly role: 'contestant'; readonly number: number; readonly contest: string; readonly name: string }
  | { readonly role: 'host' }

export interface Env {
  Variables: { caller: Caller; address: string }
  /** Absent where a request comes from within the process, as in tests. */
  Bindings: Partial<HttpBindings> & {
    /** Called with the remote bot that may connect, where the request asks for that. */
    readonly admit?: (comer: Comer) => void
  }
}

/** A site as a function of requests. */
export type SiteFetch = (request: Request, env?: Env['Bindings']) => Response | Promise<Response>

/** What is kept of a token. It has as many bits as its hash, so nothing is gained by a slow one. */
const hashOf = (token: string): string => createHash('sha256').update(token).digest('hex')

/** A token that cannot be guessed (256 bits), with what is kept of it. The letter says whose it is, for people who find one. */
export function newToken(whose: 'h' | 'c'): { readonly token: string; readonly hash: string } {
  const token = `agon_${whose}_${randomBytes(32).toString('base64url')}`
  return { token, hash: hashOf(token) }
}

/** Makes a new token for the host; the one before it is worth nothing from then on. */
export function renewHostToken(site: SiteStore): string {
  const { token, hash } = newToken('h')
  site.setHostHash(hash)
  return token
}

/** The host's token where there was none yet; undefined: there is one already, of which only the hash is kept. */
export const firstHostToken = (site: SiteStore): string | undefined =>
  site.hostHash() === undefined ? renewHostToken(site) : undefined

/** Whose token this is; undefined: it is unknown. Hashes are compared, so the time that it takes shows nothing of a token. */
export function callerOf(site: SiteStore, token: string): Caller | undefined {
  const hash = hashOf(token)
  if (hash === site.hostHash()) return { role: 'host' }
  const contestant = site.contestantByHash(hash)
  return contestant && { role: 'contestant', ...contestant }
}

/** `proxy`: this server stands behind one, which adds the address that it was asked from to X-Forwarded-For; what stands before that may be forged. */
function addressIn(c: Context<Env>, proxy: boolean): string {
  const direct = c.env?.incoming?.socket.remoteAddress ?? ''
  const forwarded = proxy ? c.req.header('x-forwarded-for')?.split(',').at(-1)?.trim() : undefined
  return networkOf(forwarded ?? direct)
}

/**
 * An address, or of IPv6 its network of 64 bits, which is what one household has, in one spelling however its addresses are shortened. Some
 * proxies add a port.
 */
export function networkOf(address: string): string {
  const bare = /^\[([^\]]*)\](?::\d+)?$/.exec(address)?.[1] ?? /^(\d+(?:\.\d+){3}):\d+$/.exec(address)?.[1] ?? address
  // A proxy that is not set up may pass on anything.
  if (!isIPv6(bare)) return bare.slice(0, 100)
  const [mapped] = /(?<=^::ffff:)[\d.]+$/i.exec(bare) ?? []
  if (mapped?.includes('.')) return mapped
  // An address of the web has each group in its shortest form; '::' stands for as many zeros as are lacking.
  const { hostname } = new URL(`http://[${bare.replace(/%.*$/, '')}]`)
  const halves = hostname.slice(1, -1).split('::')
  const [head = [], tail = []] = halves.map((half) => half.split(':').filter(Boolean))
  const zeros = Array<string>(8 - head.length - tail.length).fill('0')
  return [...head, ...zeros, ...tail].slice(0, 4).join(':')
}

/**
 * How often may be asked: so many requests at once, and so many a second from then on; of those that `asked` matches by method and path. `each`: by
 * token or, without one, by address; else by address, whatever tokens come from there: where anyone may sign up, one person can have many.
 */
export const RATES = {
  reads: { burst: 5000, perSecond: 1000, asked: /^(?!POST)/ },
  read: { burst: 1000, perSecond: 500, asked: /^(?!POST)/, each: true },
  /** Also matches that are played on demand. */
  writes: { burst: 3000, perSecond: 60, asked: /^POST/ },
  write: { burst: 600, perSecond: 20, asked: /^POST/, each: true },
  /** A school's pages all come back at once when a server does. */
  streams: { burst: 600, perSecond: 20, asked: /\/events$/ },
  /** Contestants that come in by themselves. */
  signup: { burst: 60, perSecond: 1 / 20, asked: /^POST .*\/contestants$/ },
  /** A school may sit behind one address. */
  uploads: { burst: 100, perSecond: 1 / 5, asked: /^POST .*\/entries$/ },
  upload: { burst: 10, perSecond: 1 / 60, asked: /^POST .*\/entries$/, each: true },
  previews: { burst: 300, perSecond: 1 / 2, asked: /^POST .*\/entries\/preview$/ },
  preview: { burst: 30, perSecond: 1 / 10, asked: /^POST .*\/entries\/preview$/, each: true },
} as const
/** Requests with an unknown token, by address. */
const WRONG = { burst: 100, perSecond: 1 / 2 }

/** Finds out where a request comes from and whose token it brings, and refuses an unknown one: who tries many has to wait between two. */
export function identify(site: SiteStore, proxy: boolean): MiddlewareHandler<Env> {
  const wrong = new Buckets(WRONG)
  return async (c, next) => {
    const address = addressIn(c, proxy)
    c.set('address', address)
    c.set('caller', { role: 'anonymous' })
    const header = c.req.header('authorization')
    if (header !== undefined) {
      const token = /^Bearer +([\w-]{1,200})$/i.exec(header)?.[1]
      const caller = token === undefined ? undefined : callerOf(site, token)
      if (caller === undefined) {
        wrong.take(address)
        throw unauthorized('this token is invalid: it was replaced or revoked, or is mistyped')
      }
      c.set('caller', caller)
    }
    await next()
  }
}

/** Which callers may use a route at all. The use case decides the rest, such as whose entry they may change. */
export type Access = 'anyone' | 'contestant' | 'host'

/** Refuses a caller that may not use a route: 401 where a token is lacking, 403 where another one is needed. */
export function admitTo(access: Access): MiddlewareHandler<Env> {
  return async (c, next) => {
    const { role } = c.get('caller')
    if (access !== 'anyone' && role === 'anonymous')
      throw unauthorized(`this needs the token of ${access === 'host' ? 'the host' : 'a contestant'}`)
    if (access === 'host' && role !== 'host') throw forbidden('only the host may do this')
    await next()
  }
}

/** Refuses what a browser sends for another site, and requests for a name that an attacker lets point here; `hosts`: the site's names; undefined: any. */
export function ownSiteAlone(hosts: ReadonlySet<string> | undefined): MiddlewareHandler<Env> {
  return async (c, next) => {
    const host = c.req.header('host')
    if (hosts !== undefined && host !== undefined && !hosts.has(host.replace(/:\d+$/, '').toLowerCase()))
      throw forbidden('this site has another name; its host can give it this one as its public address')
    if (c.req.method !== 'GET' && c.req.method !== 'HEAD') {
      const site = c.req.header('sec-fetch-site') ?? 'none'
      const origin = c.req.header('origin')
      const isForeign = origin !== undefined && (!URL.canParse(origin) || new URL(origin).host !== host)
      if ((site !== 'same-origin' && site !== 'none') || isForeign) throw forbidden('another site may not write here')
    }
    await next()
  }
}

/** Bounds the requests of each caller but the host. To be used once the caller is known. */
export function bounded(now?: () => number): MiddlewareHandler<Env> {
  const rates = Object.values(RATES).map((rate) => ({ ...rate, buckets: new Buckets(rate, now) }))
  return async (c, next) => {
    const caller = c.get('caller')
    const address = c.get('address')
    const who = caller.role === 'contestant' ? `c${caller.number}` : address
    for (const rate of caller.role === 'host' ? [] : rates)
      if (rate.asked.test(`${c.req.method} ${c.req.path}`)) rate.buckets.take('each' in rate ? who : address)
    await next()
  }
}
