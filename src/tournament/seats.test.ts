import { describe, expect, it } from 'vitest'
import { playOut, specOf } from '../../test/kit/tournament.js'
import type { Outcome, Pairing } from '../core/index.js'
import { createTournament } from './index.js'

const spec = (format: object) => ({
  ...specOf(['Ant', 'Bee', 'Cat', 'Dog'], { format: { kind: 'free-for-all', repetitions: 5, swap: true, ...format } }),
  seats: { min: 4, max: 4 },
})
const notes = (format: object, play: (pairing: Pairing) => Outcome) => {
  const tournament = createTournament(spec(format))
  return tournament.standings(playOut(tournament, play)).notes
}
const bySeat = ({ seats }: Pairing): Outcome => ({ place: seats.map((_, seat) => (seat === 2 ? 1 : 2)), reason: 'end' })
const byStrength = ({ seats }: Pairing): Outcome => ({ place: seats.map((entrant) => entrant + 1), reason: 'end' })

describe('seats that explain places', () => {
  it.each(['free-for-all', 'groups', 'heats'])('are named: %s', (kind) => {
    const size = kind === 'free-for-all' ? undefined : 4
    expect(notes({ kind, size, repetitions: 5 }, bySeat).join()).toMatch(
      /^seats explain places: who sits in seat 2 leaves 100 % of the others behind, in seat 0 33 %/,
    )
  })

  it('are not, where strength or the lot decides', () => {
    expect(notes({}, byStrength)).toEqual([])
    const lot = ({ seats, key }: Pairing): Outcome => {
      const first = [...key].reduce((sum, c) => (sum * 31 + c.charCodeAt(0)) % 9973, 7) % 4
      return { place: seats.map((entrant) => (entrant === first ? 1 : 2)), reason: 'end' }
    }
    expect(notes({ repetitions: 40 }, lot).join()).not.toContain('seat')
  })

  it('cannot be known of deals that are played in one order', () => {
    expect(notes({ swap: false, repetitions: 40 }, bySeat)).toEqual([])
  })
})
