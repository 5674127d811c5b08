import { afterAll, beforeAll, expect, it } from 'vitest'
import { TestSite } from '../../../test/site/site.js'
import { contestChannels } from '../events.js'
import type { Listener } from './streams.js'

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
  const channel = channels.of(id)
  // Counts how often the thread was free for somebody else.
  let free = 0
  let counting = true
  const count = (): void => void (counting && setImmediate(() => (free++, count())))
  const sent: { readonly n: number; readonly free: number }[] = []
  let news = false
  const listeners = Array.from({ length: 100 }, (_, n): Listener => {
    const listener: Listener = {
      send: () => {
        if (news) sent.push({ n, free })
        if (news && n === 0) channel.leave(listeners[99] ?? listener)
        // The next slice begins with one that leaves in the pause before.
        if (news && n === 31) setImmediate(() => channel.leave(listeners[32] ?? listener))
        return 0
      },
      end: () => undefined,
    }
    return listener
  })
  for (const listener of listeners) await channel.join(listener, undefined)
  news = true
  count()
  await context.site.addEvent(id, 'state', { state: 'created' })
  context.hub.touch(id)
  await site.until(async () => sent.length >= 98)
  counting = false
  channels.close()
  expect(sent.map(({ n }) => n)).toEqual(Array.from({ length: 99 }, (_, n) => n).filter((n) => n !== 32))
  expect(new Set(sent.map((one) => one.free)).size).toBeGreaterThan(2)
})
