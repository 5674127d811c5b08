import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { byStrength, playOut, specOf } from '../../test/kit/tournament.js'
import type { FormatSpec, Outcome, Pairing } from '../core/index.js'
import { stream } from '../stats/stream.js'
import { createTournament, FormatError } from './index.js'
import { pairUp, type SwissEntrant } from './swiss-pairing.js'

const named = (n: number): string[] => Array.from({ length: n }, (_, i) => `P${String(i).padStart(2, '0')}`)
const swiss = (n: number, format: Partial<FormatSpec> = {}, seed = 'seed') =>
  specOf(named(n), { seed, format: { kind: 'swiss', swap: true, ...format } })
const roundOf = (pairing: { key: string }): number => Number(pairing.key.split('/')[0])
const pairName = ({ seats }: { seats: readonly number[] }): string => [...seats].sort((a, b) => a - b).join()
/** Win, draw or loss by a hash: none is stronger. */
const chance =
  (salt: string) =>
  ({ key, seats }: Pairing): Outcome => {
    const hash = [...(key + salt)].reduce((sum, c) => (sum * 31 + c.charCodeAt(0)) % 9973, 7) % 3
    return { place: seats.map((_, seat) => (hash === 2 ? 1 : seat === hash ? 1 : 2)), reason: 'chance' }
  }
/** By entrant: the rounds in which it had no opponent. */
const byesOf = (n: number, rounds: number, played: Iterable<{ key: string; seats: readonly number[] }>): number[] => {
  const met = [...played]
  return Array.from(
    { length: n },
    (_, e) =>
      Array.from({ length: rounds }, (_r, r) => r + 1).filter(
        (round) => !met.some((result) => roundOf(result) === round && result.seats.includes(e)),
      ).length,
  )
}

