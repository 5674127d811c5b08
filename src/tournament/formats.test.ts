import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { byStrength, pairingsOf, playOut, specOf } from '../../test/kit/tournament.js'
import type { FormatSpec, Pairing, Result, TournamentSpec } from '../core/index.js'
import { createTournament, FormatError, FORMATS, formatOf, sharesDeals } from './index.js'

const NAMES = ['Ant', 'Bee', 'Cat', 'Dog', 'Eel', 'Fox', 'Gnu', 'Hen', 'Ibis', 'Jay']
const some = fc.integer({ min: 2, max: NAMES.length }).map((n) => NAMES.slice(0, n))
const seeds = fc.string({ maxLength: 5 })

const pairName = (pairing: Pairing): string => [...pairing.seats].sort((a, b) => a - b).join()
/** How often each value comes. */
function counted<T>(values: readonly T[]): Map<T, number> {
  const counts = new Map<T, number>()
  for (const value of values) counts.set(value, (counts.get(value) ?? 0) + 1)
  return counts
}
const sat = (pairings: readonly Pairing[], seat: number): Map<number | undefined, number> =>
  counted(pairings.map(({ seats }) => seats[seat]))

describe('every format', () => {
  const formats: readonly Partial<FormatSpec>[] = [
    { kind: 'round-robin', swap: true, playoff: 2 },
    { kind: 'round-robin' },
    { kind: 'ordered-pairs', playoff: 3 },
    { kind: 'last-standing', swap: true },
    { kind: 'free-for-all' },
    { kind: 'free-for-all', swap: true },
    { kind: 'groups', size: 2 },
    { kind: 'groups', size: 2, swap: true },
    { kind: 'heats', size: 2 },
    { kind: 'heats', size: 2, swap: true },
    { kind: 'gauntlet', swap: true },
    { kind: 'swiss', swap: true },
    { kind: 'swiss', rounds: 3 },
    { kind: 'elimination', swap: true },
    { kind: 'elimination', seeding: 'lot', playoff: 2 },
    { kind: 'double-elimination', swap: true },
    { kind: 'double-elimination', seeding: 'lot', playoff: 2 },
    { kind: 'hill', places: 4 },
    { kind: 'ladder', swap: true, placing: 12 },
    { kind: 'ladder' },
  ]
  it('is among the formats that are tested here', () => {
    expect(new Set(formats.map(({ kind }) => kind))).toEqual(new Set(FORMATS.map(({ kind }) => kind)))
  })

  const specs = fc
    .record({
      names: some,
      seed: seeds,
      format: fc.constantFrom(...formats),
      repetitions: fc.integer({ min: 1, max: 5 }),
      shuffled: fc.boolean(),
    })
    .map(({ format, repetitions, names, ...rest }) =>
      specOf(names, { ...rest, seats: { min: 2, max: 10 }, format: { ...format, repetitions } }),
    )
  const luckOf = (key: string, salt: string): number =>
    [...(key + salt)].reduce((hash, c) => (hash * 31 + c.charCodeAt(0)) % 9973, 7)
  /** A judge that favours no entrant: a place by a hash of the match and the seat. */
  const judge = (salt: string) => (pairing: Pairing) =>
    byStrength((entrant) => luckOf(pairing.key, salt + String(entrant)) % 3)(pairing)

  it('deals the same luck to the same entrants again only where it says so', () => {
    fc.assert(
      fc.property(specs, fc.string(), (spec, salt) => {
        const { format, names } = spec
        const tournament = createTournament(spec)
        const played: Pairing[] = []
        playOut(tournament, (pairing) => {
          played.push(pairing)
          return judge(salt)(pairing)
        })
        const dealt = played.map(({ seats, deal }) => [[...seats].sort((a, b) => a - b), deal].join())
        const shared = new Set(dealt).size < dealt.length
        if (shared) expect(sharesDeals(format)).toBe(true)
        // A pairing may be decided before its second match; in shuffled order each match is a sitting of its own.
        else if (names.length > 2 && formatOf(format.kind).playoff !== 'pairing' && !spec.shuffled)
          expect(sharesDeals(format)).toBe(false)
      }),
    )
  })

  it('has the matches of a deal one after the other in one series, each in another order of seats', () => {
    fc.assert(
      fc.property(specs, fc.string(), (spec, salt) => {
        const tournament = createTournament(spec)
        const dealt = new Set<string>()
        const results = new Map<string, Result>()
        for (let round = tournament.next(results); round; round = tournament.next(results))
          for (const { pairings } of round.series) {
            const company = [...(pairings[0]?.seats ?? [])].sort((a, b) => a - b).join()
            for (const [i, { key, seats, deal }] of pairings.entries()) {
              if (results.has(key)) continue
              const own = pairings.filter((one) => one.deal === deal)
              expect(new Set(own.map((one) => one.seats.join())).size).toBe(own.length)
              if (pairings[i - 1]?.deal !== deal) {
                expect(own).toEqual(pairings.slice(i, i + own.length))
                expect(dealt.has(`${company} ${deal}`)).toBe(false)
              }
              dealt.add(`${company} ${deal}`)
              results.set(key, { key, seats, outcome: judge(salt)({ key, seats, deal }) })
            }
          }
      }),
    )
  })

  it('ends, with unique keys, and says before each round how many matches there are at most', () => {
    fc.assert(
      fc.property(specs, fc.string(), (spec, salt) => {
        const tournament = createTournament(spec)
        const before = tournament.total(new Map())
        const results = playOut(tournament, judge(salt))
        const playoffs = [...results.keys()].filter((key) => key.startsWith('playoff')).length
        expect(tournament.total(results)).toBe(results.size)
        expect(results.size - playoffs).toBeLessThanOrEqual(before)
        const stopsEarly = ['last-standing', 'elimination', 'double-elimination', 'ladder'].includes(spec.format.kind)
        if (!stopsEarly) expect(results.size - playoffs).toBe(before)
        const { rows } = tournament.standings(results)
        expect(rows.map(({ entrant }) => entrant).sort((a, b) => a - b)).toEqual(spec.names.map((_, i) => i))
        expect(rows[0]?.rank).toBe(1)
        rows.forEach((row, i) => {
          const ahead = rows.filter(({ rank }) => rank < row.rank).length
          expect(row.rank).toBe(ahead + 1)
          expect(row.name).toBe(spec.names[row.entrant])
          if (i > 0) expect(row.rank).toBeGreaterThanOrEqual(rows[i - 1]?.rank ?? 0)
        })
      }),
    )
  })

  it('is the same again, and stays in its round until the last match of it is there', () => {
    fc.assert(
      fc.property(specs, fc.string(), (spec, salt) => {
        const results = playOut(createTournament(spec), judge(salt))
        expect(playOut(createTournament(spec), judge(salt))).toEqual(results)
        const isLadder = spec.format.kind === 'ladder'
        // What is played is whole deals.
        const last = [...results.keys()].slice(isLadder && spec.format.swap ? -2 : -1)
        const without = new Map(results)
        for (const key of last) without.delete(key)
        const tournament = createTournament(spec)
        const keys = pairingsOf(tournament, without).map(({ key }) => key)
        // A ladder has no rounds to stay in: whom it pairs next depends on all results there.
        if (isLadder) expect(keys.filter((key) => without.has(key))).toEqual([])
        else expect(keys).toEqual(expect.arrayContaining(last))
        expect(tournament.next(results)).toBeUndefined()
      }),
    )
  })

  it('gives a table with no results and in the middle of a round', () => {
    fc.assert(
      fc.property(specs, (spec) => {
        // Its points are ratings.
        fc.pre(spec.format.kind !== 'ladder')
        const tournament = createTournament(spec)
        const first = tournament.standings(new Map())
        expect(first.rows.every(({ rank, points }) => rank === 1 && points === 0)).toBe(true)
        expect(first.notes).toEqual([])
        const [pairing] = pairingsOf(tournament)
        if (!pairing) throw new Error('no match')
        const outcome = byStrength((entrant) => (entrant === pairing.seats[0] ? 1 : 0))(pairing)
        const { rows } = tournament.standings(
          new Map([[pairing.key, { key: pairing.key, seats: pairing.seats, outcome }]]),
        )
        // Not the only first where that match ends a round in which another had a bye.
        const winner = rows.find(({ entrant }) => entrant === pairing.seats[0])
        expect(winner).toMatchObject({ points: 1 })
        expect(rows.every(({ points }) => points <= 1)).toBe(true)
        expect(rows.filter(({ points }) => points === 1).length).toBeLessThanOrEqual(2)
      }),
    )
  })

  it('keeps keys, seats and deals of the entrants that were there when another comes', () => {
    const twoSeated = fc.constantFrom<Partial<FormatSpec>>(
      { kind: 'round-robin', swap: true },
      { kind: 'round-robin' },
      { kind: 'ordered-pairs' },
      { kind: 'groups', size: 3 },
    )
    fc.assert(
      fc.property(twoSeated, fc.integer({ min: 3, max: 6 }), fc.nat(6), seeds, (format, n, at, seed) => {
        const names = NAMES.slice(0, n)
        const more = [...names.slice(0, at), 'New', ...names.slice(at)]
        const named = (list: readonly string[]): Map<string, unknown> => {
          const spec = specOf(list, { seed, seats: { min: 2, max: 3 }, format: { repetitions: 3, ...format } })
          const entries = pairingsOf(createTournament(spec)).map(({ key, seats, deal }): [string, unknown] => [
            key,
            [seats.map((i) => list[i]), deal],
          ])
          return new Map(entries)
        }
        const after = named(more)
        for (const [key, pairing] of named(names)) expect(after.get(key)).toEqual(pairing)
        // Without swaps the contest's order seats them.
        const seatsByOrder = format.kind === 'round-robin' && !format.swap
        if (!seatsByOrder) expect(named([...names].reverse())).toEqual(named(names))
      }),
    )
  })

  it('tells names apart however they look', () => {
    const names = ['a', 'b', 'a-b', 'b-a', 'a-b-a', 'a/b', '1', 'a%2Db', 'playoff-1', ' ', '  ']
    const keys = pairingsOf(createTournament(specOf(names))).map(({ key }) => key)
    expect(new Set(keys).size).toBe((names.length * (names.length - 1)) / 2)
    expect(keys).toContain('1/a%2Db-b/1')
    expect(keys.every((key) => key.split('/').length === 3)).toBe(true)
  })

  it('gives other lots for another seed', () => {
    const seats = (seed: string): string =>
      JSON.stringify(
        pairingsOf(createTournament(specOf(NAMES, { seed, format: { swap: true } }))).map((pairing) => pairing.seats),
      )
    expect(new Set(['a', 'b', 'c'].map(seats)).size).toBe(3)
  })
})

