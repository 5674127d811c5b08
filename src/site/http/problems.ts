import type { Context } from 'hono'
import { HTTPException } from 'hono/http-exception'
import { type Spell, UserError, type Wording, message, spelled, visibleLines } from '../../core/index.js'
import { flagOf } from '../../app/flag.js'
import { respond } from './answers.js'

const STATUS = {
  invalid: 400,
  unauthorized: 401,
  forbidden: 403,
  unknown: 404,
  conflict: 409,
  'too-large': 413,
  'too-many': 429,
} as const
const TITLES: Readonly<Record<number, string>> = {
  400: 'Bad request',
  401: 'A token is needed',
  403: 'Forbidden',
  404: 'Not found',
  405: 'Method not allowed',
  409: 'Conflict',
  413: 'Too large',
  415: 'Unsupported media type',
  429: 'Too many requests',
  500: 'Internal error',
  503: 'Unavailable',
}

/** A mistake in a request to the site: the message says what is wrong and what to do, and holds nothing of the host's. */
export class Refusal extends UserError {
  constructor(
    readonly kind: keyof typeof STATUS,
    text: Wording,
    /** More for programs: the line of a contest file, the field of a form, seconds to wait. */
    readonly detail: Readonly<Record<string, string | number>> = {},
  ) {
    super(text)
  }
}

/** What work gives; its UserErrors are the caller's mistakes. */
export function refusing<T>(work: () => T): T {
  try {
    return work()
  } catch (error) {
    throw error instanceof UserError ? new Refusal('invalid', error.text) : error
  }
}

/**
 * Spells an option in a message as people of a site know it: a field of their form, or a limit of their contest. What no request has is
 * for the site's host to give, on the command line, and so are commands.
 */
export const fieldOf: Spell = (named) => {
  if ('command' in named) return flagOf(named)
  const { option, value } = named
  if (option === 'wire') return value === undefined ? 'the field wire' : `the field wire: ${value}`
  if (option === 'limit') return `the contest's limit${value === undefined ? '' : ` ${value}`}`
  return flagOf(named)
}

/** What went wrong as a problem document (RFC 9457). `members`: beside the standard ones; `wait`: seconds. */
export function problem(status: number, detail: string, { wait, ...members }: Refusal['detail'] = {}): Response {
  const body = { type: 'about:blank', title: TITLES[status] ?? 'Error', status, detail, ...members }
  return respond(JSON.stringify(body), status, {
    'content-type': 'application/problem+json',
    'cache-control': 'no-store',
    ...(status === 401 && { 'www-authenticate': 'Bearer' }),
    ...(wait !== undefined && { 'retry-after': String(wait) }),
  })
}

/** What the site's machine has no more of, in the system's own words; undefined: it is another error. */
function lackOf(error: unknown): string | undefined {
  const isLack = error instanceof Error && 'code' in error && LACKS.has(String(error.code))
  return isLack ? error.message : undefined
}
const LACKS = new Set(['ENOSPC', 'EDQUOT', 'EROFS', 'EMFILE', 'ENFILE', 'ENOMEM', 'EAGAIN'])

/** Every error of a request as a problem. What is not the caller's mistake is reported to the host alone. */
export function problemOf(error: unknown, { req }: Context, log: (text: Wording) => void): Response {
  if (error instanceof Refusal)
    return problem(STATUS[error.kind], visibleLines(spelled(error.text, fieldOf)), error.detail)
  if (error instanceof HTTPException) return problem(error.status, error.message)
  const request = `${req.method} ${req.path}`
  const lack = error instanceof UserError ? error.text : lackOf(error)
  if (lack !== undefined) {
    log(message`${request}: ${lack}`)
    return problem(503, 'the host of this site has to mend something first; its log says what')
  }
  log(`${request}: ${error instanceof Error ? (error.stack ?? error.message) : String(error)}`)
  return problem(500, 'something went wrong here; the host’s log says what')
}
