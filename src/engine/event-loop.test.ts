import { expect, test } from 'vitest'
import { yieldToOthers } from './event-loop.js'

test('lets one match go on in a turn of the event loop, in the order in which they yielded', async () => {
  // No match has yielded here for so long that one is due.
  await new Promise((done) => setTimeout(done, 10))
  let turn = 0
  let counting = true
  const count = (): void => {
    turn++
    if (counting) setImmediate(count)
  }
  setImmediate(count)
  const order: string[] = []
  const turns = new Set<number>()
  const match = async (name: string): Promise<void> => {
    await yieldToOthers(true)
    order.push(name)
    turns.add(turn)
  }
  await Promise.all(['one', 'two', 'three'].map(match))
  counting = false
  expect(order).toEqual(['one', 'two', 'three'])
  expect(turns.size).toBe(3)
})
