import { describe, expect, it } from 'vitest'
import { Kept } from './kept.js'

/** Something that takes so many milliseconds to make, and tells how often it was made. */
function making(took: number) {
  let now = 0
  let times = 0
  const kept = new Kept<number>(2, () => now)
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
    wait(501)
    expect(await get('4')).toBe(3)
  })

  it('is not kept where it could not be made, and the oldest is forgotten', async () => {
    const kept = new Kept<string>(2)
    await expect(kept.get('a', '1', false, () => Promise.reject(new Error('no')))).rejects.toThrow('no')
    expect(await kept.get('a', '1', false, async () => 'yes')).toBe('yes')
    await kept.get('b', '1', false, async () => 'b')
    await kept.get('c', '1', false, async () => 'c')
    expect(await kept.get('a', '1', false, async () => 'again')).toBe('again')
  })
})
