import { expect, test } from 'vitest'
import { awaiting, isAwaiting, isYieldDue } from './pace.js'

/** How many steps of so many microseconds go by until a rest is due; the count begins anew with it. */
function stepsOf(us: number): number {
  for (let steps = 1; ; steps++) if (isYieldDue(us)) return steps
}

test('a rest is due after many steps or much time, and sooner while another match waits for its bots', async () => {
  stepsOf(0)
  expect([stepsOf(1), stepsOf(400), stepsOf(20_000)]).toEqual([64, 25, 1])
  let answer: (text: string) => void = () => undefined
  const waiting = awaiting(new Promise<string>((done) => (answer = done)))
  const failing = awaiting(Promise.reject(new Error('ours'))).catch((error: unknown) => String(error))
  expect([isAwaiting(), stepsOf(1), stepsOf(30)]).toEqual([true, 64, 4])
  expect(await failing).toBe('Error: ours')
  expect(isAwaiting()).toBe(true)
  answer('A')
  expect(await waiting).toBe('A')
  expect([isAwaiting(), stepsOf(30)]).toEqual([false, 64])
})
