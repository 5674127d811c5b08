import { describe, expect, it } from 'vitest'
import { byStrength, pairingsOf, playOut, specOf } from '../../test/kit/tournament.js'
import type { Outcome, Pairing, Result, Standings, Tournament } from '../core/index.js'
import { createTournament } from './index.js'

const names = ['Ant', 'Bee', 'Cat', 'Dog']
const spec = specOf(names, { format: { repetitions: 4, swap: true, playoff: 3 } })
const ranks = ({ rows }: Standings): unknown => rows.map(({ rank, name }) => `${rank} ${name}`)
/** The main round by these strengths; playoffs by those of their number. */
const judge =
  (main: readonly number[], ...later: readonly (readonly number[])[]) =>
  (pairing: Pairing): Outcome => {
    const number = /^playoff-(\d+)/.exec(pairing.key)?.[1]
    const strength = number === undefined ? main : (later[Number(number) - 1] ?? [])
    return byStrength((entrant) => strength[entrant] ?? 0)(pairing)
  }

describe('a playoff', () => {
  it('is a duel of the two at the top, and changes no points', () => {
    const tournament = createTournament(spec)
    const main = playOut(tournament, judge([2, 3, 3, 1]), 1)
    expect(tournament.standings(main)).toMatchObject({ notes: ['Bee and Cat are level: playoff 1 is to decide'] })
    expect(ranks(tournament.standings(main))).toEqual(['1 Bee', '1 Cat', '3 Ant', '4 Dog'])
    expect(tournament.next(main)).toMatchObject({
      label: 'playoff 1',
      series: [{ key: 'playoff-1/Bee-Cat', pairings: [{ key: 'playoff-1/Bee-Cat/1', deal: 2 }] }],
    })
    expect(tournament.total(main)).toBe(25)
    const results = playOut(tournament, judge([2, 3, 3, 1], [0, 1, 2]))
    const table = tournament.standings(results)
    expect(results.size).toBe(25)
    expect(ranks(table)).toEqual(['1 Cat', '2 Bee', '3 Ant', '4 Dog'])
    expect(table.rows.map(({ points }) => points)).toEqual([10, 10, 4, 0])
    expect(table.notes).toEqual(['Cat won the playoff'])
  })

  it('is played again when drawn, seats changed, on other luck, up to the cap: then joint winners', () => {
    const tournament = createTournament(spec)
    const played: Pairing[] = []
    const draws = judge([1, 1, 0, 0], [], [], [])
    const results = playOut(tournament, (pairing) => {
      if (pairing.key.startsWith('playoff')) played.push(pairing)
      return draws(pairing)
    })
    expect(played.map(({ key, deal }) => [key, deal])).toEqual([
      ['playoff-1/Ant-Bee/1', 2],
      ['playoff-2/Ant-Bee/1', 3],
      ['playoff-3/Ant-Bee/1', 4],
    ])
    const [first, second, third] = played.map(({ seats }) => seats[0])
    expect([first === second, first === third]).toEqual([false, true])
    expect(tournament.standings(results).notes).toEqual(['joint winners: Ant and Bee, level after 3 playoffs'])
    expect(ranks(tournament.standings(results))).toEqual(['1 Ant', '1 Bee', '3 Cat', '3 Dog'])
  })

  it('of more than two is a round robin whose best go on; who falls behind later stands higher', () => {
    const tournament = createTournament(spec)
    const results = playOut(tournament, judge([1, 1, 1, 1], [2, 2, 1, 2], [2, 1, 9, 2], [1, 9, 9, 2]))
    expect([...results.keys()].filter((key) => key.startsWith('playoff')).sort()).toEqual([
      'playoff-1/Ant-Bee/1',
      'playoff-1/Ant-Cat/1',
      'playoff-1/Ant-Dog/1',
      'playoff-1/Bee-Cat/1',
      'playoff-1/Bee-Dog/1',
      'playoff-1/Cat-Dog/1',
      'playoff-2/Ant-Bee/1',
      'playoff-2/Ant-Dog/1',
      'playoff-2/Bee-Dog/1',
      'playoff-3/Ant-Dog/1',
    ])
    expect(ranks(tournament.standings(results))).toEqual(['1 Dog', '2 Ant', '3 Bee', '4 Cat'])
  })

  it('has both orders of seats where the format is ordered pairs', () => {
    const tournament = createTournament(
      specOf(['Ant', 'Bee'], { format: { kind: 'ordered-pairs', repetitions: 2, playoff: 1 } }),
    )
    const main = playOut(
      tournament,
      byStrength(() => 0),
      1,
    )
    const duel = pairingsOf(tournament, main)
    expect(duel.map(({ deal }) => deal)).toEqual([2, 2])
    expect(duel.map(({ seats }) => seats.join()).sort()).toEqual(['0,1', '1,0'])
  })

  it('is not played where none is asked for, where one leads, or where a tie-break decides', () => {
    const without = createTournament(specOf(names, { format: { repetitions: 4 } }))
    const tied = playOut(without, judge([1, 1, 0, 0]))
    expect(tied.size).toBe(24)
    expect(without.standings(tied).notes).toEqual(['joint winners: Ant and Bee'])
    expect(playOut(createTournament(spec), judge([4, 3, 2, 1])).size).toBe(24)
    const broken = createTournament({
      ...spec,
      scoring: { ...spec.scoring, ties: [{ tally: 'life', of: 'all', name: 'Life' }] },
    })
    const results = playOut(broken, (pairing) => ({ ...judge([1, 1, 0, 0])(pairing), tally: { life: pairing.seats } }))
    expect(broken.next(results)).toBeUndefined()
    expect(ranks(broken.standings(results))).toEqual(['1 Bee', '2 Ant', '3 Dog', '4 Cat'])
    expect(broken.standings(results).notes).toEqual([])
  })

  it('is not played between entrants who are not wanted to meet', () => {
    const tournament = createTournament({ ...spec, wanted: (entrants) => entrants.includes(0) })
    const results = playOut(tournament, judge([0, 1, 1, 0]))
    expect(tournament.next(results)).toBeUndefined()
    expect(tournament.standings(results).notes).toEqual(['joint winners: Bee and Cat'])
  })
})

