import { describe, expect, it, vi } from 'vitest'
import { StaleCache } from './stale-cache.js'

/** Something that takes so many milliseconds to make, and tells how often it was made. */
function making(took: number) {
  let now = 0
  let times = 0
  const kept = new StaleCache<number>(2, () => now)
  const get = (of: string, { key = 'a', fresh = false } = {}) =>
    kept.get(key, of, fresh, async () => {
      now += took
      return ++times
    })
  return { get, wait: (ms: number) => (now += ms) }
}

describe('what is kept', () => {
  it('is made once while nothing changes, however many ask', async () => {
    const { get, wait } = making(50)
    const first = [get('1'), get('1')]
    expect(await Promise.all(first)).toEqual([1, 1])
    wait(1e9)
    expect(await get('1')).toBe(1)
  })

  it('is made again once that takes a tenth of the time, or at once where it is to be fresh', async () => {
    const { get, wait } = making(50)
    await get('1')
    expect(await get('2')).toBe(1)
    wait(499)
    expect(await get('3')).toBe(1)
    expect(await get('3', { fresh: true })).toBe(2)
    wait(1001)
    expect(await get('4')).toBe(3)
  })

  it('is shown as it was while it is made again, unless it is much older by then', async () => {
    let now = 0
    let go = (): void => undefined
    const kept = new StaleCache<string>(2, () => now)
    const get = (of: string) =>
      kept.get('a', of, false, () => new Promise((done) => (go = () => ((now += 50), done(of)))))
    const first = get('1')
    go()
    expect(await first).toBe('1')
    now += 600
    expect([await get('2'), await get('3')]).toEqual(['1', '1'])
    now += 600
    const late = get('3')
    go()
    expect(await late).toBe('2')
    expect(await get('2')).toBe('2')
  })

  it('is dropped where others were asked for since', async () => {
    const kept = new StaleCache<number>(2)
    let times = 0
    const get = (key: string) => kept.get(key, '1', false, async () => ++times)
    for (const key of ['a', 'b', 'a', 'c', 'a']) await get(key)
    expect(times).toBe(3)
    await get('b')
    expect(times).toBe(4)
  })

  it('is not kept where it could not be made', async () => {
    const kept = new StaleCache<string>(2)
    await expect(kept.get('a', '1', false, () => Promise.reject(new Error('no')))).rejects.toThrow('no')
    expect(await kept.get('a', '1', false, async () => 'yes')).toBe('yes')
  })
})

it('does not stay as it was when the clock of the machine is set back', async () => {
  const { now } = Date
  let shift = 0
  const clock = vi.spyOn(Date, 'now').mockImplementation(() => now() + shift)
  try {
    const kept = new StaleCache<string>(2)
    const get = (of: string) => kept.get('a', of, false, () => new Promise((done) => setTimeout(() => done(of), 5)))
    await get('1')
    shift = -3_600_000
    await vi.waitFor(async () => expect(await get('2')).toBe('2'), { timeout: 5000 })
  } finally {
    clock.mockRestore()
  }
})
