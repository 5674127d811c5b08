import { describeGame, newLuck } from 'agon'
import { describe, expect, it } from 'vitest'
import definition from './game.js'
import { type State, game } from './rules.js'

// What every game must keep, over random games with all kinds of faults: the same as `agon test game game.ts`.
describeGame(definition, { describe, it })

/** Two players with the cards 1 to 3, and this prize. */
const bidding = (prize: number): State => ({ ...game.setup(2, { cards: 3 }, newLuck('a')), prizes: [prize, 1, 2] })

describe('a turn', () => {
  it('gives the prize to the highest bid, and takes the cards (rules 2 and 3)', () => {
    const after = game.play(bidding(3), ['2', '1'])
    expect([after.points, after.hands]).toEqual([
      [3, 0],
      [
        [1, 3],
        [2, 3],
      ],
    ])
  })

  it('gives it to nobody where two bid the same (rule 3)', () => {
    expect(game.play(bidding(3), ['2', '2']).points).toEqual([0, 0])
  })

  it('prices a fault as the lowest card (rule 4)', () => {
    const { bids, points } = game.play(bidding(3), ['2', { fault: 'timeout' }])
    expect([bids, points]).toEqual([
      [2, 1],
      [3, 0],
    ])
  })
})

describe('the end', () => {
  it('comes with the last prize, and the most points win (rule 5)', () => {
    const end = [0, 1, 2].reduce((state, i) => game.play(state, [['3', '1', '2'][i], ['1', '2', '3'][i]]), bidding(3))
    // 3 for seat 0, then 1 and 2 for seat 1.
    expect(game.outcome(end)).toEqual({ place: [1, 1], reason: 'all prizes taken', tally: { points: [3, 3] } })
  })
})
