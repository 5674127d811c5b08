import { describe, expect, it } from 'vitest'
import { specOf } from '../../test/kit/tournament.js'
import type { Pairing, Result, Tournament, TournamentSpec } from '../core/index.js'
import { tournamentWithout } from './exclusions.js'
import { createTournament } from './index.js'
import { areRepeats } from './repeated.js'

const NAMES = ['Ant', 'Bee', 'Cat', 'Dog']
const spec = (parts: Partial<TournamentSpec>, format = {}): TournamentSpec =>
  specOf(NAMES, {
    format: { repetitions: 6, swap: true, ...format },
    scoring: { by: 'score' },
    chanceless: true,
    ...parts,
  })
/** Plays what is wanted as far as a series' probe, as the engine does with bots that remember nothing. */
function play(tournament: Tournament, judge: (pairing: Pairing) => Omit<Result, 'key' | 'seats'>): Map<string, Result> {
  const results = new Map<string, Result>()
  for (let round = tournament.next(results); round; round = tournament.next(results)) {
    const due = round.series.flatMap(({ pairings, probe }) => pairings.slice(0, probe?.matches))
    const fresh = due.filter(({ key }) => !results.has(key))
    expect(fresh.length, 'a round has something to play').toBeGreaterThan(0)
    for (const pairing of fresh) results.set(pairing.key, { key: pairing.key, seats: pairing.seats, ...judge(pairing) })
  }
  return results
}
const fixed = ({ seats }: Pairing) => ({
  outcome: { place: [1, 1], score: seats.map((entrant) => entrant), reason: '' },
  course: seats.join('-'),
  undrawn: [0, 1],
})
const played = (results: ReadonlyMap<string, Result>, a: number, b: number): number =>
  [...results.values()].filter(({ seats }) => seats.includes(a) && seats.includes(b)).length

