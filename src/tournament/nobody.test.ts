import { describe, expect, it } from 'vitest'
import { byStrength, playOut, specOf } from '../../test/kit/tournament.js'
import type { FormatSpec, Outcome, Pairing } from '../core/index.js'
import { createTournament } from './index.js'

const NAMES = ['Ant', 'Bee', 'Cat', 'Dog']
const drawn = byStrength(() => 0)
const worthless = { win: 1, draw: 0, loss: 0 }
const notes = (format: Partial<FormatSpec>, judge: (pairing: Pairing) => Outcome, scoring = worthless) => {
  const tournament = createTournament(specOf(NAMES, { format, scoring, seats: { min: 2, max: 4 } }))
  return tournament.standings(playOut(tournament, judge)).notes
}
const NONE = ['nobody won: Ant, Bee, Cat and Dog are level without a win']

describe('where no match has a winner, and a draw is worth nothing', () => {
  it.each([
    [{ kind: 'round-robin' }],
    [{ kind: 'ordered-pairs' }],
    [{ kind: 'free-for-all' }],
    [{ kind: 'groups', size: 2 }],
    [{ kind: 'gauntlet' }],
    [{ kind: 'swiss' }],
  ] as const)('nobody wins %j', (format) => {
    expect(notes(format, drawn)).toEqual(NONE)
  })

  it('playoffs make no winner either', () => {
    expect(notes({ kind: 'round-robin', playoff: 2 }, drawn)).toEqual([`${NONE[0]}, level after 2 playoffs`])
  })

  it('seniority wins no hill', () => {
    expect(notes({ kind: 'hill', places: 2 }, drawn)).toEqual([
      'nobody won: no match on the hill was won, and its order is that of arrival',
    ])
  })

  it('entrants that are level on the last round of last player standing win jointly all the same', () => {
    expect(notes({ kind: 'last-standing' }, drawn)).toEqual(['joint winners: Ant, Bee, Cat and Dog'])
  })
})

describe('who has won something', () => {
  it('wins jointly where draws count', () => {
    expect(notes({ kind: 'round-robin' }, drawn, { win: 1, draw: 0.5, loss: 0 })).toEqual([
      'joint winners: Ant, Bee, Cat and Dog',
    ])
  })

  it('wins jointly with others who have won as much', () => {
    const two = byStrength((entrant) => (entrant < 2 ? 1 : 0))
    expect(notes({ kind: 'round-robin' }, two)).toEqual(['joint winners: Ant and Bee'])
  })

  it('wins a gauntlet by points a match, though another has as many points', () => {
    // Dog, the challenger, beats Ant and loses to Bee and Cat: a point each, of three matches and of one.
    const judge = byStrength((entrant) => [0, 2, 2, 1][entrant] ?? 0)
    expect(notes({ kind: 'gauntlet' }, judge)).toEqual(['joint winners: Bee and Cat'])
  })
})
