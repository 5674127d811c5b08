import fc from 'fast-check'
import { expect, it } from 'vitest'
import { playOut, specOf } from '../../test/kit/tournament.js'
import type { Result, TournamentSpec } from '../core/index.js'
import { type PairCount, countedTable, createTournament, crosstable, crosstableOfPairs, isPlayoff } from './index.js'

/** What a store counts of these results. */
function countsOf(spec: TournamentSpec, results: ReadonlyMap<string, Result>) {
  const rows = spec.names.map((_, entrant) => ({ entrant, wins: 0, draws: 0, losses: 0 }))
  const pairs = new Map<string, { one: number; other: number; ahead: number; level: number; behind: number }>()
  for (const { key, seats, outcome } of results.values()) {
    const firsts = outcome.place.filter((place) => place === 1).length
    if (isPlayoff(key)) continue
    seats.forEach((entrant, seat) => {
      const row = rows[entrant]
      if (row) row[(outcome.place[seat] ?? 0) > 1 ? 'losses' : firsts > 1 ? 'draws' : 'wins']++
    })
    const [one, other] = [Math.min(...seats), Math.max(...seats)]
    const pair = pairs.get(`${one} ${other}`) ?? { one, other, ahead: 0, level: 0, behind: 0 }
    const lead = (outcome.place[seats.indexOf(other)] ?? 0) - (outcome.place[seats.indexOf(one)] ?? 0)
    pair[lead > 0 ? 'ahead' : lead < 0 ? 'behind' : 'level']++
    pairs.set(`${one} ${other}`, pair)
  }
  return { rows, pairs: [...pairs.values()] as readonly PairCount[] }
}

const OUTCOMES = [
  [1, 2],
  [2, 1],
  [1, 1],
  [2, 2],
]

it('is the table of the results, under way and at its end', () => {
  fc.assert(
    fc.property(
      fc.constantFrom('round-robin' as const, 'ordered-pairs' as const),
      fc.integer({ min: 2, max: 5 }),
      fc.array(fc.nat(3), { minLength: 1, maxLength: 40 }),
      fc.boolean(),
      fc.integer({ min: 0, max: 4 }),
      fc.constantFrom(0, 2),
      (kind, field, course, some, left, playoff) => {
        const names = ['a', 'b', 'c', 'd', 'e'].slice(0, field)
        const wanted = some ? (seats: readonly number[]): boolean => seats.includes(0) : undefined
        const spec = specOf(names, { format: { kind, repetitions: 3, swap: true, playoff }, wanted })
        const tournament = createTournament(spec)
        let at = 0
        const results = playOut(tournament, () => ({
          place: OUTCOMES[course[at++ % course.length] ?? 0] ?? [],
          reason: '',
        }))
        for (const key of [...results.keys()].slice(0, left)) results.delete(key)
        const { rows, pairs } = countsOf(spec, results)
        const standings = tournament.standings(results)
        const order = standings.rows.map(({ entrant }) => entrant)
        const counted = countedTable(spec, rows, pairs)
        expect(crosstableOfPairs(names, spec.scoring, pairs, order)).toEqual(
          crosstable(names, spec.scoring, results.values(), order),
        )
        if (counted !== undefined) {
          expect(counted).toEqual({ standings, finished: tournament.next(results) === undefined })
          return
        }
        // How playoffs tell a tie apart, counts do not say.
        const tie = countedTable({ ...spec, format: { ...spec.format, playoff: 0 } }, rows, pairs)
        expect(tie).toMatchObject({ finished: true, standings: { notes: [expect.any(String)] } })
      },
    ),
  )
})

it('is none where counts do not decide it', () => {
  const names = ['a', 'b', 'c']
  const pair = { one: 0, other: 1, ahead: 1, level: 0, behind: 0 }
  const of = (parts: Parameters<typeof specOf>[1], pairs: readonly PairCount[] = [pair]) =>
    countedTable(specOf(names, parts), [], pairs)
  expect(of({})).toBeDefined()
  expect(of({ format: { kind: 'last-standing' } })).toBeUndefined()
  expect(of({ scoring: { by: 'score' } })).toBeUndefined()
  expect(of({ scoring: { ties: [{ tally: 'left', of: 'all', name: 'left' }] } })).toBeUndefined()
  expect(of({}, [{ ...pair, level: 1 }]), 'more matches than it has').toBeUndefined()
  expect(of({ wanted: (seats) => seats.includes(2) }), 'a pair that it has not').toBeUndefined()
})
