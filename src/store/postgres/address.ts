import { UserError, type Wording, message, option } from '../../core/index.js'

export interface ServerAddress {
  /** As given, with its password: for `pg` alone. */
  readonly url: string
  /** Without its password: for every message. */
  readonly where: string
  readonly host: string
  readonly database: string
}

const SCHEMES: ReadonlySet<string> = new Set(['postgres:', 'postgresql:'])

/** Reads a server's URL; `named`: what gave it. Throws UserError, which repeats no possible password. */
export function parseAddress(url: string, named: Wording = message`${option('store')}`): ServerAddress {
  const parts = URL.canParse(url) ? new URL(url) : undefined
  if (parts === undefined || (SCHEMES.has(parts.protocol) && isMisread(url, parts)))
    throw new UserError(
      message`${named} is no URL: write postgres://USER:PASSWORD@HOST:PORT/DATABASE, special characters of the password as %23 for #`,
    )
  if (!SCHEMES.has(parts.protocol))
    throw new UserError(
      message`${named} begins with ${parts.protocol}//, and a store can only be on PostgreSQL: write postgres://USER:PASSWORD@HOST:PORT/DATABASE, or the word workspace for the file there`,
    )
  const host = `${parts.hostname || 'localhost'}:${parts.port || '5432'}`
  const user = parts.username === '' ? '' : `${parts.username}@`
  const database = decoded(parts.pathname.slice(1)) || decoded(parts.username)
  return { url, where: `postgres://${user}${host}/${database}`, host, database }
}

/** Whether a part of a password (with / or # in it, or after a missing //) may have been taken for a port or a path. */
const isMisread = (url: string, { pathname, hash }: URL): boolean =>
  !/^\w+:\/\//.test(url) || /[@:]|.\//.test(pathname) || hash !== ''

function decoded(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}
