import { createHash } from 'node:crypto'
import { STATUS_CODES } from 'node:http'
import type { Context } from 'hono'
import { HTTPException } from 'hono/http-exception'
import { UserError, type Wording, message, spelled, visibleLines, wordingOf } from '../../core/index.js'
import { fieldOf } from '../../app/flag.js'

/** Headers of every answer. The page loads only files of the site itself, talks to the site alone, and runs no script in its markup. */
const HEADERS: Readonly<Record<string, string>> = {
  'content-security-policy': [
    "default-src 'none'",
    ...['script', 'style', 'img', 'font', 'connect'].map((kind) => `${kind}-src 'self'`),
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ].join('; '),
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'same-origin',
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
  'permissions-policy': 'camera=(), geolocation=(), microphone=()',
}

/** Makes an answer. All answers of a site are made here: to add headers to one that is made would cost as much as the rest of it. */
export function respond(
  body: string | Uint8Array<ArrayBuffer> | ReadableStream | null,
  status: number,
  headers: Readonly<Record<string, string>>,
): Response {
  return new Response(body, { status, headers: { ...HEADERS, ...headers } })
}

/** An answer that is no JSON. `file`: the name under which a browser saves it; absent: it is shown. */
export function respondWith(body: string | Uint8Array<ArrayBuffer>, type: string, file?: string): Response {
  const saved = file === undefined ? undefined : { 'content-disposition': `attachment; filename="${file}"` }
  return respond(body, 200, { 'content-type': type, 'cache-control': 'no-cache', ...saved })
}

/** How long a client may cache an answer. */
export interface Keep {
  /** It never changes. */
  readonly final?: boolean
  /** It is for this caller alone. */
  readonly own?: boolean
  /** What distinguishes it from another one; absent: its contents. */
  readonly tag?: string
}

/** An answer of a JSON text with its ETag, or 304 where the caller has it already. */
export function answerText(c: Context, text: string, { final, own, tag = tagOf(text) }: Keep = {}): Response {
  const headers = {
    etag: tag,
    'cache-control': own ? 'private, no-store' : final ? 'public, max-age=31536000, immutable' : 'no-cache',
  }
  if (c.req.header('if-none-match')?.includes(tag)) return respond(null, 304, headers)
  return respond(text, 200, { ...headers, 'content-type': 'application/json' })
}

export const tagOf = (text: string | Uint8Array): string => `"${createHash('sha1').update(text).digest('base64url')}"`

/** A mistake in a request to the site: the message says what is wrong and what to do, and holds nothing of the host's. */
export class Refusal extends UserError {
  constructor(
    readonly status: number,
    text: Wording,
    /** More for programs: the line of a contest file, the field of a form, seconds to wait. */
    readonly detail: Readonly<Record<string, string | number>> = {},
  ) {
    super(text)
  }
}

const refusalOf =
  (status: number) =>
  (text: Wording, detail?: Refusal['detail']): Refusal =>
    new Refusal(status, text, detail)
export const invalid = refusalOf(400)
export const unauthorized = refusalOf(401)
export const forbidden = refusalOf(403)
export const notFound = refusalOf(404)
export const conflict = refusalOf(409)
export const tooLarge = refusalOf(413)
export const tooMany = refusalOf(429)

export const longRequest = (most: number): Refusal => tooLarge(`a request has ${most} bytes here at most`)

/** What work gives; its UserErrors are the caller's mistakes. */
export function refusing<T>(work: () => T): T {
  try {
    return work()
  } catch (error) {
    throw error instanceof UserError ? invalid(error.text) : error
  }
}

/** What went wrong as a problem document (RFC 9457). `members`: beside the standard ones; `wait`: seconds. */
export function problem(status: number, detail: string, { wait, ...members }: Refusal['detail'] = {}): Response {
  const body = { type: 'about:blank', title: STATUS_CODES[status], status, detail, ...members }
  return respond(JSON.stringify(body), status, {
    'content-type': 'application/problem+json',
    'cache-control': 'no-store',
    ...(status === 401 && { 'www-authenticate': 'Bearer' }),
    ...(wait !== undefined && { 'retry-after': String(wait) }),
  })
}

/** Codes of the system for what the site's machine has no more of. */
const LACKS = new Set(['ENOSPC', 'EDQUOT', 'EROFS', 'EMFILE', 'ENFILE', 'ENOMEM', 'EAGAIN'])

/** Every error of a request as a problem. What is not the caller's mistake is reported to the host alone. */
export function problemOf(error: unknown, { req }: Context, log: (text: Wording) => void): Response {
  if (error instanceof Refusal) return problem(error.status, visibleLines(spelled(error.text, fieldOf)), error.detail)
  if (error instanceof HTTPException) return problem(error.status, error.message)
  const request = `${req.method} ${req.path}`
  const lacks = error instanceof Error && 'code' in error && LACKS.has(String(error.code))
  if (lacks || error instanceof UserError) {
    log(message`${request}: ${wordingOf(error)}`)
    return problem(503, 'the host of this site has to mend something first; its log says what')
  }
  log(`${request}: ${error instanceof Error ? (error.stack ?? error.message) : String(error)}`)
  return problem(500, 'something went wrong here; the host’s log says what')
}
