import { command, message, option, UserError } from '../core/index.js'

/** Something in the store is not as it was written. `where`: its name in errors. */
export const damaged = (where: string): UserError => new UserError(message`${where}: ${DAMAGED}`)

/** The error for a damaged store. */
export const DAMAGED = message`is damaged; ${command('store check')} shows what, and ${option('mend')} removes damaged jobs, which are then played again; or put a copy of it back`

/** A run that was here before is not there any more. */
export const removed = (where: string): UserError => new UserError(`${where}: another agon has removed the run`)

/** What a column of JSON says. Throws UserError, which names the store, where it is none. */
export function parsed<T>(where: string, text: string): T {
  try {
    return JSON.parse(text) as T
  } catch {
    throw damaged(where)
  }
}