describe('a playoff whose matches repeat', () => {
  const long = { format: { repetitions: 2, swap: true, playoff: 9 }, chanceless: true }
  /** Plays to the end; every match is drawn, with the course that `course` tells. */
  const drawn = (tournament: Tournament, course: (pairing: Pairing) => string | undefined): Map<string, Result> => {
    const results = new Map<string, Result>()
    for (let round = tournament.next(results); round; round = tournament.next(results))
      for (const { pairings } of round.series)
        for (const pairing of pairings) {
          const taken = course(pairing)
          const { key, seats } = pairing
          results.set(key, { key, seats, outcome: byStrength(() => 0)(pairing), course: taken })
        }
    return results
  }
  const playoffsOf = (results: ReadonlyMap<string, Result>): number =>
    [...results.keys()].filter((key) => key.startsWith('playoff')).length
  const same = ({ seats }: Pairing): string => `as ever from ${seats.join()}`

  it('ends once each order of seats was played again in the same moves, and says why', () => {
    const tournament = createTournament(specOf(['Ant', 'Bee'], long))
    const results = drawn(tournament, same)
    expect(playoffsOf(results)).toBe(4)
    expect(tournament.total(results)).toBe(6)
    expect(tournament.standings(results).notes).toEqual([
      'joint winners: Ant and Bee, level after 4 playoffs, the last of them the same moves again: more would decide nothing',
    ])
    expect(ranks(tournament.standings(results))).toEqual(['1 Ant', '1 Bee'])
  })

  it('goes on to the cap while one order of seats still differs', () => {
    const tournament = createTournament(specOf(['Ant', 'Bee'], long))
    const one = ({ seats, key }: Pairing): string => (seats[0] === 0 ? 'as ever' : key)
    expect(playoffsOf(drawn(tournament, one))).toBe(9)
  })

  it.each([
    ['the game has chance', { ...long, chanceless: false }],
    ['bots live through the tournament', { ...long, shuffled: true }],
  ])('goes on to the cap where %s', (_, parts) => {
    expect(playoffsOf(drawn(createTournament(specOf(['Ant', 'Bee'], parts)), same))).toBe(9)
  })

  it('takes the same moves from other seats for another match', () => {
    const tournament = createTournament(specOf(['Ant', 'Bee'], long))
    const crossed = ({ seats, key }: Pairing): string =>
      (seats[0] === 0) === /^playoff-[1256]/.test(key) ? 'one' : 'another'
    expect(playoffsOf(drawn(tournament, crossed))).toBeGreaterThan(4)
  })

  it('goes on to the cap where the courses are not known', () => {
    expect(playoffsOf(drawn(createTournament(specOf(['Ant', 'Bee'], long)), () => undefined))).toBe(9)
  })

  it('counts from where the last one fell behind', () => {
    const tournament = createTournament(specOf(['Ant', 'Bee', 'Cat'], long))
    const results = new Map<string, Result>()
    for (let round = tournament.next(results); round; round = tournament.next(results))
      for (const { pairings } of round.series)
        for (const pairing of pairings) {
          const cat = pairing.key.startsWith('playoff-2') ? -1 : 0
          const outcome = byStrength((entrant) => (entrant === 2 ? cat : 0))(pairing)
          results.set(pairing.key, { key: pairing.key, seats: pairing.seats, outcome, course: same(pairing) })
        }
    // Three duels, three duels in which Cat loses, then four of the two others.
    expect(playoffsOf(results)).toBe(10)
    expect(ranks(tournament.standings(results))).toEqual(['1 Ant', '1 Bee', '3 Cat'])
  })

  it('with both orders in each ends after two', () => {
    const tournament = createTournament(
      specOf(['Ant', 'Bee'], { format: { kind: 'ordered-pairs', repetitions: 1, playoff: 9 }, chanceless: true }),
    )
    expect(playoffsOf(drawn(tournament, same))).toBe(4)
  })

  it('in an elimination lets the better seed go on', () => {
    const tournament = createTournament(
      specOf(['Ant', 'Bee'], {
        format: { kind: 'elimination', repetitions: 1, playoff: 9, swap: true },
        chanceless: true,
      }),
    )
    const results = drawn(tournament, same)
    expect(results.size).toBe(5)
    expect(tournament.standings(results).notes).toEqual([
      'Ant and Bee were level, and their matches repeated each other: Ant went on as the better seed',
    ])
  })
})
