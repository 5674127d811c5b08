import { UserError } from '../core/index.js'

/** A format that does not fit its game or its entrants; the message says what to change. */
export class FormatError extends UserError {}