describe('matches that would repeat others', () => {
  it('are played once in each order where both bots are said to be deterministic, and counted as often', () => {
    const tournament = createTournament(spec({ repeating: ['declared', 'declared', 'declared', 'unknown'] }))
    const results = play(tournament, fixed)
    expect([played(results, 0, 1), played(results, 1, 2), played(results, 0, 3)]).toEqual([2, 2, 6])
    const repeated = tournament.repeated?.(results)
    expect(repeated?.size).toBe(3 * 4)
    expect(repeated?.get('1/Ant-Bee/5')?.repeats).toMatch(/^1\/Ant-Bee\/[12]$/)
    expect(tournament.total(results)).toBe(results.size)
    const { rows, notes } = tournament.standings(results)
    expect(rows.map(({ name, points }) => [name, points])).toEqual([
      ['Dog', 3],
      ['Cat', 2],
      ['Bee', 1],
      ['Ant', 0],
    ])
    expect(notes).toEqual([
      '12 matches of 3 pairs not played again, as they repeat the same game, and counted all the same: Bee–Cat, Ant–Cat and Ant–Bee',
    ])
  })

  it('are played twice in each order where it is only seen that modules take nothing from their chance', () => {
    const repeating = ['module', 'module', 'declared', 'module'] as const
    const drawing = createTournament(spec({ repeating }))
    const results = play(drawing, (pairing) => ({
      ...fixed(pairing),
      // Dog takes something from its chance, and plays the same game all the same.
      undrawn: pairing.seats.flatMap((entrant, seat) => (entrant === 3 ? [] : [seat])),
    }))
    expect([played(results, 0, 1), played(results, 1, 2), played(results, 0, 3)]).toEqual([4, 4, 6])
  })

  it('are played where games of the same seating differ, or a bot was late', () => {
    const repeating = ['module', 'module', 'module', 'module'] as const
    let n = 0
    const differ = play(createTournament(spec({ repeating })), (pairing) => ({
      ...fixed(pairing),
      course: String(n++),
    }))
    expect(differ.size).toBe(6 * 6)
    const late = play(createTournament(spec({ repeating })), (pairing) => ({ ...fixed(pairing), late: true as const }))
    expect(late.size).toBe(6 * 6)
  })

  it('of one who meets itself: its seats have one order', () => {
    const tournament = createTournament(
      spec({ repeating: ['declared', 'module', 'unknown', 'unknown'] }, { self: true }),
    )
    const results = play(tournament, fixed)
    const alone = (entrant: number): number =>
      [...results.values()].filter(({ seats }) => seats.every((one) => one === entrant)).length
    expect([0, 1, 2].map(alone)).toEqual([1, 2, 6])
  })

  it('what a contest declares of a bot is taken for true until its games show otherwise', () => {
    const tournament = createTournament(spec({ repeating: ['declared', 'declared', 'declared', 'declared'] }))
    const all =
      createTournament(spec({}))
        .next(new Map())
        ?.series.flatMap(({ pairings }) => pairings) ?? []
    const before = all.filter(({ seats }) => seats.includes(0) && seats.includes(1))
    const results = new Map(
      before.map((pairing, i) => [
        pairing.key,
        { key: pairing.key, seats: pairing.seats, ...fixed(pairing), course: String(i) },
      ]),
    )
    const next = tournament.next(results)?.series ?? []
    const probe = (a: number, b: number) =>
      next.find(({ pairings }) => pairings[0]?.seats.includes(a) && pairings[0]?.seats.includes(b))?.probe
    // Ant and Bee are not believed any more; Cat and Dog are.
    expect(probe(0, 2)).toMatchObject({ matches: 4 })
    expect(probe(2, 3)).toMatchObject({ matches: 2, declared: [2, 3] })
  })

  it('is not refuted by games with one who has a chance, and a series that was begun goes on with the rest of it', () => {
    let n = 0
    const tournament = createTournament(spec({ repeating: ['declared', 'declared', 'unknown', 'declared'] }))
    const results = play(tournament, (pairing) =>
      pairing.seats.includes(2) ? { ...fixed(pairing), course: String(n++) } : fixed(pairing),
    )
    expect([played(results, 0, 1), played(results, 0, 3), played(results, 0, 2)]).toEqual([2, 2, 6])
    // Ant and Bee have played two matches, and are then seen to play otherwise in another.
    const first = [...results.values()].filter(({ seats }) => seats.includes(0) && seats.includes(1))
    const seen = new Map(first.map((result) => [result.key, result]))
    for (const one of first.slice(0, 1)) seen.set('9/Ant-Bee/1', { ...one, key: '9/Ant-Bee/1', course: 'another' })
    const rest = tournament.next(seen)?.series.find(({ key }) => key === '1/Ant-Bee')
    expect(rest?.pairings.map(({ key }) => key)).toEqual([3, 4, 5, 6].map((number) => `1/Ant-Bee/${number}`))
    expect(rest?.probe).toBeUndefined()
  })

  it('are those of an entrant that is out, too, as far as its games were seen', () => {
    const declared = spec({ repeating: ['declared', 'declared', 'declared', 'declared'] })
    const results = play(createTournament(declared), fixed)
    const out = tournamentWithout(declared, [{ name: 'Dog', status: 'withdrawn', treatment: 'void' }])
    expect(out.standings(results).rows.map(({ name, points }) => [name, points])).toEqual([
      ['Cat', 2],
      ['Bee', 1],
      ['Ant', 0],
    ])
    expect(out.repeated?.(results).size).toBe(3 * 4)
    expect(out.next(results)).toBeUndefined()
  })
})

it('a series is known once each of its orders is', () => {
  const pairings = [{ seats: [0, 1] }, { seats: [1, 0] }, { seats: [0, 1] }]
  const seen = (seats: readonly number[], course: string) => ({ seats, course, undrawn: [0, 1] })
  const yes = () => true
  expect(areRepeats(pairings, [seen([0, 1], 'x'), seen([1, 0], 'y')], yes)).toBe(true)
  expect(areRepeats(pairings, [seen([0, 1], 'x')], yes)).toBe(false)
  expect(areRepeats(pairings, [seen([0, 1], 'x'), seen([1, 0], 'y')], () => false)).toBe(false)
  expect(areRepeats(pairings, [seen([0, 1], 'x'), seen([0, 1], 'z'), seen([1, 0], 'y')], yes)).toBe(false)
})