describe('round-robin', () => {
  it('lets every pair meet as often as promised, seats in turn, two orders a deal', () => {
    fc.assert(
      fc.property(some, seeds, fc.integer({ min: 1, max: 9 }), (names, seed, repetitions) => {
        const pairings = pairingsOf(createTournament(specOf(names, { seed, format: { repetitions, swap: true } })))
        const meetings = counted(pairings.map(pairName))
        expect(meetings.size).toBe((names.length * (names.length - 1)) / 2)
        for (const [pair, n] of meetings) {
          expect(n).toBe(repetitions)
          const mine = pairings.filter((pairing) => pairName(pairing) === pair)
          const seated = sat(mine, 0)
          expect(
            Math.max(...seated.values()) - (seated.size === 2 ? Math.min(...seated.values()) : 0),
          ).toBeLessThanOrEqual(1)
          expect(mine.map(({ deal }) => deal)).toEqual(mine.map((_, i) => Math.floor(i / 2)))
        }
      }),
    )
  })

  it('is one series a pair; without swaps the earlier in the contest sits first and each match is a deal', () => {
    const round = createTournament(specOf(['Bee', 'Ant', 'Cat'], { format: { repetitions: 2 } })).next(new Map())
    expect(round?.label).toBe('round 1')
    expect(round?.series.map(({ key }) => key).sort()).toEqual(['1/Ant-Bee', '1/Ant-Cat', '1/Bee-Cat'])
    expect(round?.series.find(({ key }) => key === '1/Ant-Bee')?.pairings).toEqual([
      { key: '1/Ant-Bee/1', seats: [0, 1], deal: 0 },
      { key: '1/Ant-Bee/2', seats: [0, 1], deal: 1 },
    ])
  })

  it('has neighbours in the schedule that can be played at the same time', () => {
    const pairings = pairingsOf(createTournament(specOf(NAMES)))
    for (let turn = 0; turn < 9; turn++) {
      const busy = pairings.slice(5 * turn, 5 * turn + 5).flatMap(({ seats }) => seats)
      expect(new Set(busy).size).toBe(10)
    }
  })

  it('ranks by points, then by tie-breaks, of all matches or of those won, and shares ranks', () => {
    const ties = [
      { tally: 'life', of: 'won', name: 'Life' },
      { tally: 'hits', of: 'all', name: 'Hits' },
    ] as const
    const tournament = createTournament(specOf(['Ant', 'Bee', 'Cat', 'Dog'], { scoring: { draw: 0, ties } }))
    // Ant, Bee and Cat beat each other in a circle, all beat Dog.
    const winners: Readonly<Record<string, number>> = { '0,1': 0, '1,2': 1, '0,2': 2, '0,3': 0, '1,3': 1, '2,3': 2 }
    const results = playOut(tournament, (pairing) => {
      const winner = winners[pairName(pairing)] ?? 0
      return {
        place: pairing.seats.map((entrant) => (entrant === winner ? 1 : 2)),
        reason: 'so',
        tally: {
          life: pairing.seats.map((entrant) => [10, 10, 20, 99][entrant] ?? 0),
          hits: pairing.seats.map((entrant) => entrant % 2),
        },
      }
    })
    const { columns, rows } = tournament.standings(results)
    expect(columns).toEqual(['Life', 'Hits'])
    expect(rows.map(({ rank, name, points, cells }) => [rank, name, points, ...cells])).toEqual([
      [1, 'Cat', 2, 40, 0],
      [2, 'Bee', 2, 20, 3],
      [3, 'Ant', 2, 20, 0],
      [4, 'Dog', 0, 0, 3],
    ])
  })
})

