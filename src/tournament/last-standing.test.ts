import { describe, expect, it } from 'vitest'
import fc from 'fast-check'
import { byStrength, pairingsOf, playOut, specOf } from '../../test/kit/tournament.js'
import type { Pairing, Result, Tournament, TournamentSpec } from '../core/index.js'
import { eliminate } from './last-standing.js'
import { createTournament } from './index.js'

const format = { kind: 'last-standing', repetitions: 2, swap: true } as const

describe('eliminate', () => {
  const of = (...rows: readonly (readonly [points: number, total: number])[]): readonly number[] =>
    eliminate(rows.map(([points, total], entrant) => ({ entrant, points, total })))

  it('takes the minimum of the round, whatever the total', () => expect(of([3, 3], [2, 99], [4, 4])).toEqual([1]))
  it('breaks a tie at the bottom by the least total', () => expect(of([2, 10], [2, 9], [4, 4])).toEqual([1]))
  it('takes all that are still tied', () => expect(of([2, 9], [2, 9], [4, 4])).toEqual([0, 1]))
  it('parts equals by their totals even if all are level in the round', () =>
    expect(of([2, 9], [2, 8], [2, 9])).toEqual([1]))
  it('names everyone where none is worse', () => expect(of([2, 9], [2, 9])).toEqual([0, 1]))
})

