import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { Spread } from '../core/spread.js'
import { BytesError } from './bytes.js'
import { type SegmentEntry, eachEntry, keyOf, readTimes, SegmentWriter, timesData } from './segment.js'

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

  it('are refused where they end too early', () => {
    const data = timesData(new Map([[0, spreadOf([1000, 1010])]]))
    expect(() => read(data.subarray(0, -1))).toThrow(BytesError)
  })
})

describe('the matches of a segment, as bytes', () => {
  const word = fc.oneof(fc.constantFrom('1', 'Ant', 'Bee', ''), fc.string({ maxLength: 4 }))
  const key = fc.oneof(
    fc.tuple(word, word, fc.nat()).map(([a, b, n]) => `1/${a}-${b}/${n}`),
    fc.array(fc.constantFrom('/', '-', 'Ant', '7', '007'), { maxLength: 6 }).map((parts) => parts.join('')),
  )
  const entry: fc.Arbitrary<SegmentEntry> = fc.record({
    match: fc.integer({ min: 1, max: 2 ** 40 }),
    key,
    seats: fc.array(fc.nat({ max: 300 }), { minLength: 1, maxLength: 4 }),
    outcome: fc.constantFrom('{"place":[1,2]}', '{"place":[2,1]}'),
    playoff: fc.boolean(),
    facts: fc.record({
      turns: fc.nat({ max: 10_000 }),
      course: fc.nat({ max: 2 ** 50 }),
      luck: fc.nat({ max: 2 ** 50 }),
    }),
  })
  const readAll = (data: Uint8Array): SegmentEntry[] => {
    const entries: SegmentEntry[] = []
    eachEntry(data, (parts) => {
      const { match, seats, outcome, playoff, turns, course, luck } = parts
      entries.push({ match, key: keyOf(parts), seats, outcome, playoff, facts: { turns, course, luck } })
    })
    return entries
  }

  it('are read as they were written, and continued where they were left', () => {
    fc.assert(
      fc.property(fc.array(entry, { maxLength: 12 }), fc.nat({ max: 12 }), (entries, left) => {
        const writer = new SegmentWriter()
        for (const one of entries) writer.add(one)
        expect(readAll(writer.data())).toEqual(entries)
        const begun = new SegmentWriter()
        for (const one of entries.slice(0, left)) begun.add(one)
        const data = begun.data()
        const continued = SegmentWriter.from(data)
        for (const one of entries.slice(left)) continued.add(one)
        expect([continued.games, continued.data()]).toEqual([entries.length, writer.data()])
      }),
    )
  })

  it('have each name once', () => {
    const writer = new SegmentWriter()
    const pairs = ['Antelope-Bee', 'Bee-Antelope', 'Antelope-Cow']
    const facts = { turns: 3, course: 1, luck: 1 }
    for (const [n, pair] of pairs.entries())
      writer.add({ match: n + 1, key: `1/${pair}/7`, seats: [0, 1], outcome: '{}', playoff: false, facts })
    expect(
      writer
        .data()
        .toString('latin1')
        .match(/Antelope|Bee|Cow/g),
    ).toEqual(['Antelope', 'Bee', 'Cow'])
  })

  it('are refused where a word is not there', () => {
    // The form; match 1; a new group; of a word that would be the second.
    expect(() => readAll(Uint8Array.from([0, 2, 0, 6]))).toThrow(BytesError)
  })

  it('are refused where they are of another form', () => {
    expect(() => readAll(Uint8Array.from([1]))).toThrow(BytesError)
    expect(() => read(Uint8Array.from([1]))).toThrow(BytesError)
  })
})