describe('ordered-pairs', () => {
  it('plays every ordered pair in every round, the two orders on one deal, in one series a pair', () => {
    fc.assert(
      fc.property(some, seeds, fc.integer({ min: 1, max: 5 }), (names, seed, repetitions) => {
        const tournament = createTournament(specOf(names, { seed, format: { kind: 'ordered-pairs', repetitions } }))
        const round = tournament.next(new Map())
        expect(round?.series.length).toBe((names.length * (names.length - 1)) / 2)
        const pairings = pairingsOf(tournament)
        const orders = counted(pairings.map(({ seats, deal }) => `${seats.join()} ${deal}`))
        expect(orders.size).toBe(names.length * (names.length - 1) * repetitions)
        expect(pairings.length).toBe(orders.size)
        expect(Math.max(...pairings.map(({ deal }) => deal))).toBe(repetitions - 1)
      }),
    )
  })
})

describe('free-for-all', () => {
  const drawn = (names: readonly string[], swap: boolean) =>
    createTournament(
      specOf(names, { seats: { min: 2, max: 100 }, format: { kind: 'free-for-all', repetitions: 3, swap } }),
    ).next(new Map())?.series

  it('seats everyone in the contest order in each game without swaps, a deal and a series each', () => {
    expect(drawn(NAMES, false)?.map(({ pairings }) => pairings)).toEqual(
      [0, 1, 2].map((deal) => [{ key: `1/all/${deal + 1}`, seats: NAMES.map((_, i) => i), deal }]),
    )
  })

  it('plays each deal in all rotations of that order, a series each', () => {
    expect(drawn(['Ant', 'Bee', 'Cat'], true)?.[1]).toEqual({
      key: '1/all/2',
      pairings: [
        { key: '1/all/2/1', seats: [0, 1, 2], deal: 1 },
        { key: '1/all/2/2', seats: [1, 2, 0], deal: 1 },
        { key: '1/all/2/3', seats: [2, 0, 1], deal: 1 },
      ],
    })
  })

  it('gives the point to a sole first only', () => {
    const spec = specOf(['Ant', 'Bee', 'Cat'], {
      seats: { min: 2, max: 9 },
      format: { kind: 'free-for-all', repetitions: 3 },
      scoring: { win: 1, draw: 0 },
    })
    const tournament = createTournament(spec)
    const places = [
      [1, 1, 3],
      [2, 1, 2],
      [1, 1, 1],
    ]
    const results = playOut(tournament, ({ deal }) => ({ place: places[deal] ?? [], reason: 'so' }))
    expect(tournament.standings(results).rows.map(({ name, points, rank }) => [rank, name, points])).toEqual([
      [1, 'Bee', 1],
      [2, 'Ant', 0],
      [2, 'Cat', 0],
    ])
  })
})

