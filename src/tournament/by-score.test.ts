import { describe, expect, it } from 'vitest'
import { pairingsOf, playOut, specOf } from '../../test/kit/tournament.js'
import type { Outcome, Pairing, Result } from '../core/index.js'
import { crosstable, gridOf, crosstableCsv } from './crosstable.js'
import { tournamentWithout } from './exclusions.js'
import { createTournament } from './index.js'

/** What a row gets of a column: Ant beats both others by a little, and Cat scores most. */
const PAY = [
  [1, 2, 0.1],
  [1.5, 0, -4],
  [0, 6, 3],
]
const paid =
  (pay: readonly (readonly number[])[]) =>
  ({ seats: [a = 0, b = 0] }: Pairing): Outcome => {
    const score = [pay[a]?.[b] ?? 0, pay[b]?.[a] ?? 0] as const
    return { place: score[0] > score[1] ? [1, 2] : score[0] < score[1] ? [2, 1] : [1, 1], score, reason: 'end' }
  }
const NAMES = ['Ant', 'Bee', 'Cat']
const byScore = (format: object = {}, scoring: object = {}) =>
  specOf(NAMES, { format, scoring: { by: 'score', ...scoring } })
const table = (results: Map<string, Result>, spec: ReturnType<typeof specOf>) =>
  createTournament(spec)
    .standings(results)
    .rows.map(({ rank, name, points }) => [rank, name, points])

