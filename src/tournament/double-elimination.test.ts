import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { byStrength, pairingsOf, playOut, specOf } from '../../test/kit/tournament.js'
import type { FormatSpec, Pairing, Result } from '../core/index.js'
import { createTournament } from './index.js'

const named = (n: number): string[] => Array.from({ length: n }, (_, i) => `P${i}`)
const cup = (n: number, format: Partial<FormatSpec> = {}) =>
  createTournament(specOf(named(n), { format: { kind: 'double-elimination', ...format } }))
/** The better seed wins. */
const bySeeds = byStrength((entrant) => -entrant)
/** 'round/two entrants' of each pairing, in the order of the schedule. */
const pairsOf = (results: ReadonlyMap<string, Result>): string[] =>
  [...results.values()].map(({ key, seats }) => `${key.split('/')[0]}/${[...seats].sort((a, b) => a - b).join('')}`)
const ranksOf = (n: number, judge: (pairing: Pairing) => Result['outcome']) => {
  const tournament = cup(n)
  return tournament.standings(playOut(tournament, judge)).rows.map(({ rank, entrant }) => [rank, entrant])
}

describe('double elimination', () => {
  it('plays the bracket of eight: two rounds of losers for each of winners', () => {
    const results = playOut(cup(8), bySeeds)
    const rounds = [
      '1/07 1/34 1/25 1/16',
      // The winners play on, and so do those who lost.
      '2/03 2/12 2/47 2/56',
      // 2 and 3 come down, each to the other half.
      '3/24 3/35',
      '4/01 4/23',
      '5/12',
      '6/01',
    ]
    expect(pairsOf(results).join(' ')).toBe(rounds.join(' '))
    expect(ranksOf(8, bySeeds)).toEqual([
      ...[0, 1, 2, 3].map((entrant) => [entrant + 1, entrant]),
      ...[4, 5].map((entrant) => [5, entrant]),
      ...[6, 7].map((entrant) => [7, entrant]),
    ])
  })

  it('plays the bracket of five: the best three seeds have a bye, and so has the fourth once it has lost', () => {
    expect(pairsOf(playOut(cup(5), bySeeds))).toEqual(['1/34', '2/03', '2/12', '3/24', '4/01', '4/23', '5/12', '6/01'])
    expect(ranksOf(5, bySeeds)).toEqual([0, 1, 2, 3, 4].map((entrant) => [entrant + 1, entrant]))
  })

  it('has the one of the losers’ bracket win the final twice', () => {
    // 1 loses to 0 at first, and then wins for good.
    const judge = (first: string) => (pairing: Pairing) => byStrength((e) => (pairing.key < first ? -e : e))(pairing)
    const once = playOut(cup(2), judge('2'))
    expect([...once.keys()]).toEqual(['1/P0-P1/1', '2/P0-P1/1', '3/P0-P1/1'])
    const { rows } = cup(2).standings(once)
    expect(rows.map(({ rank, name, points, cells }) => [rank, name, points, ...cells])).toEqual([
      [1, 'P1', 2, 0, 1, 1],
      [2, 'P0', 1, 1, 0, 0],
    ])
    const twice = playOut(cup(2), judge('3'))
    expect([...twice.keys()]).toEqual(['1/P0-P1/1', '2/P0-P1/1'])
    expect(
      cup(2)
        .standings(twice)
        .rows.map(({ name }) => name),
    ).toEqual(['P0', 'P1'])
  })

  it('gives two that meet again other luck', () => {
    const tournament = cup(2, { repetitions: 3, playoff: 1 })
    const deals: number[] = []
    playOut(tournament, (pairing) => {
      deals.push(pairing.deal)
      return byStrength((e) => (pairing.key < '2' ? -e : e))(pairing)
    })
    expect(deals).toEqual([0, 1, 4, 5, 8, 9])
  })

  it('plays on if a pairing is level, then sends on the better seed and says so', () => {
    const tournament = cup(2, { repetitions: 2, playoff: 1, swap: true })
    const results = playOut(tournament, () => ({ place: [1, 1], reason: 'test' }))
    expect(results.size).toBe(2 * 3)
    const { rows, notes } = tournament.standings(results)
    expect(rows[0]?.name).toBe('P0')
    expect(notes).toEqual(Array(2).fill('P0 and P1 were level: P0 went on as the better seed'))
  })

  it('lets everyone but the first lose twice, in 2n − 2 pairings or one more', () => {
    const sizes = fc.integer({ min: 2, max: 20 })
    fc.assert(
      fc.property(sizes, fc.constantFrom('order', 'lot'), fc.string({ maxLength: 4 }), (n, seeding, salt) => {
        const tournament = cup(n, { seeding })
        const lost = new Map<number | undefined, number>()
        const results = playOut(tournament, ({ key, seats }) => {
          const loser = [...(key + salt)].reduce((hash, c) => (hash * 31 + c.charCodeAt(0)) % 9973, 7) % 2
          lost.set(seats[loser], (lost.get(seats[loser]) ?? 0) + 1)
          return { place: seats.map((_, seat) => (seat === loser ? 2 : 1)), reason: 'test' }
        })
        const { rows } = tournament.standings(results)
        expect(rows.slice(1).map(({ entrant }) => lost.get(entrant))).toEqual(Array(n - 1).fill(2))
        const defeats = lost.get(rows[0]?.entrant) ?? 0
        expect(defeats).toBeLessThan(2)
        expect(results.size).toBe(2 * n - 2 + defeats)
        expect(rows.slice(0, 3).map(({ rank }) => rank)).toEqual([1, 2, 3].slice(0, n))
      }),
    )
  })

  it('seeds and gives byes like a single elimination', () => {
    const first = (kind: string) => pairingsOf(cup(6, { kind })).map(({ seats }) => seats)
    expect(first('double-elimination')).toEqual(first('elimination'))
  })
})
