import { expect, test } from 'vitest'
import { rest } from './rest.js'

test('lets one match go on in a turn of the event loop, in the order in which they came to rest', async () => {
  // Nothing has rested here for longer than a rest is due.
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
    await rest(true)
    order.push(name)
    turns.add(turn)
  }
  await Promise.all(['one', 'two', 'three'].map(match))
  counting = false
  expect(order).toEqual(['one', 'two', 'three'])
  expect(turns.size).toBe(3)
})
