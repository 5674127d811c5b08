import { describe, expect, it } from 'vitest'
import { byStrength, pairingsOf, playOut, specOf } from '../../test/kit/tournament.js'
import type { FormatSpec } from '../core/index.js'
import { createTournament } from './index.js'

const NAMES = ['Ant', 'Bee', 'Cat', 'Dog', 'Eel']
const gauntlet = (format: Partial<FormatSpec> = {}) =>
  createTournament(specOf(NAMES, { format: { kind: 'gauntlet', repetitions: 2, swap: true, ...format } }))

describe('a gauntlet', () => {
  it('lets each challenger meet each of the field, in both seats, and no other', () => {
    const matches = pairingsOf(gauntlet({ challengers: ['Bee', 'Dog'] })).map(({ seats }) => seats.join())
    expect(matches.sort()).toEqual(['0,1', '0,3', '1,0', '1,2', '1,4', '2,1', '2,3', '3,0', '3,2', '3,4', '4,1', '4,3'])
  })

  it('challenges with the last entrant where none is named', () => {
    expect(pairingsOf(gauntlet()).every(({ seats }) => seats.includes(4))).toBe(true)
  })

  it('ranks by points a match', () => {
    const tournament = gauntlet()
    const results = playOut(
      tournament,
      byStrength((e) => [1, 2, 5, 3, 4][e] ?? 0),
    )
    const { columns, rows } = tournament.standings(results)
    expect(columns).toEqual(['Matches', 'A match'])
    expect(rows.map(({ rank, name, points, cells }) => [rank, name, points, ...cells])).toEqual([
      [1, 'Cat', 2, 2, 1],
      [2, 'Eel', 6, 8, 0.75],
      [3, 'Ant', 0, 2, 0],
      [3, 'Bee', 0, 2, 0],
      [3, 'Dog', 0, 2, 0],
    ])
  })

  it('refuses unknown challengers, none, and all', () => {
    expect(() => gauntlet({ challengers: ['Bea'] })).toThrow('no entrant is called "Bea" (did you mean "Bee"?)')
    expect(() => gauntlet({ challengers: [] })).toThrow('needs a challenger')
    expect(() => gauntlet({ challengers: NAMES })).toThrow('needs a field')
    expect(() => gauntlet({ places: 3 })).toThrow('"places" is for hill')
  })
})
