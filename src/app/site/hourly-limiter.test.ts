import { expect, it } from 'vitest'
import { HourlyLimiter } from './hourly-limiter.js'

it('lets so many matches an hour begin, in a stream, and no more after a rest', async () => {
  let now = 0
  const pace = new HourlyLimiter(
    120,
    () => now,
    async (ms) => void (now += ms),
  )
  const began: number[] = []
  const begin = async (n: number) => {
    await pace.take(n)
    began.push(now)
  }
  for (let n = 0; n < 60; n++) await begin(2)
  expect(now).toBe(3_600_000)
  // Half a minute a match: never more than two in a minute.
  expect(began.every((at, i) => i === 0 || at - (began[i - 1] ?? 0) >= 59_999)).toBe(true)
  now += 10 * 3_600_000
  const rested = now
  for (let n = 0; n < 10; n++) await begin(1)
  expect(now - rested).toBeGreaterThanOrEqual(8 * 30_000)
})

it('takes nothing for whoever has given up', async () => {
  let now = 0
  const pace = new HourlyLimiter(
    60,
    () => now,
    async (ms) => void (now += ms),
  )
  await pace.take(50, AbortSignal.abort())
  await pace.take(1)
  expect(now).toBe(60_000)
})
