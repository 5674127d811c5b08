import { UserError, type Wording, lookUp, message, option } from '../../core/index.js'
import { ServerLostError } from '../port.js'
import type { ServerAddress } from './address.js'
import { DAMAGED } from '../sums.js'

export const CONNECTIONS = 4

/** The code of an error of `pg` or PostgreSQL, if any: the system's (ECONNREFUSED) or SQL's (28P01). */
const codeOf = (error: unknown): string =>
  error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : ''
const textOf = (error: unknown): string => (error instanceof Error ? error.message : '')

/** The server went, or does not answer: it may come back. */
export function isLost(error: unknown): boolean {
  const code = codeOf(error)
  return (
    /^(ECONN|EPIPE|ETIMEDOUT|EHOST|ENET|ENOTFOUND|EAI_AGAIN|08|57P0[1-5]|25P03)/.test(code) ||
    error instanceof ServerLostError ||
    (code === '' &&
      /^Connection terminated|^Client has encountered a connection error|^timeout e|^Client was closed/.test(
        textOf(error),
      ))
  )
}

/** Two transactions met, and this one was taken back: it can be done again. */
export const meets = (error: unknown): boolean => ['40001', '40P01'].includes(codeOf(error))

type Words = (address: ServerAddress, said: string) => Wording

const FOREIGN_TABLES: Words = () =>
  message`its tables are not as agon made them: put a backup of the database back, or use another database with ${option('store')}`

/** What a person can mend, by code or its class (the first two letters). `said`: PostgreSQL's own words. */
const WORDS: Readonly<Record<string, Words>> = {
  28: () =>
    message`the server refuses this user or its password: mend them in ${option('store')}, AGON_STORE or DATABASE_URL`,
  '3D000': ({ database }) => `the database ${database} does not exist: createdb ${database} makes it`,
  42501: (_, said) => `this user lacks a permission (${said}): the database's owner can grant it (GRANT)`,
  53300: (_, said) =>
    `the server has no connection left (${said}): each agon needs up to ${CONNECTIONS}; raise max_connections there, or start fewer`,
  53: (_, said) => message`the server is full (${said}): make room there, and continue with ${option('resume')}`,
  25006: (_, said) => `the server takes no writes (${said}): name the one that does`,
  '42P01': FOREIGN_TABLES,
  42703: FOREIGN_TABLES,
  '3F000': FOREIGN_TABLES,
  42883: FOREIGN_TABLES,
  XX001: () => DAMAGED,
  XX002: () => DAMAGED,
}

/** What a person can mend, in a line without the password; anything else as it is. */
export function inWords(error: unknown, address: ServerAddress): unknown {
  const { where, host } = address
  const [code, said] = [codeOf(error), textOf(error)]
  if (isLost(error))
    return new ServerLostError(
      message`${where}: no server answers at ${host} (${code || 'the connection was lost'}): start PostgreSQL there, or name another one with ${option('store')}`,
    )
  const own = /password/i.test(said) ? '28' : code
  const words = lookUp(WORDS, own) ?? lookUp(WORDS, own.slice(0, 2))
  return words === undefined ? error : new UserError(message`${where}: ${words(address, said)}`)
}