describe('last-standing', () => {
  const names = ['Ant', 'Bee', 'Cat', 'Dog']

  it('drops the weakest each round; points do not carry over, and those out have no more of them', () => {
    const tournament = createTournament(specOf(names, { format, scoring: { draw: 0 } }))
    expect(tournament.total(new Map())).toBe(12 + 6 + 2)
    const results = playOut(
      tournament,
      byStrength((entrant) => [3, 1, 4, 2][entrant] ?? 0),
    )
    const { columns, rows, notes } = tournament.standings(results)
    expect(columns).toEqual(['1', '2', '3'])
    expect(rows.map(({ rank, name, points, cells }) => [rank, name, points, ...cells])).toEqual([
      [1, 'Cat', 12, 6, 4, 2],
      [2, 'Ant', 6, 4, 2, 0],
      [3, 'Dog', 2, 2, 0, null],
      [4, 'Bee', 0, 0, null, null],
    ])
    expect(notes).toEqual([])
    expect(results.size).toBe(20)
  })

  it('knows of results that grow at every moment what it would know of them if it had never seen them before', () => {
    const spec = specOf(['Ant', 'Bee', 'Cat', 'Dog', 'Eel'], { format, scoring: { draw: 0 } })
    const [tournament, other] = [createTournament(spec), createTournament(spec)]
    const growing = new Map<string, Result>()
    const known = (one: Tournament, results: ReadonlyMap<string, Result>) => ({
      next: one.next(results)?.label,
      table: one.standings(results),
      total: one.total(results),
    })
    let looks = 0
    const results = playOut(tournament, (pairing) => {
      const seen = known(other, growing)
      expect(seen).toEqual(known(createTournament(spec), new Map(growing)))
      looks++
      const outcome = byStrength((entrant) => [3, 1, 4, 2, 5][entrant] ?? 0)(pairing)
      growing.set(pairing.key, { key: pairing.key, seats: pairing.seats, outcome })
      return outcome
    })
    expect(looks).toBe(results.size)
    expect(known(other, growing)).toEqual(known(tournament, results))
  })

  it('ranks by survival, not by points', () => {
    // Ant gathers most in round 1, and nothing afterwards.
    const tournament = createTournament(specOf(['Ant', 'Bee', 'Cat'], { format: { ...format, repetitions: 10 } }))
    const results = playOut(tournament, (pairing) =>
      byStrength((entrant) => (pairing.key.startsWith('1') ? [9, 1, 2] : [0, 1, 2])[entrant] ?? 0)({
        ...pairing,
      }),
    )
    const { rows } = tournament.standings(results)
    expect(rows.map(({ name, points }) => [name, points])).toEqual([
      ['Cat', 20],
      ['Ant', 20],
      ['Bee', 0],
    ])
    expect(rows.map(({ rank }) => rank)).toEqual([1, 2, 3])
  })

  it('lets entrants that are level to the last win jointly', () => {
    const tournament = createTournament(specOf(names, { format, scoring: { draw: 0 } }))
    const results = playOut(
      tournament,
      byStrength(() => 1),
    )
    expect(results.size).toBe(12)
    expect(tournament.standings(results)).toMatchObject({
      rows: names.map((name) => ({ rank: 1, name, points: 0 })),
      notes: ['joint winners: Ant, Bee, Cat and Dog'],
    })
  })

  it('lets several leave at once, who share a rank, and then counts fewer matches', () => {
    const tournament = createTournament(specOf(names, { format, scoring: { draw: 0 } }))
    const judge = byStrength((entrant) => [1, 2, 1, 3][entrant] ?? 0)
    const first = playOut(tournament, judge, 1)
    expect(tournament.total(first)).toBe(12 + 2)
    const results = playOut(tournament, judge)
    expect(tournament.standings(results).rows.map(({ rank, name }) => [rank, name])).toEqual([
      [1, 'Dog'],
      [2, 'Bee'],
      [3, 'Ant'],
      [3, 'Cat'],
    ])
  })

  it('ranks those still in by their total, above the ones that left', () => {
    const tournament = createTournament(specOf(names, { format, scoring: { draw: 0 } }))
    const results = playOut(
      tournament,
      byStrength((entrant) => entrant),
      1,
    )
    const { rows, columns } = tournament.standings(results)
    expect(columns).toEqual(['1'])
    expect(rows.map(({ rank, name }) => [rank, name])).toEqual([
      [1, 'Dog'],
      [2, 'Cat'],
      [3, 'Bee'],
      [4, 'Ant'],
    ])
  })

  it('never deals a pair the same luck twice, but for the two orders', () => {
    const tournament = createTournament(specOf(names, { format: { ...format, repetitions: 3 } }))
    const deals = new Map<string, Pairing[]>()
    playOut(tournament, (pairing) => {
      const key = `${[...pairing.seats].sort((a, b) => a - b).join()}: ${pairing.deal}`
      deals.set(key, [...(deals.get(key) ?? []), pairing])
      return byStrength((entrant) => entrant)(pairing)
    })
    for (const shared of deals.values()) {
      expect(shared.length).toBeLessThanOrEqual(2)
      expect(new Set(shared.map(({ seats }) => seats[0])).size).toBe(shared.length)
      expect(new Set(shared.map(({ key }) => key.split('/')[0])).size).toBe(1)
    }
  })

  it('makes a sitting of a pair, or of each duel in an order drawn by lot where bots remember the tournament', () => {
    const spec = specOf(names, { format: { ...format, repetitions: 20 } })
    const sittings = createTournament(spec).next(new Map())?.series ?? []
    expect(sittings.length).toBe(6)
    const shuffled = createTournament({ ...spec, shuffled: true }).next(new Map())?.series ?? []
    expect(shuffled.length).toBe(120)
    expect(shuffled.every(({ key, pairings }) => pairings.length === 1 && pairings[0]?.key === key)).toBe(true)
    const keys = (series: typeof sittings): string[] => series.flatMap(({ pairings }) => pairings.map(({ key }) => key))
    expect([...keys(shuffled)].sort()).toEqual([...keys(sittings)].sort())
    expect(keys(shuffled)).not.toEqual(keys(sittings))
    // Duels of a pair in a row would be 19 of 20 neighbours; by lot about one of 6.
    const inARow = shuffled.filter(({ key }, i) => key.split('/')[1] === shuffled[i - 1]?.key.split('/')[1]).length
    expect(inARow).toBeLessThan(50)
    const other = createTournament({ ...spec, shuffled: true, seed: 'other' }).next(new Map())?.series ?? []
    expect(keys(other)).not.toEqual(keys(shuffled))
  })

  it('comes through 100,000 matches', () => {
    const many = Array.from({ length: 20 }, (_, i) => `bot ${i}`)
    const spec = specOf(many, { shuffled: true, format: { ...format, repetitions: 80 } })
    const tournament = createTournament(spec)
    const results = playOut(
      tournament,
      byStrength((entrant) => entrant),
    )
    expect(results.size).toBeGreaterThan(100_000)
    expect(tournament.standings(results).rows[0]?.name).toBe('bot 19')
    expect(pairingsOf(tournament, results)).toEqual([])
  }, 120_000)
})

