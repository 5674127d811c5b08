import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { Busboy } from '@fastify/busboy'
import type { Context } from 'hono'
import type { Env } from './callers.js'
import { Refusal, longRequest, invalid, tooMany } from './answers.js'

/** Bytes of an upload, as it is sent. */
export const UPLOAD = 32 * 1024 ** 2

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

/** Reads a form of texts and files. Throws a Refusal for what is none or too large, and where the signal is aborted: it came too slowly. */
export async function readForm(c: Context<Env>, slow: AbortSignal): Promise<Form> {
  const type = c.req.header('content-type') ?? ''
  const { body } = c.req.raw
  if (Number(c.req.header('content-length') ?? 0) > UPLOAD) throw longRequest(UPLOAD)
  if (!FORM_TYPE.test(type) || body === null)
    throw invalid('this is no form: send multipart/form-data with a boundary of 70 characters at most')
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
  async function* bounded(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
    let bytes = 0
    for await (const chunk of chunks) {
      bytes += chunk.length
      if (bytes > UPLOAD) throw longRequest(UPLOAD)
      yield chunk
      // What comes behind is not even parsed.
      if (refused !== undefined) throw invalid(refused)
    }
  }
  try {
    await pipeline(Readable.fromWeb(body as never, { highWaterMark: 1 }), bounded, parser, { signal: slow })
  } catch (error) {
    if (error instanceof Refusal) throw error
    if (slow.aborted) throw tooMany('this upload took long, and others waited: try again in a minute', { wait: 60 })
    throw invalid('this form cannot be read: it ends too early, or is none')
  }
  if (refused !== undefined) throw invalid(refused)
  return { texts, files }
}

/** Uploads that are received at once, each in memory until its files are written: in all, of an address, and of a contestant. */
const AT_ONCE = { all: 4, address: 2, contestant: 1 } as const
/** Milliseconds after which an upload gives its place to one that finds none. */
const GIVES_WAY_MS = 20_000

interface Upload {
  /** Undefined: the host. */
  readonly sender: { readonly contestant: number; readonly address: string } | undefined
  readonly since: number
  readonly slow: AbortController
}

/** Uploads that are being received. Only the host may have all places; and because a few contestants together could, what takes long gives way. */
export class Uploads {
  private readonly open = new Set<Upload>()

  constructor(
    private readonly most: Readonly<Record<keyof typeof AT_ONCE, number>> = AT_ONCE,
    private readonly now: () => number = () => performance.now(),
  ) {}

  receive<T>(c: Context<Env>, work: (form: Form) => Promise<T>): Promise<T> {
    const caller = c.get('caller')
    const sender = caller.role === 'contestant' ? { contestant: caller.number, address: c.get('address') } : undefined
    return this.within(sender, async (slow) => work(await readForm(c, slow)))
  }

  /** Holds a place while an upload is received. The signal is aborted if it is slow and another one takes its place. */
  async within<T>(sender: Upload['sender'], work: (slow: AbortSignal) => Promise<T>): Promise<T> {
    const { most } = this
    if (sender !== undefined) {
      this.makeRoom((one) => one?.contestant === sender.contestant, most.contestant)
      this.makeRoom((one) => one?.address === sender.address, most.address)
    }
    this.makeRoom(() => true, most.all)
    const own: Upload = { sender, since: this.now(), slow: new AbortController() }
    this.open.add(own)
    try {
      return await work(own.slow.signal)
    } finally {
      this.open.delete(own)
    }
  }

  /** Where too many are counted, the oldest that has had its time gives way. The host's never does. */
  private makeRoom(isCounted: (sender: Upload['sender']) => boolean, most: number): void {
    const counted = [...this.open].filter(({ sender }) => isCounted(sender))
    if (counted.length < most) return
    const slow = counted.find(({ sender, since }) => sender !== undefined && this.now() - since >= GIVES_WAY_MS)
    if (slow === undefined) throw tooMany('others send their bots just now: try again in a few seconds', { wait: 3 })
    this.open.delete(slow)
    slow.slow.abort()
  }
}
