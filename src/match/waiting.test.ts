import { expect, test } from 'vitest'
import { awaiting, isAwaiting } from './play.js'

test('tells whether a match in this process waits for its bots', async () => {
  expect(isAwaiting()).toBe(false)
  let answer: (text: string) => void = () => undefined
  const waiting = awaiting(new Promise<string>((done) => (answer = done)))
  const failing = awaiting(Promise.reject(new Error('ours'))).catch((error: unknown) => String(error))
  expect(isAwaiting()).toBe(true)
  expect(await failing).toBe('Error: ours')
  expect(isAwaiting()).toBe(true)
  answer('A')
  expect(await waiting).toBe('A')
  expect(isAwaiting()).toBe(false)
})
