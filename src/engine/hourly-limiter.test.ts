import { expect, it, vi } from 'vitest'
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

it('tells when matches that wait may begin, for as long as they wait', async () => {
  let now = 0
  const told: (number | undefined)[] = []
  const pace: HourlyLimiter = new HourlyLimiter(
    60,
    () => now,
    async (ms) => {
      told.push(pace.until)
      now += ms
    },
    () => now,
  )
  const given = new AbortController()
  await pace.take(2)
  expect(told.length).toBeGreaterThan(100)
  // The last of many small sums may lack a digit.
  for (const at of told) expect(Math.abs((at ?? 0) - 120_000)).toBeLessThan(5)
  expect(pace.until).toBeUndefined()
  const later = pace.take(1, given.signal)
  given.abort()
  await later
  expect(pace.until).toBeUndefined()
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

it('goes on at its pace when the clock of the machine is set back', async () => {
  const { now } = Date
  let shift = 0
  const clock = vi.spyOn(Date, 'now').mockImplementation(() => now() + shift)
  try {
    // One a millisecond.
    const pace = new HourlyLimiter(3_600_000)
    await pace.take(1)
    shift = -24 * 3_600_000
    const given = AbortSignal.timeout(2000)
    await pace.take(1, given)
    expect(given.aborted).toBe(false)
  } finally {
    clock.mockRestore()
  }
})