describe('Swiss', () => {
  const sizes = fc.integer({ min: 2, max: 17 })

  it('pairs all in every round, no pair twice while that can be avoided, with no second bye, seats in turn', () => {
    fc.assert(
      fc.property(sizes, fc.string({ maxLength: 3 }), fc.nat(20), (n, salt, more) => {
        const least = Math.ceil(Math.log2(n))
        const rounds = Math.min(least + (more % 2), n % 2 === 0 ? n - 1 : n)
        const results = [...playOut(createTournament(swiss(n, { rounds })), chance(salt)).values()]
        expect(results.length).toBe(rounds * Math.floor(n / 2))
        const byes = byesOf(n, rounds, results)
        expect(Math.max(...byes)).toBeLessThanOrEqual(1)
        expect(byes.reduce((a, b) => a + b, 0)).toBe(n % 2 === 0 ? 0 : rounds)
        // An entrant that has met less than half of the field can always meet a new one (Dirac).
        const pairs = results.map(pairName)
        if (n >= 2 * rounds) expect(new Set(pairs).size).toBe(pairs.length)
        for (let e = 0; e < n; e++) {
          const first = results.filter(({ seats }) => seats[0] === e).length
          const second = results.filter(({ seats }) => seats[1] === e).length
          if (n >= 2 * rounds) expect(Math.abs(first - second)).toBeLessThanOrEqual(2)
        }
      }),
      { numRuns: 60 },
    )
  })

  it('gives nobody a second bye before everyone has had one, and in more rounds than entrants gives them all the same', () => {
    const byes = (n: number, rounds: number): number[] =>
      byesOf(n, rounds, playOut(createTournament(swiss(n, { rounds })), chance('')).values()).sort((a, b) => a - b)
    expect(byes(5, 5)).toEqual([1, 1, 1, 1, 1])
    expect(byes(5, 7)).toEqual([1, 1, 1, 2, 2])
    expect(byes(3, 7)).toEqual([2, 2, 3])
  })

  it('keeps its rules in their order: no other pairing of the same players is better by the first that differs', () => {
    const player = fc.record({
      points: fc.nat(3),
      met: fc.uniqueArray(fc.nat(6), { maxLength: 3 }),
      byes: fc.nat(1),
      first: fc.integer({ min: -1, max: 1 }),
    })
    fc.assert(
      fc.property(fc.array(player, { minLength: 2, maxLength: 7 }), (list) => {
        const players = list.map((one, entrant) => ({ ...one, entrant, seed: entrant }))
        // Meetings are mutual.
        const met = (a: number, b: number): number =>
          Number(list[a]?.met.includes(b) ?? false) + Number(list[b]?.met.includes(a) ?? false)
        const mutual = players.map((one) => ({
          ...one,
          met: players.flatMap(({ entrant }) =>
            Array.from({ length: entrant === one.entrant ? 0 : met(one.entrant, entrant) }, () => entrant),
          ),
        }))
        const levels = [...new Set(list.map(({ points }) => points))].sort((a, b) => b - a)
        const of = (pairs: readonly (readonly number[])[]): readonly number[] => {
          const sums = [0, 0, 0, 0]
          for (const [a = 0, b] of pairs) {
            const [x, y] = [list[a], b === undefined ? undefined : list[b]]
            const level = (one: typeof x): number => levels.indexOf(one?.points ?? 0)
            const line =
              b === undefined || !y
                ? [x?.byes ?? 0, 0, 0, (levels.length - 1 - level(x)) ** 2]
                : [0, met(a, b), Number((x?.first ?? 0) * y.first > 0), (level(x) - level(y)) ** 2]
            line.forEach((value, i) => (sums[i] = (sums[i] ?? 0) + value))
          }
          return sums
        }
        const ways = function* (left: readonly number[], free: boolean): Generator<readonly (readonly number[])[]> {
          const [a, ...others] = left
          if (a === undefined) {
            yield []
            return
          }
          for (const b of others)
            for (const rest of ways(
              others.filter((e) => e !== b),
              free,
            ))
              yield [[a, b], ...rest]
          if (free) for (const rest of ways(others, false)) yield [[a], ...rest]
        }
        const compare = (a: readonly number[], b: readonly number[]): number =>
          a.map((value, i) => value - (b[i] ?? 0)).find((lead) => lead !== 0) ?? 0
        const everyone = players.map(({ entrant }) => entrant)
        const least = [...ways(everyone, everyone.length % 2 === 1)].map(of).sort(compare)[0]
        const { pairs, bye } = pairUp(mutual, true)
        expect(of([...pairs, ...(bye === undefined ? [] : [[bye]])])).toEqual(least)
      }),
      { numRuns: 150 },
    )
  })

  it('pairs a large field: no pair twice, a bye for one more in each round, seats in turn, equals with equals', () => {
    const luck = stream('large')
    let players = named(301).map((_, entrant): SwissEntrant => ({
      entrant,
      seed: entrant,
      points: 0,
      met: [],
      byes: 0,
      first: 0,
    }))
    for (let round = 1; round <= 6; round++) {
      const { pairs, bye } = pairUp(players, true)
      expect(new Set(pairs.flat()).size).toBe(300)
      const next = [...players]
      const of = (entrant = -1): SwissEntrant => {
        const found = players[entrant]
        if (!found) throw new Error(`no entrant ${entrant}`)
        return found
      }
      let apart = 0
      for (const [a, b] of pairs) {
        expect(of(a).met).not.toContain(b)
        expect(of(a).first * of(b).first).toBeLessThanOrEqual(0)
        apart += Math.abs(of(a).points - of(b).points)
        const won = luck.below(3) / 2
        const seat = Math.sign(of(b).first - of(a).first) || (luck.below(2) === 0 ? 1 : -1)
        next[a] = { ...of(a), points: of(a).points + won, met: [...of(a).met, b], first: of(a).first + seat }
        next[b] = { ...of(b), points: of(b).points + 1 - won, met: [...of(b).met, a], first: of(b).first - seat }
      }
      expect(of(bye).byes).toBe(0)
      next[bye ?? -1] = { ...of(bye), points: of(bye).points + 1, byes: 1 }
      expect(apart / 150).toBeLessThan(0.15)
      players = next
    }
  })

  it('lets those meet anyone in a large field to whom no opponent is left by the rules', () => {
    // All sat first more often, and the last four have met all others.
    const players = named(300).map((_, entrant): SwissEntrant => ({
      entrant,
      seed: entrant,
      points: entrant < 296 ? 1 : 0,
      met: named(300).flatMap((_name, other) => (entrant < 296 === other < 296 ? [] : [other])),
      byes: 0,
      first: entrant < 296 ? 1 : 0,
    }))
    const { pairs } = pairUp(players, true)
    expect(new Set(pairs.flat()).size).toBe(300)
    expect(pairs.every(([a, b]) => !players[a]?.met.includes(b))).toBe(true)
  })

  it('is a round robin when it has as many rounds', () => {
    // With four or six, whatever two rounds are played, the rest can be completed without a rematch.
    for (const salt of ['a', 'b', 'c', 'd', 'e']) {
      const results = [...playOut(createTournament(swiss(4, { rounds: 3 })), chance(salt)).values()]
      expect(new Set(results.map(pairName)).size).toBe(6)
    }
  })

  it('balances seats in each pairing of two matches, on one deal of luck', () => {
    const results = playOut(createTournament(swiss(6, { rounds: 3, repetitions: 2 })), chance(''))
    const seats = [...results.values()].map((result) => result.seats[0])
    for (let e = 0; e < 6; e++) expect(seats.filter((seat) => seat === e).length).toBe(3)
  })

  it('pairs the upper half with the lower, then equals with equals', () => {
    const tournament = createTournament(swiss(8, { swap: false }))
    const results = playOut(
      tournament,
      byStrength((e) => -e),
    )
    const pairs = (round: number): string[] =>
      [...results.values()]
        .filter((result) => roundOf(result) === round)
        .map(pairName)
        .sort()
    expect(pairs(1)).toEqual(['0,4', '1,5', '2,6', '3,7'])
    // The winners 0 1 2 3 and the losers 4 5 6 7.
    expect(pairs(2)).toEqual(['0,2', '1,3', '4,6', '5,7'])
    expect(pairs(3)).toEqual(['0,1', '2,4', '3,5', '6,7'].sort())
    const { columns, rows } = tournament.standings(results)
    expect(columns).toEqual(['Buchholz', 'S–B', 'Direct'])
    expect(rows[0]).toMatchObject({ name: 'P00', points: 3, rank: 1 })
  })

  it('finds the best of the strongest whichever has the bye, which counts as a win', () => {
    const tournament = createTournament(swiss(5, { rounds: 3 }))
    const results = playOut(
      tournament,
      byStrength((e) => -e),
    )
    const { rows } = tournament.standings(results)
    expect(rows[0]?.name).toBe('P00')
    const total = rows.reduce((sum, row) => sum + row.points, 0)
    // Two matches and a bye a round.
    expect(total).toBe(9)
  })

  it('counts Buchholz, Sonneborn–Berger and the direct encounter', () => {
    // 0 beats 1, 2 draws with 3; then 0 draws with 2, 3 beats 1.
    const tournament = createTournament(swiss(4, { rounds: 2, swap: false }))
    const outcome = ({ seats }: Pairing): Outcome => {
      const pair = pairName({ seats })
      const won: Record<string, number> = { '0,2': 0, '1,3': 3, '0,3': -1, '0,1': 0, '2,3': 3, '1,2': -1 }
      const winner = won[pair] ?? -1
      return { place: seats.map((e) => (winner === -1 || e === winner ? 1 : 2)), reason: 'test' }
    }
    const results = playOut(tournament, outcome)
    const rows = tournament.standings(results).rows
    // Round 1: 0–2 and 1–3, won by 0 and 3. Round 2: 0–3 is drawn, 1–2 is drawn.
    expect([...results.values()].map(pairName).sort()).toEqual(['0,2', '0,3', '1,2', '1,3'])
    // 0 has 1½ and met 2 (½) and 3 (1½): Buchholz 2, of which ½ won and ¾ drawn; 3 has the same; they drew.
    expect(rows.map(({ name, rank, points, cells }) => [name, rank, points, ...cells])).toEqual([
      ['P00', 1, 1.5, 2, 1.25, 0.5],
      ['P03', 1, 1.5, 2, 1.25, 0.5],
      ['P01', 3, 0.5, 2, 0.25, 0.5],
      ['P02', 3, 0.5, 2, 0.25, 0.5],
    ])
  })

  it('takes a bye for a match won of an opponent with as many points as oneself', () => {
    // The stronger wins: 0 beats 1, then 2, and 2 (a bye first) loses to 0; 1 has the second bye.
    const tournament = createTournament(swiss(3, { rounds: 2, swap: false }))
    const results = playOut(
      tournament,
      byStrength((e) => -e),
    )
    expect([...results.values()].map(pairName)).toEqual(['0,1', '0,2'])
    const rows = tournament.standings(results).rows.map(({ name, points, cells }) => [name, points, ...cells])
    // 0 beat two of 1 point each. 1 lost to 0 and has a dummy of its own one point; so has 2.
    expect(rows).toEqual([
      ['P00', 2, 2, 2, null],
      ['P01', 1, 3, 1, 0],
      ['P02', 1, 3, 1, 0],
    ])
  })

  it('refuses no rounds, and fields in which some may not meet', () => {
    expect(() => createTournament(swiss(4, { rounds: 0 }))).toThrow('rounds: 0')
    const spec = { ...swiss(4), wanted: (pair: readonly number[]) => pair.includes(0) }
    expect(() => createTournament(spec)).toThrow(FormatError)
    expect(() => createTournament(specOf(named(3), { format: { rounds: 2 } }))).toThrow(
      '"rounds" is for swiss, not for round-robin',
    )
  })
})
