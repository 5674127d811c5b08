import { type Wording, message, option } from '../core/index.js'
import { parseAddress } from '../store/postgres/address.js'

/** Where this word stands for a server's URL, the workspace's own file is meant. */
const WORKSPACE = 'workspace'

/**
 * The URL of the server that keeps what is played: what was given, else AGON_STORE, else DATABASE_URL; undefined: the workspace's own
 * file does. Throws UserError for what is no URL of PostgreSQL; the message has no password.
 */
export function storeUrl(
  given: string | undefined,
  env: Readonly<Record<string, string | undefined>>,
): string | undefined {
  const places: readonly (readonly [string | undefined, Wording])[] = [
    [given, message`${option('store')}`],
    [env['AGON_STORE'], 'AGON_STORE'],
    [env['DATABASE_URL'], 'DATABASE_URL'],
  ]
  const [url, named = ''] = places.find(([value]) => value !== undefined && value !== '') ?? []
  if (url === undefined || url === WORKSPACE) return undefined
  return parseAddress(url, named).url
}

/** A server's URL to be shown: it can be typed again once its password is put in. */
export function withoutPassword(url: string): string {
  if (!URL.canParse(url)) return url
  const parts = new URL(url)
  if (parts.password !== '') parts.password = 'PASSWORD'
  return parts.href
}
