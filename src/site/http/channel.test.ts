import { Hono } from 'hono'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { TestSite } from '../../../test/site/site.js'
import { contestChannels } from '../live.js'
import type { Env } from './callers.js'

let site: TestSite
let id: string
beforeAll(async () => {
  site = await TestSite.open()
  id = await site.contest(1)
})
afterAll(() => site.remove())

it('what happens is sent to many in slices: others are answered in between, and whoever leaves meanwhile is sent no more', async () => {
  const context = site.services.site
  const channels = contestChannels(context)
  const app = new Hono<Env>()
  app.get('/', (c) => channels.answer(c, id))
  // Counts how often the thread was free for somebody else.
  let free = 0
  let counting = true
  const count = (): void => void (counting && setImmediate(() => (free++, count())))
  const sent: { readonly n: number; readonly free: number }[] = []
  const readers: ReadableStreamDefaultReader<Uint8Array>[] = []
  for (let n = 0; n < 100; n++) {
    const { body } = await app.request('/')
    const reader = (body as ReadableStream<Uint8Array>).getReader()
    expect(new TextDecoder().decode((await reader.read()).value)).toContain('event: contest')
    readers.push(reader)
  }
  const all = readers.map(async (reader, n) => {
    if ((await reader.read()).done) return
    sent.push({ n, free })
    if (n === 0) await readers[99]?.cancel()
  })
  count()
  context.site.addEvent(id, 'state', { state: 'created' })
  context.hub.emit('touch', id)
  await Promise.all(all)
  counting = false
  channels.close()
  expect(sent.map(({ n }) => n)).toEqual(Array.from({ length: 99 }, (_, n) => n))
  expect(new Set(sent.map((one) => one.free)).size).toBeGreaterThan(2)
})
