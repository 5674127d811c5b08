import { UserError, message, option } from '../../core/index.js'
import { ServerLostError } from '../port.js'
import type { ServerAddress } from './address.js'
import { damaged } from '../sums.js'

export const CONNECTIONS = 4

/** What `pg` and PostgreSQL throw: a code of the system's (ECONNREFUSED) or of SQL's (28P01), where there is one. */
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

/** What a person can mend, in a line without the password; anything else as it is. */
export function inWords(error: unknown, { where, host, database }: ServerAddress): unknown {
  const code = codeOf(error)
  if (isLost(error))
    return new ServerLostError(
      message`${where}: no server answers at ${host} (${code || 'the connection was lost'}): start PostgreSQL there, or name another one with ${option('store')}`,
    )
  if (code.startsWith('28') || /password/i.test(textOf(error)))
    return new UserError(
      message`${where}: the server refuses this user or its password: mend them in ${option('store')}, AGON_STORE or DATABASE_URL`,
    )
  if (code === '3D000')
    return new UserError(message`${where}: the database ${database} does not exist: createdb ${database} makes it`)
  if (code === '42501')
    return new UserError(
      message`${where}: this user lacks a permission (${textOf(error)}): the database's owner can grant it (GRANT)`,
    )
  if (code === '53300')
    return new UserError(
      message`${where}: the server has no connection left (${textOf(error)}): each agon needs up to ${CONNECTIONS}; raise max_connections there, or start fewer`,
    )
  if (code.startsWith('53'))
    return new UserError(
      message`${where}: the server is full (${textOf(error)}): make room there, and continue with ${option('resume')}`,
    )
  if (code === '25006')
    return new UserError(message`${where}: the server takes no writes (${textOf(error)}): name the one that does`)
  if (['42P01', '42703', '3F000', '42883'].includes(code))
    return new UserError(
      message`${where}: its tables are not as agon made them: put a backup of the database back, or use another database with ${option('store')}`,
    )
  if (['XX001', 'XX002'].includes(code)) return damaged(where)
  return error
}
