import type { MiddlewareHandler } from 'hono'
import { bodyLimit } from 'hono/body-limit'
import { Refusal } from '../app/site/refusal.js'
import type { Env } from './env.js'

/** Bytes of an upload, as it is sent. */
export const UPLOAD = 32 * 1024 ** 2
/** Bytes of any other request's body. */
const BODY = 512 * 1024

const limit = (most: number): MiddlewareHandler<Env> =>
  bodyLimit({
    maxSize: most,
    onError: () => {
      throw new Refusal('too-large', `a request has ${most} bytes here at most`)
    },
  })

/** Refuses a body that is too large, before any more of it is read. */
export const boundedBody = limit(BODY)
/** The same of a request that brings files. */
export const boundedUpload = limit(UPLOAD)