describe('groups', () => {
  it('plays every group in Latin squares: each in each seat equally often, on one deal a square', () => {
    const specs = fc.record({
      n: fc.integer({ min: 4, max: 7 }),
      size: fc.integer({ min: 2, max: 4 }),
      repetitions: fc.integer({ min: 1, max: 3 }),
      seed: seeds,
    })
    fc.assert(
      fc.property(specs, ({ n, size, repetitions, seed }) => {
        const spec = specOf(NAMES.slice(0, n), {
          seed,
          seats: { min: 2, max: 4 },
          format: { kind: 'groups', size, repetitions, swap: true },
        })
        const series = createTournament(spec).next(new Map())?.series ?? []
        const apart = createTournament({ ...spec, format: { ...spec.format, swap: false } }).next(new Map())
        // Without swaps the same matches each have a deal of their own.
        expect(apart?.series).toEqual(
          series.map((one) => ({ ...one, pairings: one.pairings.map((pairing, deal) => ({ ...pairing, deal })) })),
        )
        let choose = 1
        for (let i = 0; i < size; i++) choose = (choose * (n - i)) / (i + 1)
        expect(series.length).toBe(choose)
        for (const { pairings } of series) {
          expect(pairings.length).toBe(size * repetitions)
          for (let deal = 0; deal < repetitions; deal++) {
            const square = pairings.filter((pairing) => pairing.deal === deal)
            expect(square.length).toBe(size)
            for (let seat = 0; seat < size; seat++)
              expect(new Set(square.map(({ seats }) => seats[seat])).size).toBe(size)
            for (const { seats } of square) expect(new Set(seats).size).toBe(size)
          }
        }
      }),
    )
  })

  it('draws the first order by lot, square by square', () => {
    const spec = specOf(['Ant', 'Bee', 'Cat', 'Dog'], {
      seats: { min: 4, max: 4 },
      format: { kind: 'groups', repetitions: 20 },
    })
    const pairings = pairingsOf(createTournament(spec))
    expect(pairings[0]?.key).toBe('1/Ant-Bee-Cat-Dog/1')
    const cycles = new Set(pairings.filter((_, i) => i % 4 === 0).map(({ seats }) => seats.join()))
    expect(cycles.size).toBeGreaterThan(10)
  })
})

