import { describe, expect, it } from 'vitest'
import type { Result } from '../core/index.js'
import { playOut, specOf } from '../../test/kit/tournament.js'
import { createTournament } from './index.js'
import { tableBefore, tournamentWithout } from './exclusions.js'
import { FORMATS } from './formats.js'

const NAMES = ['Ant', 'Bee', 'Cat', 'Dog']
/** The earlier in the contest wins. */
const earlier = ({ seats }: { seats: readonly number[] }) => ({
  place: seats.map((entrant) => 1 + seats.filter((other) => other < entrant).length),
  reason: 'test',
})
const table = (tournament: ReturnType<typeof createTournament>, results: ReadonlyMap<string, Result>) =>
  tournament.standings(results).rows.map(({ name, points }) => [name, points])
const spec = specOf(NAMES, { format: { repetitions: 2 } })
const bee = { name: 'Bee', status: 'withdrawn' } as const

describe('an entrant whose matches are void', () => {
  const without = tournamentWithout(spec, [{ ...bee, treatment: 'void' }])

  it('leaves the table as though it had never entered', () => {
    const whole = playOut(createTournament(spec), earlier)
    expect(whole.size).toBe(12)
    expect(without.next(whole)).toBeUndefined()
    expect(table(without, whole)).toEqual([
      ['Ant', 4],
      ['Cat', 2],
      ['Dog', 0],
    ])
    expect(without.total(whole)).toBe(6)
  })

  it('is asked for no more matches, and others keep what they played', () => {
    const [first] = createTournament(spec).next(new Map())?.series ?? []
    const begun = new Map(
      (first?.pairings ?? []).map(({ key, seats }) => [key, { key, seats, outcome: earlier({ seats }) }]),
    )
    const rest = without.next(begun)?.series.flatMap(({ pairings }) => pairings) ?? []
    expect(rest.some(({ seats }) => seats.includes(1))).toBe(false)
    expect(rest.map(({ key }) => key)).toEqual([...playOut(without, earlier).keys()])
  })

  it('lets the others play again what they all played in one match', () => {
    const all = specOf(NAMES, { format: { kind: 'free-for-all' }, seats: { min: 2, max: 9 } })
    const whole = playOut(createTournament(all), earlier)
    const rest = tournamentWithout(all, [{ ...bee, treatment: 'void' }])
    expect(rest.next(whole)?.series[0]?.pairings[0]?.seats).toEqual([0, 2, 3])
    expect(table(rest, whole).every(([, points]) => points === 0)).toBe(true)
  })

  it('changes who is eliminated from the round on in which it played', () => {
    const last = specOf(NAMES, { format: { kind: 'last-standing' } })
    const whole = playOut(createTournament(last), earlier)
    const rest = tournamentWithout(last, [{ name: 'Dog', status: 'disqualified', treatment: 'void' }])
    expect(rest.standings(whole).rows.map(({ name }) => name)).toEqual(['Ant', 'Bee', 'Cat'])
  })
})

describe('an entrant that loses what it has not played', () => {
  const without = tournamentWithout(spec, [{ ...bee, treatment: 'lost' }])

  it('keeps what it has played; its opponents win the rest, which is not played', () => {
    const asked = new Set<number>()
    const results = playOut(without, (pairing) => {
      for (const entrant of pairing.seats) asked.add(entrant)
      return earlier(pairing)
    })
    expect(asked).toEqual(new Set([0, 2, 3]))
    expect(table(without, results)).toEqual([
      ['Ant', 6],
      ['Cat', 4],
      ['Dog', 2],
      ['Bee', 0],
    ])
    const whole = playOut(createTournament(spec), earlier)
    expect(table(without, whole)).toEqual(table(createTournament(spec), whole))
  })

  it('goes out with the first round of last player standing', () => {
    const last = tournamentWithout(specOf(NAMES, { format: { kind: 'last-standing' } }), [
      { name: 'Ant', status: 'withdrawn', treatment: 'lost' },
    ])
    const results = playOut(last, earlier)
    expect(last.next(results)).toBeUndefined()
    expect(last.standings(results).rows.at(-1)?.name).toBe('Ant')
  })
})