describe('by score', () => {
  it('points are means: of 2 and 0.1, of 1.5 and −4, of 0 and 6', () => {
    const spec = byScore({ repetitions: 3, swap: true })
    const results = playOut(createTournament(spec), paid(PAY))
    expect(table(results, spec)).toEqual([
      [1, 'Cat', 3],
      [2, 'Ant', 1.05],
      [3, 'Bee', -1.25],
    ])
    const wins = specOf(NAMES, { format: { repetitions: 3, swap: true } })
    expect(table(results, wins).map(([, name]) => name)).toEqual(['Ant', 'Cat', 'Bee'])
  })

  it('or sums, or both a turn', () => {
    const total = byScore({ repetitions: 3 }, { of: 'total' })
    const results = playOut(createTournament(total), paid(PAY))
    expect(table(results, total).map(([, , points]) => points)).toEqual([18, 6.3, -7.5])
    const turns = new Map([...results].map(([key, result]) => [key, { ...result, turns: 4 }]))
    expect(table(turns, byScore({ repetitions: 3 }, { per: 'turn' })).map(([, , points]) => points)).toEqual([
      0.75, 0.2625, -0.3125,
    ])
  })

  it('or points by place, which equals share, whatever the game scores', () => {
    const spec = byScore({ kind: 'free-for-all', repetitions: 2, swap: false }, { of: 'total', points: [10, 6, 3] })
    const seats = { seats: { min: 3, max: 3 } }
    const ends: Outcome[] = [
      { place: [2, 1, 2], score: [0, 9, 0], reason: 'end' },
      { place: [3, 2, 1], reason: 'end' },
    ]
    const results = playOut(createTournament({ ...spec, ...seats }), () => ends.shift() as Outcome)
    expect(table(results, { ...spec, ...seats })).toEqual([
      [1, 'Bee', 16],
      [2, 'Cat', 14.5],
      [3, 'Ant', 7.5],
    ])
  })

  it('sums that differ by the dust of binary fractions are equal, also where scores are tiny', () => {
    for (const scale of [1, 1e-12, 1e9]) {
      // 0.1 + 0.2 and 0.3 + 0 are not the same number.
      const pay = [
        [0, 0.1, 0.2],
        [0.3, 0, 0],
        [5, 5, 0],
      ].map((row) => row.map((value) => value * scale))
      const spec = byScore()
      const rows = table(playOut(createTournament(spec), paid(pay)), spec)
      expect(rows.map(([rank, name]) => [rank, name])).toEqual([
        [1, 'Cat'],
        [2, 'Ant'],
        [2, 'Bee'],
      ])
    }
  })

  it('an entrant without a score is behind all others, also behind negative ones', () => {
    const spec = byScore()
    const tournament = createTournament(spec)
    const first = pairingsOf(tournament).find(({ seats }) => !seats.includes(0))
    const results = new Map([
      [
        first?.key ?? '',
        { key: first?.key ?? '', seats: [1, 2], outcome: { place: [1, 1], score: [-3, -2], reason: '' } },
      ],
    ])
    expect(table(results, spec)).toEqual([
      [1, 'Cat', -2],
      [2, 'Bee', -3],
      [3, 'Ant', 0],
    ])
  })

  it.each(['swiss', 'elimination', 'last-standing', 'hill', 'gauntlet', 'ordered-pairs'] as const)(
    'so it is in a %s',
    (kind) => {
      const spec = specOf([...NAMES, 'Dog'], {
        format: { kind, repetitions: 2 },
        scoring: { by: 'score', of: 'total' },
      })
      const tournament = createTournament(spec)
      const [first] = pairingsOf(tournament)
      const seats = first?.seats ?? []
      const key = first?.key ?? ''
      const results = new Map([[key, { key, seats, outcome: { place: [1, 2], score: [-2, -3], reason: '' } }]])
      const names = tournament.standings(results).rows.map(({ name }) => name)
      expect(names.slice(0, 2)).toEqual(seats.map((entrant) => spec.names[entrant]))
    },
  )

  it('a gauntlet by total goes by what was scored a match, be it ever so small', () => {
    const spec = byScore({ kind: 'gauntlet', challengers: ['Cat'] }, { of: 'total' })
    const pay = PAY.map((row) => row.map((value) => value / 1e9))
    const { rows, columns } = createTournament(spec).standings(playOut(createTournament(spec), paid(pay)))
    expect(columns).toEqual(['Matches', 'A match'])
    // Cat has 0 of Ant and 6 of Bee.
    expect(rows.map(({ name, cells }) => [name, cells[1]])).toEqual([
      ['Cat', 3e-9],
      ['Ant', 1e-10],
      ['Bee', -4e-9],
    ])
  })

  it('the crosstable has mean scores, in matches of more than two as well', () => {
    const spec = byScore({ repetitions: 2 })
    const results = playOut(createTournament(spec), paid(PAY))
    const cross = crosstable(NAMES, spec.scoring, results.values())
    expect(gridOf(cross).map((row) => row.map((cell) => cell?.points))).toEqual([
      [undefined, 2, 0.1],
      [1.5, undefined, -4],
      [0, 6, undefined],
    ])
    expect(crosstableCsv(cross).split('\r\n').slice(0, 2)).toEqual(['name,opponent,n,score', 'Ant,Bee,2,2'])
    const three = [0, 1].map((n) => ({
      key: `1/all/${n}`,
      seats: [0, 1, 2],
      outcome: { place: [1, 2, 3], score: [9 - n, 4, 1], reason: '' },
    }))
    const many = crosstable(NAMES, spec.scoring, three)
    expect(many.ahead).toBe(false)
    expect(gridOf(many)[0]?.[2]).toMatchObject({ n: 2, points: 8.5 })
  })

  it('a gauntlet goes by means, though its challenger plays more', () => {
    const spec = byScore({ kind: 'gauntlet', challengers: ['Cat'] })
    const tournament = createTournament(spec)
    const standings = tournament.standings(playOut(tournament, paid(PAY)))
    expect(standings.columns).toEqual(['Matches'])
    expect(standings.rows.map(({ name, points, cells }) => [name, points, ...cells])).toEqual([
      ['Cat', 3, 2],
      ['Ant', 0.1, 1],
      ['Bee', -4, 1],
    ])
    const total = createTournament(byScore({ kind: 'gauntlet', challengers: ['Cat'] }, { of: 'total' }))
    const sums = total.standings(playOut(total, paid(PAY)))
    expect(sums.columns).toEqual(['Matches', 'A match'])
    expect(sums.rows.map(({ name, points }) => [name, points])).toEqual([
      ['Cat', 6],
      ['Ant', 0.1],
      ['Bee', -4],
    ])
  })

  it('a best of three is played to its end, and goes to the greater mean, not to two wins of three', () => {
    const spec = specOf(['Ant', 'Bee'], { format: { kind: 'elimination', repetitions: 3 }, scoring: { by: 'score' } })
    const tournament = createTournament(spec)
    const scores = new Map([
      ['1/Ant-Bee/1', [2, 1]],
      ['1/Ant-Bee/2', [2, 1]],
      ['1/Ant-Bee/3', [0, 9]],
    ])
    const results = playOut(tournament, ({ key }) => {
      const score = scores.get(key) ?? []
      return { place: (score[0] ?? 0) > (score[1] ?? 0) ? [1, 2] : [2, 1], score, reason: '' }
    })
    expect(results.size).toBe(3)
    expect(tournament.standings(results).rows.map(({ name, points }) => [name, points])).toEqual([
      ['Bee', 3.666666667],
      ['Ant', 1.333333333],
    ])
  })

  it('last standing: the entrant with the least mean of the round leaves; points are the mean of all rounds', () => {
    const spec = byScore({ kind: 'last-standing' })
    const tournament = createTournament(spec)
    const { rows } = tournament.standings(playOut(tournament, paid(PAY)))
    // Bee leaves with −1.25; of the other two Ant has 0.1 of Cat, who has 0 of Ant.
    expect(rows.map(({ name, cells }) => [name, ...cells])).toEqual([
      ['Ant', 1.05, 0.1],
      ['Cat', 3, 0],
      ['Bee', -1.25, null],
    ])
    expect(rows.map(({ points }) => points)).toEqual([0.733333333, 2, -1.25])
  })

  it('Swiss: a bye leaves a mean as it is, and adds to a sum what one has a match', () => {
    for (const [of, points] of [
      ['mean', { Ant: 1.05, Bee: -1.25, Cat: 3 }],
      ['total', { Ant: 3.15, Bee: -3.75, Cat: 9 }],
    ] as const) {
      const spec = byScore({ kind: 'swiss', rounds: 3 }, { of })
      const tournament = createTournament(spec)
      const standings = tournament.standings(playOut(tournament, paid(PAY)))
      expect(standings.columns).toEqual(['Buchholz'])
      expect(Object.fromEntries(standings.rows.map((row) => [row.name, row.points]))).toEqual(points)
    }
  })

  it('Swiss: Buchholz tells scores apart however small', () => {
    for (const scale of [1, 1e-9]) {
      const pay = PAY.map((row) => row.map((value) => value * scale))
      const tournament = createTournament(byScore({ kind: 'swiss', rounds: 3 }))
      const { rows } = tournament.standings(playOut(tournament, paid(pay)))
      // Each met both others, and a bye is a match with one's own mean: Ant −1.25 + 3 + 1.05.
      const found = rows.map(({ name, cells }) => [name, Math.round(1000 * ((cells[0] ?? 0) / scale)) / 1000])
      expect(Object.fromEntries(found)).toEqual({ Ant: 2.8, Bee: 2.8, Cat: 2.8 })
    }
  })

  it('the hill is left by the least mean, and a game of many counts each match once', () => {
    const hill = createTournament(byScore({ kind: 'hill', places: 2 }))
    expect(hill.standings(playOut(hill, paid(PAY))).rows.map(({ name }) => name)).toEqual(['Ant', 'Cat', 'Bee'])
    const race = specOf(['Ant', 'Bee', 'Cat', 'Dog'], {
      format: { kind: 'groups', size: 4, repetitions: 2 },
      seats: { min: 4, max: 4 },
      scoring: { by: 'score' },
    })
    const all = createTournament(race)
    const { rows } = all.standings(
      playOut(all, ({ seats }) => ({ place: [1, 1, 1, 1], score: seats.map((who, seat) => -who - seat), reason: '' })),
    )
    // Each sits in each seat as often: 1.5 on average.
    expect(rows.map(({ points }) => points)).toEqual([-1.5, -2.5, -3.5, -4.5])
  })

  it('what an entrant that is out had not played counts for no entrant, and decides a pairing of an elimination', () => {
    const spec = byScore({ repetitions: 1 })
    const out = [{ name: 'Cat', status: 'withdrawn', treatment: 'lost' as const }]
    const tournament = tournamentWithout(spec, out)
    const results = playOut(tournament, paid(PAY))
    expect(results.size).toBe(1)
    expect(tournament.standings(results).rows.map(({ name, points }) => [name, points])).toEqual([
      ['Ant', 2],
      ['Bee', 1.5],
      ['Cat', 0],
    ])
    const bracket = tournamentWithout(byScore({ kind: 'elimination' }), out)
    expect(bracket.standings(playOut(bracket, paid(PAY))).rows[0]?.name).toBe('Ant')
  })
})

