import { expect, it } from 'vitest'
import { MadeOnce } from './made-once.js'

it('is made once for all who ask while nothing changes, and anew when something has', async () => {
  const kept = new MadeOnce<number>(2)
  let times = 0
  const get = (of: string) => kept.get('a', of, async () => ++times)
  expect(await Promise.all([get('1'), get('1')])).toEqual([1, 1])
  expect([await get('2'), await get('2'), await get('1')]).toEqual([2, 2, 3])
})

it('is dropped where others were asked for since', async () => {
  const kept = new MadeOnce<number>(2)
  let times = 0
  const get = (key: string) => kept.get(key, '1', async () => ++times)
  for (const key of ['a', 'b', 'a', 'c', 'a']) await get(key)
  expect(times).toBe(3)
  await get('b')
  expect(times).toBe(4)
})

it('is not kept where it could not be made', async () => {
  const kept = new MadeOnce<string>(2)
  await expect(kept.get('a', '1', () => Promise.reject(new Error('no')))).rejects.toThrow('no')
  expect(await kept.get('a', '1', async () => 'yes')).toBe('yes')
})
