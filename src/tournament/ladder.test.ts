import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { pairingsOf, playOut, specOf } from '../../test/kit/tournament.js'
import { below, type FormatSpec, type Pairing, type TournamentSpec } from '../core/index.js'
import { createTournament } from './index.js'
import { standingsCsv, standingsText } from '../text/index.js'

const named = (n: number): string[] => Array.from({ length: n }, (_, i) => `P${String(i).padStart(2, '0')}`)
const ladderOf = (n: number, format: Partial<FormatSpec> = {}, more: Partial<TournamentSpec> = {}) =>
  createTournament(
    specOf(named(n), { ...more, format: { kind: 'ladder', repetitions: 8, swap: true, placing: 60, ...format } }),
  )
/** The higher number wins, the more often the further apart they are; the same match always ends the same. */
const judge = ({ key, seats: [a = 0, b = 0] }: Pairing) => {
  const p = 1 / (1 + 10 ** (-(a - b) / 2))
  const first = below(1000, `end ${key}`) < 1000 * p
  return { place: first ? [1, 2] : [2, 1], reason: 'test' }
}
const countOf = (results: ReadonlyMap<string, { seats: readonly number[] }>, entrant: number): number =>
  [...results.values()].filter(({ seats }) => seats.includes(entrant)).length

describe('a ladder', () => {
  it('puts the strong above the weak, with fewer matches than everyone against everyone', () => {
    const tournament = ladderOf(12)
    const results = playOut(tournament, judge)
    const order = tournament.standings(results).rows.map(({ entrant }) => entrant)
    expect(order.slice(0, 3).every((entrant) => entrant >= 8)).toBe(true)
    expect(order.slice(-3).every((entrant) => entrant <= 3)).toBe(true)
    expect(results.size).toBeLessThan(((12 * 11) / 2) * 16)
  })

  it('has everyone whose place is open play in each round, and no entrant twice as the challenger', () => {
    const tournament = ladderOf(9)
    const seen = pairingsOf(tournament).flatMap(({ seats }) => seats)
    expect(new Set(seen).size).toBe(9)
  })

  it('passes over who is away, until it is back', () => {
    const away = new Set([3])
    const tournament = ladderOf(5, {}, { away: (entrant) => away.has(entrant) })
    const results = playOut(tournament, judge)
    expect([0, 1, 2, 4].every((entrant) => countOf(results, entrant) > 0)).toBe(true)
    expect(countOf(results, 3)).toBe(0)
    expect(tournament.standings(results).rows).toHaveLength(5)
    away.clear()
    expect(pairingsOf(tournament, results).some(({ seats }) => seats.includes(3))).toBe(true)
  })

  it('plays a newcomer until its place is settled, and an old entrant no more than it needs', () => {
    const before = playOut(ladderOf(10), judge)
    const met = new Map<string, number>()
    for (const { seats } of before.values()) {
      const pair = JSON.stringify([...seats].sort((a, b) => a - b))
      met.set(pair, (met.get(pair) ?? 0) + 1)
    }
    const history = [...met].map(([pair, n]) => [...(JSON.parse(pair) as [number, number]), n / 2] as const)
    const after = playOut(ladderOf(11, {}, { history }), judge)
    for (const [key, result] of before) expect(after.get(key)).toEqual(result)
    const added = [...after.values()].filter(({ key }) => !before.has(key))
    expect(added.length).toBeGreaterThan(0)
    expect(countOf(after, 10)).toBeLessThanOrEqual(61)
    // The entrants that had played enough play on against the newcomer alone, and each of them a share of it.
    for (let entrant = 0; entrant < 10; entrant++)
      if (countOf(before, entrant) >= 60) {
        const own = added.filter(({ seats }) => seats.includes(entrant))
        expect(own.length).toBeLessThanOrEqual(16 * 3)
      }
    expect(added.some(({ seats }) => seats.includes(10))).toBe(true)
  })

  it('of four settles the order of a field in matches of four, in all rotations, within its bounds', () => {
    const seats = { min: 4, max: 4 }
    const tournament = ladderOf(7, { size: 4, repetitions: 40, placing: 60 }, { seats })
    // Luck may outweigh one step of strength: the same deal always adds the same.
    const results = playOut(tournament, ({ seats: who, key }) => {
      const luck = who.map((entrant) => 4 * entrant + below(6, `luck ${key.replace(/\/\d+$/, '')} ${entrant}`))
      return { place: luck.map((own) => 1 + luck.filter((other) => other > own).length), reason: 'test' }
    })
    expect(tournament.standings(results).rows.map(({ entrant }) => entrant)).toEqual([6, 5, 4, 3, 2, 1, 0])
    expect([...results.values()].every(({ seats: who }) => new Set(who).size === 4)).toBe(true)
    for (let entrant = 0; entrant < 7; entrant++) {
      const sat = [0, 1, 2, 3].map(
        (seat) => [...results.values()].filter(({ seats: who }) => who[seat] === entrant).length,
      )
      expect(new Set(sat).size).toBe(1)
    }
    expect(results.size).toBeLessThan(400)
    expect(() => ladderOf(7, { size: 3 }, { seats })).toThrow('a ladder of 3: the game seats exactly 4')
    expect(() => ladderOf(3, { size: 4 }, { seats })).toThrow(
      'a ladder of 4 needs at least 4 entrants, and there are 3',
    )
  })

  it('lets two meet so often at most, each time in both orders of seats with one deal', () => {
    fc.assert(
      fc.property(fc.integer({ min: 2, max: 7 }), fc.integer({ min: 1, max: 3 }), (n, repetitions) => {
        const pairings = new Map<string, Pairing[]>()
        playOut(ladderOf(n, { repetitions }), (pairing) => {
          const pair = [...pairing.seats].sort((a, b) => a - b).join()
          pairings.set(pair, [...(pairings.get(pair) ?? []), pairing])
          return judge(pairing)
        })
        for (const own of pairings.values()) {
          expect(own.length).toBeLessThanOrEqual(2 * repetitions)
          for (let i = 0; i < own.length; i += 2) {
            expect(own[i]?.deal).toBe(own[i + 1]?.deal)
            expect(own[i]?.seats).toEqual([...(own[i + 1]?.seats ?? [])].reverse())
          }
        }
      }),
      { numRuns: 20 },
    )
  })

  it('says of who has lost or won every match what is known: one end of the interval, and no ±', () => {
    const tournament = ladderOf(5, { placing: 8 })
    const results = playOut(tournament, ({ seats: [a = 0, b = 0] }) => {
      // The last wins all, the first none, and of the others the one in the first seat: each once of each.
      const first = a === 4 || b === 0 || (b !== 4 && a !== 0)
      return { place: first ? [1, 2] : [2, 1], reason: 'test' }
    })
    const standings = tournament.standings(results)
    const [best, ...others] = standings.rows
    const worst = others.pop()
    expect([best?.entrant, best?.cells[0]]).toEqual([4, null])
    expect([worst?.entrant, worst?.cells[0]]).toEqual([0, null])
    const above = best?.bound && 'above' in best.bound ? best.bound.above : Number.NaN
    const under = worst?.bound && 'below' in worst.bound ? worst.bound.below : Number.NaN
    expect(under).toBeLessThan(above)
    for (const { cells, bound } of others) expect([typeof cells[0], bound]).toEqual(['number', undefined])
    const lines = standingsText(standings).split('\n')
    expect(lines[2]).toContain(` above ${above} `)
    expect(lines[6]).toContain(` below ${under} `)
    expect(standingsText(standings) + standingsCsv(standings)).not.toMatch(/Infinity|NaN|undefined/)
  })

  it('refuses scores, and figures that are none', () => {
    expect(() => ladderOf(3, { placing: 0 })).toThrow('placing: 0')
    expect(() => ladderOf(3, { hourly: 0.5 })).toThrow('hourly: 0.5')
    expect(() => createTournament(specOf(named(3), { format: { kind: 'ladder' }, scoring: { by: 'score' } }))).toThrow(
      'wins and draws',
    )
    expect(() => createTournament(specOf(named(3), { format: { kind: 'hill', hourly: 5 } }))).toThrow('for ladder')
  })
})
