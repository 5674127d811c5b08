import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { pairingsOf, specOf } from '../../test/kit/tournament.js'
import type { FormatSpec } from '../core/index.js'
import { createTournament } from './index.js'

const named = (n: number): string[] => Array.from({ length: n }, (_, i) => `P${String(i).padStart(2, '0')}`)
const heats = (n: number, size: number, repetitions: number, format: Partial<FormatSpec> = {}) =>
  createTournament(
    specOf(named(n), { seats: { min: 2, max: 6 }, format: { kind: 'heats', size, repetitions, ...format } }),
  )

describe('heats', () => {
  const cases = fc
    .record({ size: fc.integer({ min: 2, max: 5 }), more: fc.nat(8), repetitions: fc.integer({ min: 1, max: 4 }) })
    .map(({ size, more, repetitions }) => ({ n: size + more, size, repetitions }))

  it('seat everyone in every seat as often as was asked', () => {
    fc.assert(
      fc.property(cases, ({ n, size, repetitions }) => {
        const matches = pairingsOf(heats(n, size, repetitions))
        expect(matches.length).toBe(n * repetitions)
        expect(new Set(matches.map(({ key }) => key)).size).toBe(matches.length)
        for (let seat = 0; seat < size; seat++) {
          for (let e = 0; e < n; e++) expect(matches.filter(({ seats }) => seats[seat] === e).length).toBe(repetitions)
        }
        // No entrant twice in a match, and new luck whenever the same meet again.
        expect(matches.every(({ seats }) => new Set(seats).size === size)).toBe(true)
        const deals = matches.map(({ seats, deal }) => `${[...seats].sort((a, b) => a - b).join()}/${deal}`)
        expect(new Set(deals).size).toBe(deals.length)
      }),
      { numRuns: 40 },
    )
  })

  it('are each played in all rotations of their seats with swaps, on one deal', () => {
    const plain = pairingsOf(heats(7, 3, 2))
    const swapped = pairingsOf(heats(7, 3, 2, { swap: true }))
    expect(swapped.length).toBe(3 * plain.length)
    const rotations = ([a = 0, b = 0, c = 0]: readonly number[]) => [
      [a, b, c],
      [b, c, a],
      [c, a, b],
    ]
    expect(swapped.map(({ seats }) => seats)).toEqual(plain.flatMap(({ seats }) => rotations(seats)))
    expect(swapped.map(({ deal }) => deal)).toEqual(plain.flatMap(({ deal }) => [deal, deal, deal]))
    expect(new Set(swapped.map(({ key }) => key)).size).toBe(swapped.length)
  })

  it('let everyone meet everyone about equally often', () => {
    for (const [n, size, repetitions] of [
      [7, 3, 1],
      [13, 4, 1],
      [8, 4, 3],
      [12, 4, 4],
      [10, 5, 2],
      [9, 3, 4],
    ] as const) {
      const met = Array.from({ length: n }, () => Array.from({ length: n }, () => 0))
      for (const { seats } of pairingsOf(heats(n, size, repetitions))) {
        for (const a of seats) for (const b of seats) if (a !== b) met[a]?.splice(b, 1, (met[a]?.[b] ?? 0) + 1)
      }
      const counts = met.flatMap((row, i) => row.filter((_, j) => i !== j))
      const [most, least] = [Math.max(...counts), Math.min(...counts)]
      // 7 in threes and 13 in fours are perfect: a difference set of the plane.
      expect([n, size, most - least <= (repetitions === 1 ? 0 : 2)]).toEqual([n, size, true])
    }
  })

  it('need a size that the game seats, and as many entrants', () => {
    expect(() => heats(5, 7, 1)).toThrow('a heat of 7: the game seats 2 to 6')
    expect(() => heats(3, 4, 1)).toThrow('a heat of 4 needs at least 4 entrants, and there are 3')
    expect(() => createTournament(specOf(named(3), { format: { size: 2 } }))).toThrow(
      '"size" is for groups, heats and ladder',
    )
  })
})
