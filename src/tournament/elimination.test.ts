import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { byStrength, pairingsOf, playOut, specOf } from '../../test/kit/tournament.js'
import type { FormatSpec, Pairing, Result } from '../core/index.js'
import { createTournament } from './index.js'

const named = (n: number): string[] => Array.from({ length: n }, (_, i) => `P${String(i).padStart(2, '0')}`)
const cup = (n: number, format: Partial<FormatSpec> = {}) =>
  createTournament(specOf(named(n), { format: { kind: 'elimination', ...format } }))
const pairs = (pairings: readonly Pairing[]): string[] =>
  pairings.map(({ seats }) => [...seats].sort((a, b) => a - b).join())
const draw = { place: [1, 1], reason: 'test' }

describe('single elimination', () => {
  it('takes no more further matches than a schedule can hold', () => {
    expect(cup(4, { playoff: 1000 })).toBeDefined()
    expect(() => cup(4, { playoff: 1e9 })).toThrow('playoff: 1000000000 is not a whole number from 0 to 1000')
    expect(() => cup(4, { playoff: -1 })).toThrow('playoff: -1 is not a whole number from 0')
  })

  it('seeds so that the best meet late, and gives the best a bye', () => {
    expect(pairs(pairingsOf(cup(8)))).toEqual(['0,7', '3,4', '2,5', '1,6'])
    expect(pairs(pairingsOf(cup(6)))).toEqual(['3,4', '2,5'])
    const results = playOut(
      cup(6),
      byStrength((e) => -e),
    )
    expect([...results.values()].map(({ key }) => key)).toEqual([
      '1/P03-P04/1',
      '1/P02-P05/1',
      '2/P00-P03/1',
      '2/P01-P02/1',
      '3/P00-P01/1',
    ])
  })

  it('lets the strongest win, takes n − 1 pairings, and ranks by how far one came', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 2, max: 20 }),
        fc.constantFrom(1, 3, 5),
        fc.constantFrom('order', 'lot'),
        (n, best, seeding) => {
          const tournament = cup(n, { repetitions: best, swap: true, seeding })
          const results = playOut(
            tournament,
            byStrength((e) => e),
          )
          // The strongest wins a best of 5 in 3.
          expect(results.size).toBe((n - 1) * Math.ceil(best / 2))
          expect(tournament.total(results)).toBe(results.size)
          const { rows } = tournament.standings(results)
          expect(rows[0]?.entrant).toBe(n - 1)
          expect(rows.filter(({ rank }) => rank === 1).length).toBe(1)
          expect(rows[1]?.rank).toBe(2)
        },
      ),
      { numRuns: 40 },
    )
  })

  it('ends a best-of when it is decided: after two, or after a third', () => {
    const tournament = cup(2, { repetitions: 3, swap: true })
    const results = new Map<string, Result>()
    const play = (winner: number): void => {
      const due = pairingsOf(tournament, results).find(({ key }) => !results.has(key))
      if (!due) throw new Error('nothing is due')
      results.set(due.key, { key: due.key, seats: due.seats, outcome: byStrength((e) => (e === winner ? 1 : 0))(due) })
    }
    expect(pairingsOf(tournament).length).toBe(2)
    play(1)
    play(0)
    const [third, ...others] = pairingsOf(tournament, results)
    expect(others).toEqual([])
    expect(third?.key).toBe('1/P00-P01/3')
    play(1)
    expect(tournament.next(results)).toBeUndefined()
    expect(tournament.standings(results).rows.map(({ name, points }) => [name, points])).toEqual([
      ['P01', 2],
      ['P00', 1],
    ])
  })

  it('plays on where it is level, then sends on the better seed and says so', () => {
    const tournament = cup(2, { repetitions: 2, playoff: 2, swap: true })
    const results = playOut(tournament, () => draw)
    expect(results.size).toBe(4)
    const { rows, notes } = tournament.standings(results)
    expect(rows[0]?.name).toBe('P00')
    expect(notes).toEqual(['P00 and P01 were level: P00 went on as the better seed'])
  })

  it('draws seeds by lot: others for another seed', () => {
    const first = (seed: string): string =>
      pairs(
        pairingsOf(createTournament(specOf(named(8), { seed, format: { kind: 'elimination', seeding: 'lot' } }))),
      ).join(' ')
    expect(first('a')).toBe(first('a'))
    expect(new Set(['a', 'b', 'c', 'd'].map(first)).size).toBeGreaterThan(1)
  })
})
