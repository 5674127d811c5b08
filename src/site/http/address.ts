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
    /** Called with who may connect, where the request asks for that. */
    readonly admit?: (comer: AdmittedComer) => void
  }
}

/** A remote bot that may be connected. */
export interface AdmittedComer extends Comer {
  readonly contestant: number
  readonly address: string
}

/** Whose address a request comes from, found as the application was set up to find it. */
export const addressOf = (c: Context<Env>): string => c.get('address')

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
  const [head = '', tail] = bare.replace(/%.*$/, '').split('::')
  const groups = (text: string): string[] => (text === '' ? [] : text.split(':'))
  // '::' stands for as many zeros as are lacking; an IPv4 address at the end takes the place of two groups.
  const behind = groups(tail ?? '')
  const lacking = 8 - groups(head).length - behind.length - (bare.includes('.') ? 1 : 0)
  const all = tail === undefined ? groups(head) : [...groups(head), ...Array<string>(lacking).fill('0'), ...behind]
  return all
    .slice(0, 4)
    .map((group) => Number.parseInt(group, 16).toString(16))
    .join(':')
}
/** Characters of what is no address: a proxy that is not set up may pass on anything. */
const LONGEST = 100
