import { isIPv6 } from 'node:net'
import type { HttpBindings } from '@hono/node-server'
import type { Context } from 'hono'
import type { Comer } from '../remote/remotes.js'
import type { Caller } from '../tokens.js'

/** What every request carries beside itself. */
export interface Env {
  Variables: { caller: Caller; address: string }
  /** Absent where a request comes from within the process, as in tests. */
  Bindings: Partial<HttpBindings> & {
    /** Called with the remote bot that may connect, where the request asks for that. */
    readonly admit?: (comer: Comer) => void
  }
}

/**
 * Where a request comes from. `proxy`: this server stands behind a proxy, which adds the address that it was asked from to
 * X-Forwarded-For; what stands before that may be forged. An IPv6 address is taken for its network of 64 bits: that is
 * what one household has.
 */
export function addressIn(c: Context<Env>, proxy: boolean): string {
  const direct = c.env?.incoming?.socket.remoteAddress ?? ''
  const forwarded = proxy ? c.req.header('x-forwarded-for')?.split(',').at(-1)?.trim() : undefined
  return networkOf(forwarded ?? direct)
}

/** An address, or of IPv6 its network, which has one spelling however its addresses are shortened. Some proxies add a port. */
export function networkOf(address: string): string {
  const bare = /^\[([^\]]*)\](?::\d+)?$/.exec(address)?.[1] ?? /^(\d+(?:\.\d+){3}):\d+$/.exec(address)?.[1] ?? address
  if (!isIPv6(bare)) return bare.slice(0, LONGEST)
  const [mapped] = /(?<=^::ffff:)[\d.]+$/i.exec(bare) ?? []
  if (mapped?.includes('.')) return mapped
  // An address of the web has each group in its shortest form; '::' stands for as many zeros as are lacking.
  const { hostname } = new URL(`http://[${bare.replace(/%.*$/, '')}]`)
  const [head = [], tail = []] = hostname
    .slice(1, -1)
    .split('::')
    .map((part) => part.split(':').filter(Boolean))
  const zeros = Array<string>(8 - head.length - tail.length).fill('0')
  return [...head, ...zeros, ...tail].slice(0, 4).join(':')
}
/** Characters of what is no address: a proxy that is not set up may pass on anything. */
const LONGEST = 100
