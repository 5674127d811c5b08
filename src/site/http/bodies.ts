import type { MiddlewareHandler } from 'hono'
import { bodyLimit } from 'hono/body-limit'
import { Refusal } from '../refusal.js'
import type { Env } from './env.js'
import type { Access } from './guard.js'

/** Bytes of an upload, as it is sent. */
export const UPLOAD = 32 * 1024 ** 2
/** Bytes of what the host sends, such as a contest file, and of any other request's body. */
const OF_HOST = 512 * 1024
const BODY = 128 * 1024

export const tooLarge = (most: number): Refusal => new Refusal('too-large', `a request has ${most} bytes here at most`)

/** Refuses a body that is too large, before any more of it is read. */
export function boundedBody(access: Access): MiddlewareHandler<Env> {
  const most = access === 'host' ? OF_HOST : BODY
  return bodyLimit({
    maxSize: most,
    onError: () => {
      throw tooLarge(most)
    },
  })
}

/**
 * Refuses an upload that says that it is too large. What it brings is counted where it is read (`readForm`): until there is a place
 * for it, none of it is kept in memory.
 */
export const boundedUpload: MiddlewareHandler<Env> = async (c, next) => {
  if (Number(c.req.header('content-length') ?? 0) > UPLOAD) throw tooLarge(UPLOAD)
  await next()
}
