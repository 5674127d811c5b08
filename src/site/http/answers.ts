import { createHash } from 'node:crypto'
import type { Context } from 'hono'
import { securedResponse } from './headers.js'

/** How long a client may cache an answer. */
export interface Keep {
  /** It never changes. */
  readonly final?: boolean
  /** It is for this caller alone. */
  readonly own?: boolean
  /** What distinguishes it from another one; absent: its contents. */
  readonly tag?: string
}

/** An answer as JSON with its ETag, or 304 where the caller has it already. */
export function answer(c: Context, value: unknown, keep: Keep = {}): Response {
  return answerText(c, JSON.stringify(value), keep)
}

/** The same of a JSON text. */
export function answerText(c: Context, text: string, { final, own, tag = tagOf(text) }: Keep = {}): Response {
  const headers = {
    etag: tag,
    'cache-control': own ? 'private, no-store' : final ? 'public, max-age=31536000, immutable' : 'no-cache',
  }
  if (c.req.header('if-none-match')?.includes(tag)) return securedResponse(null, 304, headers)
  return securedResponse(text, 200, { ...headers, 'content-type': 'application/json' })
}

/** What a write made or did. */
export function done(status: 200 | 201 | 202, value: unknown): Response {
  return new Response(JSON.stringify(value), {
    status,
    headers: { 'content-type': 'application/json', 'cache-control': 'no-store' },
  })
}

/** A strong ETag of a text. */
const tagOf = (text: string): string => `"${createHash('sha1').update(text).digest('base64url')}"`
