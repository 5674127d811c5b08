import { expect, it } from 'vitest'
import { Reservations } from './reservations.js'

it('a place is taken for as long as its work takes, also where that fails', async () => {
  const places = new Reservations()
  let end = (): void => undefined
  const slow = places.within('ada', () => new Promise<string>((done) => (end = () => done('made'))))
  const failing = places.within('bob', () => Promise.reject(new Error('no room')))
  expect([places.all, places.of('ada'), places.of('bob'), places.of('eve')]).toEqual([2, 1, 1, 0])
  await expect(failing).rejects.toThrow('no room')
  expect([places.all, places.of('ada'), places.of('bob')]).toEqual([1, 1, 0])
  await places.within('ada', async () => expect(places.of('ada')).toBe(2))
  expect(places.of('ada')).toBe(1)
  end()
  expect(await slow).toBe('made')
  expect(places.all).toBe(0)
})