describe('where too few are left', () => {
  const out = (names: readonly string[], treatment: 'void' | 'lost') =>
    names.map((name) => ({ name, status: 'withdrawn', treatment }) as const)
  const whole = playOut(createTournament(spec), earlier)

  it('the tournament is over without a winner', () => {
    const one = tournamentWithout(spec, out(NAMES.slice(1), 'void'))
    expect([one.next(new Map()), one.total(whole)]).toEqual([undefined, 0])
    expect(one.standings(whole)).toMatchObject({
      rows: [{ rank: 1, name: 'Ant', points: 0 }],
      notes: ['nobody won: Ant cannot play it without the others'],
    })
    const none = tournamentWithout(spec, out(NAMES, 'void'))
    expect(none.standings(whole)).toEqual({ columns: [], rows: [], notes: ['nobody won: nobody is left'] })
  })

  it('what does not fit for another reason is refused all the same', () => {
    const two = specOf(NAMES, { format: { kind: 'groups', size: 9 } })
    expect(() => tournamentWithout(two, out(['Bee'], 'lost'))).toThrow(/9/)
  })

  it('entrants that all lose what they had not played win nothing by it, and share no draws', () => {
    const all = tournamentWithout(spec, out(NAMES, 'lost'))
    expect(table(all, new Map())).toEqual(NAMES.map((name) => [name, 0]))
    expect(all.standings(new Map()).notes).toEqual(['nobody won: Ant, Bee, Cat and Dog are level, and out'])
    expect(all.standings(whole).notes).toEqual(['nobody won: all entrants are out'])
  })
})

describe('a tournament that was over until an entrant was put out', () => {
  const names = [...NAMES, 'Elk', 'Fox', 'Gnu', 'Hen']
  /** What a format needs beside its kind. */
  const keys: Record<string, object> = {
    groups: { size: 4 },
    heats: { size: 4, repetitions: 4 },
    hill: { places: 3 },
    gauntlet: { challengers: ['Ant'] },
    ladder: { repetitions: 10, placing: 5 },
  }
  const seatsOf = (kind: string) => ({ min: 2, max: kind === 'free-for-all' ? 8 : 4 })

  it.each(FORMATS.map(({ kind }) => kind))('%s: has points, though other matches are due', (kind) => {
    const full = specOf(names, { format: { kind, ...keys[kind] }, seats: seatsOf(kind) })
    const results = playOut(createTournament(full), earlier)
    const whole = createTournament(full).standings(results)
    for (const name of names.slice(1)) {
      const out = [{ name, status: 'disqualified', treatment: 'void' }] as const
      const rest = tournamentWithout(full, out)
      const before = rest.next(results) && tableBefore(full, out, results)
      const { rows, notes } = before ?? rest.standings(results)
      expect(rows).toHaveLength(7)
      expect(rows[0]?.points).toBeGreaterThan(0)
      if (!before) continue
      expect(notes).toEqual([expect.stringMatching(`without ${name}: .*until the run is resumed`)])
      const points = ({ name: of, points: own, cells }: (typeof rows)[number]) => [of, own, cells]
      expect(rows.map(points)).toEqual(whole.rows.filter((row) => row.name !== name).map(points))
      expect(rows[0]?.rank).toBe(1)
    }
  })

  it('is the table behind those who were out before, and has those who lose what they had not played', () => {
    const swiss = specOf(names, { format: { kind: 'swiss', rounds: 3 } })
    const early = { name: 'Hen', status: 'withdrawn', treatment: 'void' } as const
    const results = playOut(tournamentWithout(swiss, [early]), earlier)
    const late = [
      { name: 'Ant', status: 'disqualified', treatment: 'void' },
      { name: 'Cat', status: 'disqualified', treatment: 'lost' },
    ] as const
    const before = tableBefore(swiss, [early, ...late], results)
    const whole = tournamentWithout(swiss, [early]).standings(results).rows
    expect(before?.rows.map(({ name, points }) => [name, points])).toEqual(
      whole.filter(({ name }) => name !== 'Ant').map(({ name, points }) => [name, points]),
    )
    expect(before?.notes[0]).toContain('without Ant: matches against it count')
  })
})
