import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { byStrength, playOut, specOf } from '../../test/kit/tournament.js'
import type { FormatSpec, Result } from '../core/index.js'
import { createTournament } from './index.js'

const named = (n: number): string[] => Array.from({ length: n }, (_, i) => `P${String(i).padStart(2, '0')}`)
const hill = (n: number, format: Partial<FormatSpec> = {}) =>
  createTournament(specOf(named(n), { format: { kind: 'hill', repetitions: 2, swap: true, places: 3, ...format } }))
const pairName = ({ seats }: { seats: readonly number[] }): string => [...seats].sort((a, b) => a - b).join()

/** Results that count how often one of them is looked at. */
class Looked extends Map<string, Result> {
  looks = 0

  override get(key: string): Result | undefined {
    this.looks++
    return super.get(key)
  }

  override has(key: string): boolean {
    this.looks++
    return super.has(key)
  }
}

describe('a hill', () => {
  it('keeps the strongest, in whatever order they come', () => {
    fc.assert(
      fc.property(
        fc.shuffledSubarray([0, 1, 2, 3, 4, 5, 6, 7], { minLength: 3 }),
        fc.integer({ min: 1, max: 4 }),
        (order, places) => {
          const tournament = hill(order.length, { places })
          const results = playOut(
            tournament,
            byStrength((e) => order[e] ?? 0),
          )
          const { rows } = tournament.standings(results)
          const best = [...order].sort((a, b) => b - a).slice(0, places)
          expect(rows.slice(0, places).map(({ entrant }) => order[entrant])).toEqual(best)
          expect(rows.map(({ rank }) => rank)).toEqual(order.map((_, i) => i + 1))
          // Any two who met did so as often as promised, in both seats.
          const met = new Map<string, number>()
          for (const result of results.values()) met.set(pairName(result), (met.get(pairName(result)) ?? 0) + 1)
          expect([...met.values()].every((n) => n === 2)).toBe(true)
        },
      ),
      { numRuns: 40 },
    )
  })

  it('lets a challenger replace the last, and the one that stood there longer stay where they are level', () => {
    const level = () => ({ place: [1, 1], reason: 'test' })
    const tournament = hill(5)
    const { rows } = tournament.standings(playOut(tournament, level))
    expect(rows.map(({ name }) => name)).toEqual(['P00', 'P01', 'P02', 'P04', 'P03'])
  })

  it('plays only the matches of a newcomer at the end of the contest', () => {
    const judge = byStrength((e) => (e * 7) % 5)
    const before = playOut(hill(6), judge)
    const after = playOut(hill(7), judge)
    for (const [key, result] of before) expect(after.get(key)).toEqual(result)
    const added = [...after.values()].filter(({ key }) => !before.has(key))
    expect(added.length).toBe(6)
    expect(added.every(({ seats }) => seats.includes(6))).toBe(true)
  })

  it('looks at the matches of a round no more once it is over: twice the field is twice the work', () => {
    const looks = (n: number): number => {
      const tournament = hill(n)
      const results = new Looked()
      for (let round = tournament.next(results); round !== undefined; round = tournament.next(results))
        for (const { key, seats } of round.series.flatMap(({ pairings }) => pairings)) {
          results.set(key, { key, seats, outcome: { place: [1, 1], reason: 'test' } })
          tournament.next(results)
          tournament.standings(results)
          tournament.total(results)
        }
      return results.looks
    }
    expect(looks(48)).toBeLessThan(2.5 * looks(24))
  })

  it('can be of one, and refuses to be of none', () => {
    const tournament = hill(4, { places: 1 })
    const results = playOut(
      tournament,
      byStrength((e) => e),
    )
    expect(results.size).toBe(6)
    expect(tournament.standings(results).rows[0]?.name).toBe('P03')
    expect(() => hill(4, { places: 0 })).toThrow('places: 0')
  })
})
