import { Hono } from 'hono'
import { expect, it } from 'vitest'
import { FORM, readForm } from './uploads.js'
import type { Env } from './callers.js'
import { problemOf } from './answers.js'

const PIECE = 64 * 1024

/** Sends a form of a megabyte of such parts. Returns how it is answered, and how many pieces of it were read. */
async function send(part: string, boundary = 'x'): Promise<{ status: number; detail: string; read: number }> {
  const app = new Hono<Env>()
  app.post('/', async (c) => {
    const { texts, files } = await readForm(c, new AbortController().signal)
    return Response.json({ detail: `${texts.size} texts, ${files.length} files` })
  })
  app.onError((error, c) => problemOf(error, c, () => undefined))
  const all = new TextEncoder().encode(`${part.repeat(2 ** 20 / part.length)}--x--\r\n`)
  let read = 0
  const body = new ReadableStream<Uint8Array>(
    {
      pull(controller) {
        if (read * PIECE >= all.length) return controller.close()
        controller.enqueue(all.subarray(read * PIECE, ++read * PIECE))
      },
    },
    { highWaterMark: 0 },
  )
  const headers = { 'content-type': `multipart/form-data; boundary=${boundary}` }
  const request = new Request('http://localhost/', { method: 'POST', headers, body, duplex: 'half' } as RequestInit)
  const answer = await app.fetch(request)
  return { status: answer.status, read, ...((await answer.json()) as { detail: string }) }
}

it.each([
  ['that are nothing', '--x\r\n\r\n\r\n'],
  ['without a name', '--x\r\nContent-Disposition: form-data\r\n\r\n1\r\n'],
  ['that are texts', '--x\r\nContent-Disposition: form-data; name="a"\r\n\r\n1\r\n'],
  ['that are files', '--x\r\nContent-Disposition: form-data; name="files"; filename="a"\r\n\r\n1\r\n'],
])('a form of very many parts %s is read no further than as many as a form has', async (_, part) => {
  const { status, detail, read } = await send(part)
  expect([status, detail]).toEqual([400, `a form has ${FORM.texts} texts and ${FORM.files} files at most`])
  const parts = FORM.texts + FORM.files
  expect(read).toBeLessThanOrEqual(Math.ceil((parts * part.length) / PIECE) + 2)
})

it('a boundary of thousands of characters is a mistake of the sender', async () => {
  for (const boundary of ['y'.repeat(3000), '', `"${'y'.repeat(71)}"`])
    expect(await send('--x\r\n\r\n\r\n', boundary)).toMatchObject({ status: 400, read: 0 })
})
