import { Hono } from 'hono'
import { describe, expect, it } from 'vitest'
import type { Env } from './callers.js'
import { problemOf } from './answers.js'
import { Uploads, readForm } from './uploads.js'

/** An upload that is received until it is told to stop. */
function slowly(uploads: Uploads, sender: Parameters<Uploads['within']>[0]): Promise<string> {
  return uploads.within(
    sender,
    (slow) => new Promise((done) => slow.addEventListener('abort', () => done('gave way'), { once: true })),
  )
}
const from = (contestant: number, address: string) => ({ contestant, address })

describe('a slow sender', () => {
  it('gives way to others once it has had its time, and no sooner', async () => {
    let now = 0
    const uploads = new Uploads({ all: 3, address: 2, contestant: 1 }, () => now)
    const refused = (sender: Parameters<Uploads['within']>[0]) =>
      expect(uploads.within(sender, async () => 'sent')).rejects.toThrow('others send their bots')
    const first = slowly(uploads, from(1, 'a'))
    now += 15_000
    const second = slowly(uploads, from(2, 'b'))
    const host = slowly(uploads, undefined)
    now += 4999
    await refused(from(3, 'c'))
    now += 1
    expect(await uploads.within(from(3, 'c'), async () => 'sent')).toBe('sent')
    expect(await first).toBe('gave way')
    // There is room again: no upload has to give way.
    expect(await uploads.within(from(4, 'd'), async () => 'sent')).toBe('sent')
    // One that hung makes way for the next of the same contestant, from wherever it comes.
    await refused(from(2, 'c'))
    now += 15_000
    expect(await uploads.within(from(2, 'c'), async () => 'sent')).toBe('sent')
    expect(await second).toBe('gave way')
    // The host's is never cut off.
    now += 1e9
    expect(await Promise.race([host, Promise.resolve('still there')])).toBe('still there')
  })

  it('is told so, though nothing more comes of it', async () => {
    const stop = new AbortController()
    const app = new Hono<Env>()
    app.post('/', async (c) => {
      await readForm(c, stop.signal)
      return new Response('sent')
    })
    app.onError((error, c) => problemOf(error, c, () => undefined))
    let asked = 0
    const body = new ReadableStream<Uint8Array>({
      pull(controller) {
        if (asked++ === 0) controller.enqueue(new TextEncoder().encode('--x\r\nContent-Disposition: form-data; '))
        else stop.abort()
        return asked === 1 ? undefined : new Promise(() => undefined)
      },
    })
    const headers = { 'content-type': 'multipart/form-data; boundary=x' }
    const { status } = await app.fetch(
      new Request('http://localhost/', { method: 'POST', headers, body, duplex: 'half' } as RequestInit),
    )
    expect([asked, status]).toEqual([2, 429])
  })
})
