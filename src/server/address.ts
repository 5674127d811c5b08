import type { Context } from 'hono'
import type { Env } from './env.js'

/** Whose address a request comes from, found as the application was set up to find it. */
export const addressOf = (c: Context<Env>): string => c.get('address')

/**
 * Where a request comes from. `proxy`: this server stands behind a proxy, which adds the address that it was asked from to
 * X-Forwarded-For; what stands before that, anybody may have written. An IPv6 address is taken for its network of 64 bits: that is
 * what one household has.
 */
export function addressIn(c: Context<Env>, proxy: boolean): string {
  const direct = c.env?.incoming?.socket.remoteAddress ?? ''
  const forwarded = proxy ? c.req.header('x-forwarded-for')?.split(',').at(-1)?.trim() : undefined
  return networkOf(forwarded ?? direct)
}

/** An address, or of IPv6 its network. */
export const networkOf = (address: string): string =>
  address.includes(':') && !address.startsWith('::ffff:') ? address.split(':').slice(0, 4).join(':') : address