const fieldOf = (n: number, parts: Parameters<typeof specOf>[1] = {}, repetitions = 3): TournamentSpec =>
  specOf(
    Array.from({ length: n }, (_, i) => `bot ${i}`),
    { shuffled: true, ...parts, format: { kind: 'last-standing', repetitions, swap: true } },
  )

/** The first round, in its order. */
const drawn = (spec: TournamentSpec): Pairing[] =>
  (createTournament(spec).next(new Map())?.series ?? []).flatMap(({ key, pairings }) => {
    expect(pairings.map((pairing) => pairing.key)).toEqual([key])
    return pairings
  })
const pairOf = ({ seats }: Pairing): string => [...seats].sort((a, b) => a - b).join()
const keys = (pairings: readonly Pairing[]): string[] => pairings.map(({ key }) => key)

it('plays the very matches of the sittings, each pair once in every cycle', () => {
  fc.assert(
    fc.property(fc.integer({ min: 2, max: 9 }), fc.integer({ min: 1, max: 4 }), fc.string(), (n, repetitions, seed) => {
      const spec = fieldOf(n, { seed }, repetitions)
      const cycles = drawn(spec)
      const sittings = createTournament({ ...spec, shuffled: false }).next(new Map())?.series ?? []
      const byKey = (a: Pairing, b: Pairing) => (a.key < b.key ? -1 : 1)
      const seated = (pairings: readonly Pairing[]) =>
        [...pairings].sort(byKey).map(({ key, seats }) => ({ key, seats }))
      expect(seated(cycles)).toEqual(seated(sittings.flatMap(({ pairings }) => pairings)))
      const deals = new Set(cycles.map((pairing) => `${pairOf(pairing)} ${pairing.deal}`))
      expect(deals.size, 'each match has a deal of its own').toBe(cycles.length)
      const size = (n * (n - 1)) / 2
      for (let at = 0; at < cycles.length; at += size)
        expect(new Set(cycles.slice(at, at + size).map(pairOf)).size, 'a match for each pair').toBe(size)
    }),
    { numRuns: 50 },
  )
})

it('keeps everybody equally far: in an even field no bot is ahead of another by more than one match', () => {
  for (const [n, most] of [
    [8, 1],
    [17, 2],
  ] as const) {
    const played = Array<number>(n).fill(0)
    for (const { seats } of drawn(fieldOf(n))) {
      for (const seat of seats) played[seat] = (played[seat] ?? 0) + 1
      expect(Math.max(...played) - Math.min(...played)).toBeLessThanOrEqual(most)
    }
  }
})

it('lets half of the field play at once', () => {
  // Each match as early as both of its bots allow: the time when it ends, all being equally long.
  const lasts = (pairings: readonly Pairing[]): number => {
    const free = new Map<number, number>()
    for (const { seats } of pairings) {
      const end = 1 + Math.max(...seats.map((seat) => free.get(seat) ?? 0))
      for (const seat of seats) free.set(seat, end)
    }
    return Math.max(...free.values())
  }
  // 15 rounds of eight matches a cycle, and no fewer are possible.
  expect(lasts(drawn(fieldOf(16, {}, 20)))).toBe(20 * 15)
})

it('draws another order by another seed and for another round, and the same again', () => {
  const spec = fieldOf(8)
  expect(keys(drawn(spec))).toEqual(keys(drawn(spec)))
  expect(keys(drawn({ ...spec, seed: 'other' }))).not.toEqual(keys(drawn(spec)))
  const cycle = (at: number) =>
    drawn(spec)
      .map(pairOf)
      .slice(at * 28, (at + 1) * 28)
  expect(cycle(0)).not.toEqual(cycle(1))
})

it('leaves out pairs that are not wanted, and ends as any other order does', () => {
  const wanted = (entrants: readonly number[]) => entrants.includes(0)
  const pairs = drawn(fieldOf(5, { wanted })).map(pairOf)
  expect(pairs.length).toBe(12)
  expect(new Set(pairs)).toEqual(new Set(['0,1', '0,2', '0,3', '0,4']))
  const table = (spec: TournamentSpec) => {
    const tournament = createTournament(spec)
    return tournament.standings(
      playOut(
        tournament,
        byStrength((entrant) => entrant),
      ),
    )
  }
  expect(table(fieldOf(6))).toEqual(table({ ...fieldOf(6), shuffled: false }))
})
