import { pipeline } from 'node:stream/promises'
import { Busboy } from '@fastify/busboy'
import type { Context, MiddlewareHandler } from 'hono'
import { bodyLimit } from 'hono/body-limit'
import type { Env } from './address.js'
import type { Access } from './guard.js'
import { Refusal } from './problems.js'

/** Bytes of an upload, as it is sent. */
export const UPLOAD = 32 * 1024 ** 2
/** Bytes of what the host sends, such as a contest file, and of any other request's body. */
const OF_HOST = 512 * 1024
const BODY = 128 * 1024

const tooLarge = (most: number): Refusal => new Refusal('too-large', `a request has ${most} bytes here at most`)

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

/** What a form brought. */
export interface Form {
  /** Texts by field, in order. */
  readonly texts: ReadonlyMap<string, readonly string[]>
  /** Names as they were sent. */
  readonly files: readonly { readonly field: string; readonly name: string; readonly data: Uint8Array }[]
}

/** Characters of a text, and how many texts and files a form has at most. */
export const FORM = { text: 4000, texts: 64, files: 2000 } as const

/** A form, with what divides it, which RFC 2046 bounds. */
const FORM_TYPE = /^multipart\/form-data\s*;.*\bboundary=(?:"[^"\r\n]{1,70}"|[^\s";]{1,70})(?:\s*;|\s*$)/i

/**
 * Reads a form of texts and files (multipart/form-data) of so many bytes at most. Throws a Refusal for what is none, or larger, and where
 * the signal is aborted: it came too slowly, while others waited.
 */
export async function readForm(c: Context, most: number, signal: AbortSignal): Promise<Form> {
  const type = c.req.header('content-type') ?? ''
  const body = c.req.raw.body
  if (!FORM_TYPE.test(type) || body === null)
    throw new Refusal('invalid', 'this is no form: send multipart/form-data with a boundary of 70 characters at most')
  const texts = new Map<string, string[]>()
  const files: { field: string; name: string; data: Uint8Array }[] = []
  let refused: string | undefined
  const parser = new Busboy({
    headers: { 'content-type': type },
    // Whether a name leads elsewhere is checked when the files are taken.
    preservePath: true,
    limits: {
      fieldSize: FORM.text,
      fields: FORM.texts,
      files: FORM.files,
      // Those that are neither count too: what the parser keeps of each is a hundred times what it takes to send one.
      parts: FORM.texts + FORM.files,
      fieldNameSize: 100,
      headerPairs: 20,
    },
  })
  parser.on('field', (field, text, _cut, cut) => {
    if (cut) refused = `${field.slice(0, 100)} has more than ${FORM.text} characters`
    texts.set(field, [...(texts.get(field) ?? []), text])
  })
  parser.on('file', (field, stream, name) => {
    const chunks: Buffer[] = []
    stream.on('data', (chunk: Buffer) => chunks.push(chunk))
    stream.on('end', () => files.push({ field, name, data: Buffer.concat(chunks) }))
  })
  for (const event of ['fieldsLimit', 'filesLimit', 'partsLimit'])
    parser.on(event, () => {
      refused = `a form has ${FORM.texts} texts and ${FORM.files} files at most`
    })
  try {
    await pipeline(
      chunksOf(body, most, signal, () => refused),
      parser,
    )
  } catch (error) {
    if (error instanceof Refusal) throw error
    throw new Refusal('invalid', 'this form cannot be read: it ends too early, or is none')
  }
  if (refused !== undefined) throw new Refusal('invalid', refused)
  return { texts, files }
}

async function* chunksOf(
  body: ReadableStream<Uint8Array>,
  most: number,
  signal: AbortSignal,
  refused: () => string | undefined,
): AsyncGenerator<Uint8Array> {
  const reader = body.getReader()
  const slow = new Promise<never>((_, fail) => {
    const refuse = (): void =>
      fail(new Refusal('too-many', 'this upload took long, and others waited: try again in a minute', { wait: 60 }))
    if (signal.aborted) refuse()
    else signal.addEventListener('abort', refuse, { once: true })
  })
  // The rejection may come while nothing waits for the next part.
  slow.catch(() => undefined)
  for (let bytes = 0; ;) {
    const { done, value } = await Promise.race([reader.read(), slow])
    if (done) return
    bytes += value.length
    if (bytes > most) throw tooLarge(most)
    yield value
    // What comes behind is not even parsed.
    const why = refused()
    if (why !== undefined) throw new Refusal('invalid', why)
  }
}