describe('self = true', () => {
  const spec = byScore({ self: true, repetitions: 2, swap: true })

  it('everyone also meets itself, as often as another, each time with luck of its own', () => {
    const pairings = pairingsOf(createTournament(spec))
    expect(pairings.length).toBe(2 * 6)
    expect(pairings.filter(({ key }) => key.startsWith('1/Bee-Bee/'))).toEqual([
      { key: '1/Bee-Bee/1', seats: [1, 1], deal: 0 },
      { key: '1/Bee-Bee/2', seats: [1, 1], deal: 1 },
    ])
    const ordered = pairingsOf(createTournament({ ...spec, format: { ...spec.format, kind: 'ordered-pairs' } }))
    expect(ordered.filter(({ seats: [a, b] }) => a === b).map(({ deal }) => deal)).toEqual([
      0, 1, 2, 3, 0, 1, 2, 3, 0, 1, 2, 3,
    ])
  })

  it('counts once, with the mean of its seats', () => {
    const tournament = createTournament(spec)
    const judge = (pairing: Pairing): Outcome =>
      pairing.seats[0] === pairing.seats[1]
        ? { place: [1, 2], score: [10, (pairing.seats[0] ?? 0) * 2], reason: '' }
        : paid(PAY)(pairing)
    const results = playOut(tournament, judge)
    // Ant: 2, 0.1 and (10 + 0) / 2; Bee: 1.5, −4 and 6; Cat: 0, 6 and 7.
    expect(tournament.standings(results).rows.map(({ name, points }) => [name, points])).toEqual([
      ['Cat', 4.333333333],
      ['Ant', 2.366666667],
      ['Bee', 1.166666667],
    ])
    expect(gridOf(crosstable(NAMES, spec.scoring, results.values()))[1]?.[1]).toMatchObject({ n: 2, points: 6 })
  })

  it('is refused where wins count, for bots that have one life, and in other formats', () => {
    const refused =
      (parts: object): (() => unknown) =>
      () =>
        createTournament({ ...spec, ...parts })
    expect(refused({ scoring: { ...spec.scoring, by: 'wins' } })).toThrow('self = true is for scores')
    expect(refused({ shuffled: true })).toThrow('one life')
    expect(refused({ format: { ...spec.format, kind: 'swiss' } })).toThrow(
      '"self" is for round-robin and ordered-pairs',
    )
  })
})