describe('wanted', () => {
  // Ant and Bee against all, the others not among themselves.
  const wanted = (entrants: readonly number[]): boolean =>
    entrants.some((entrant) => entrant < 2) && entrants.every((entrant) => entrant < 4)
  const names = NAMES.slice(0, 6)

  it('leaves out pairs, groups and entrants without an opponent', () => {
    const robin = createTournament(specOf(names, { wanted }))
    expect(pairingsOf(robin).map(pairName).sort()).toEqual(['0,1', '0,2', '0,3', '1,2', '1,3'])
    expect(robin.standings(new Map()).rows.map(({ name }) => name)).toEqual(['Ant', 'Bee', 'Cat', 'Dog'])
    const trios = createTournament(specOf(names, { wanted, seats: { min: 3, max: 3 }, format: { kind: 'groups' } }))
    expect(new Set(pairingsOf(trios).map(pairName))).toEqual(new Set(['0,1,2', '0,1,3', '0,2,3', '1,2,3']))
    const all = createTournament(specOf(names, { wanted, seats: { min: 2, max: 9 }, format: { kind: 'free-for-all' } }))
    expect(pairingsOf(all).map(({ seats }) => seats)).toEqual([[0, 1, 2, 3]])
  })

  it('lets last-standing end when none of those left may meet', () => {
    const tournament = createTournament(specOf(names, { wanted, format: { kind: 'last-standing' } }))
    const results = playOut(
      tournament,
      byStrength((entrant) => entrant),
    )
    // Ant, then Bee leave: Cat and Dog are not wanted to meet.
    expect(tournament.standings(results)).toMatchObject({
      rows: [
        { name: 'Cat', rank: 1 },
        { name: 'Dog', rank: 1 },
        { name: 'Bee', rank: 3 },
        { name: 'Ant', rank: 4 },
      ],
      notes: ['joint winners: Cat and Dog'],
    })
    expect(tournament.total(results)).toBe(results.size)
    expect(results.size).toBe(5 + 2)
  })
})

