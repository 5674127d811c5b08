import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { Spread } from '../core/spread.js'
import { BytesError } from './bytes.js'
import { readTimes, timesData } from './segment.js'

function spreadOf(times: readonly number[]): Spread {
  const spread = new Spread()
  for (const time of times) spread.add(time)
  return spread
}
const plain = (times: ReadonlyMap<number, Spread>) =>
  [...times].map(([entrant, spread]) => [entrant, spread.n, spread.max, spread.classes()])
function read(...all: readonly Uint8Array[]): Map<number, Spread> {
  const times = new Map<number, Spread>()
  for (const data of all) readTimes(data, times)
  return times
}

describe('how long answers took, as bytes', () => {
  const time = fc.oneof(fc.integer({ min: 0, max: 60 }), fc.integer({ min: 0, max: 2 ** 31 }))
  const field = fc.array(fc.array(time, { minLength: 1, maxLength: 60 }), { maxLength: 4 })

  it('are read as they were written', () => {
    fc.assert(
      fc.property(field, (taken) => {
        const times = new Map(taken.map((list, entrant) => [entrant, spreadOf(list)]))
        expect(plain(read(timesData(times)))).toEqual(plain(times))
      }),
    )
  })

  it('take one byte for each class of a few answers', () => {
    // The classes of 1000 and 1010 µs lie next to each other.
    expect([...timesData(new Map([[0, spreadOf([1000, 1000, 1010])]]))].slice(-1)).toEqual([0x11])
  })

  it('are read as earlier agons wrote them, added to others', () => {
    // Entrant 2, at most 300 µs, two classes: 400 of class 5, and one of class 8.
    const earlier = Uint8Array.from([3, 0xac, 2, 2, 5, 0x90, 3, 3, 1])
    const spread = (counts: readonly (readonly [number, number])[]) => [2, 401, 300, counts]
    expect(plain(read(earlier))).toEqual([
      spread([
        [5, 400],
        [8, 1],
      ]),
    ])
    const twice = read(timesData(read(earlier)), earlier)
    expect(twice.get(2)?.classes()).toEqual([
      [5, 800],
      [8, 2],
    ])
  })

  it('are refused where they end too early', () => {
    const data = timesData(new Map([[0, spreadOf([1000, 1010])]]))
    expect(() => read(data.subarray(0, -1))).toThrow(BytesError)
  })
})
