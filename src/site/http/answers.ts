import { createHash } from 'node:crypto'
import type { Context } from 'hono'

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
