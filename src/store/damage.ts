import { command, message, option, UserError } from '../core/index.js'

/** Something in the store is not as it was written. `file`: its name in errors. */
export const damaged = (file: string): UserError => new UserError(message`${file}: ${DAMAGED}`)

/** The error for a damaged file. */
export const DAMAGED = message`is damaged; ${command('store check')} shows what, and ${option('mend')} mends what can be; or put a copy of it back, or move it away and import an archive`

/** The error for a damaged file of a site. */
export const SITE_DAMAGED =
  'is damaged; put a copy of it back, or move it away: the site then begins anew, without its contests, contestants and entries; the matches stay in agon.db'

/** A run that was here before is not there any more. `where`: the store, as errors name it. */
export const removed = (where: string): UserError => new UserError(`${where}: another agon has removed the run`)