describe('what does not fit', () => {
  const refused = (spec: TournamentSpec): string => {
    try {
      createTournament(spec)
    } catch (error) {
      if (error instanceof FormatError) return error.message
    }
    return 'taken'
  }
  const two = ['Ant', 'Bee']
  it.each<[string, TournamentSpec]>([
    ['a game of four in a round robin', specOf(NAMES, { seats: { min: 4, max: 4 } })],
    [
      'a game of four, the last standing',
      specOf(NAMES, { seats: { min: 3, max: 4 }, format: { kind: 'last-standing' } }),
    ],
    ['groups outside the seats', specOf(NAMES, { seats: { min: 4, max: 4 }, format: { kind: 'groups', size: 3 } })],
    ['too few for a group', specOf(two, { seats: { min: 4, max: 4 }, format: { kind: 'groups' } })],
    ['too many for one match', specOf(NAMES, { seats: { min: 2, max: 6 }, format: { kind: 'free-for-all' } })],
    ['too few for one match', specOf(two, { seats: { min: 3, max: 6 }, format: { kind: 'free-for-all' } })],
    ['one entrant', specOf(['Ant'])],
    ['the same name twice', specOf(['Ant', 'Bee', 'Ant'])],
    ['no repetitions', specOf(two, { format: { repetitions: 0 } })],
    ['half a repetition', specOf(two, { format: { repetitions: 1.5 } })],
    ['a playoff of groups', specOf(NAMES, { format: { kind: 'groups', playoff: 1 } })],
    ['a size of a round robin', specOf(NAMES, { format: { size: 2 } })],
    ['nobody wanted', specOf(NAMES, { wanted: () => false })],
    [
      'nobody wanted in one match',
      specOf(NAMES, { wanted: () => false, seats: { min: 2, max: 99 }, format: { kind: 'free-for-all' } }),
    ],
    ['an unknown kind', specOf(NAMES, { format: { kind: 'group' } })],
  ])('%s', (name, spec) => {
    expect(refused(spec)).toMatchSnapshot(name)
    expect(refused(spec)).not.toBe('taken')
  })
})
