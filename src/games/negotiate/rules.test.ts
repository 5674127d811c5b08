import { describe, expect, it } from 'vitest'
import { TROUBLES } from '../../core/index.js'
import type { Moves } from '../../core/index.js'
import { OPTIONS, refuse } from './options.js'
import type { NegotiateOptions } from './options.js'
import { negotiate } from './rules.js'
import type { State } from './rules.js'
import { places, settle } from './settle.js'
import { actionOf, legal, lordsOf } from './view.js'

const start = (forces = [3, 4, 5, 6, 3, 4], options: Partial<NegotiateOptions> = {}, seats = 4): State =>
  negotiate.setup(seats, { ...OPTIONS, ...options }, { seed: '', at: 0, tape: forces })
const play = (state: State, ...turns: Moves<string>[]): State =>
  turns.reduce((before, moves) => negotiate.play(before, moves), state)
/** The same lords by day or by night for everyone. */
const all = (state: State, lord: number): Moves<string> =>
  negotiate.toMove(state).map(() => Array(negotiate.view(state, 0).negotiations).fill(lord).join(' '))
const toEnd = (state: State, lord = 1): State =>
  negotiate.outcome(state) ? state : toEnd(play(state, all(state, lord)), lord)
const column = (state: State, seat: number): number[] => state.real.map((row) => row[seat] ?? 0)
const DAY = ['0 0 0 0 0', '1 1 1 1 1', '2 2 2 2 2', '3 3 3 3 3']
const NIGHT = ['4 4', '4 5', '5 5', '0 1']

describe('turns (rules 2.1 to 2.6)', () => {
  it('nine of them, day and night in alternation, five and two choices', () => {
    const kinds: string[] = []
    for (let state = start(); !negotiate.outcome(state); state = play(state, all(state, 0))) {
      const { turn, day, negotiations } = negotiate.view(state, 2)
      kinds.push(`${turn}${day ? 'D' : 'N'}${negotiations}`)
    }
    expect(kinds.join(' ')).toBe('1D5 2N2 3D5 4N2 5D5 6N2 7D5 8N2 9D5')
  })

  it('a day counts once and openly, a night doubly and in secret', () => {
    const state = play(start(), DAY, NIGHT)
    expect(column(state, 0)).toEqual([5, 0, 0, 0, 4, 0])
    expect(column(state, 1)).toEqual([0, 5, 0, 0, 2, 2])
    expect(column(state, 3)).toEqual([2, 2, 0, 5, 0, 0])
    expect(state.open).toEqual([
      [5, 0, 0, 0],
      [0, 5, 0, 0],
      [0, 0, 5, 0],
      [0, 0, 0, 5],
      [0, 0, 0, 0],
      [0, 0, 0, 0],
    ])
  })

  it('the morning tells how often each lord was visited, undoubled; the first morning tells zeros (rule 2.5)', () => {
    expect(negotiate.view(start(), 0).visits).toEqual([0, 0, 0, 0, 0, 0])
    const night = play(start(), DAY)
    expect(negotiate.view(night, 0).visits).toEqual([])
    expect(negotiate.view(play(night, NIGHT), 0).visits).toEqual([1, 1, 0, 0, 3, 3])
  })

  it('the end of the fifth turn opens the nights before it, not those after (rule 2.6)', () => {
    const fifth = play(start(), DAY, NIGHT, DAY, NIGHT)
    expect(fifth.open).not.toEqual(fifth.real)
    const sixth = play(fifth, DAY)
    expect(sixth.open).toEqual(sixth.real)
    expect(negotiate.view(play(sixth, NIGHT), 0).intimacy).toEqual(negotiate.view(sixth, 0).intimacy)
  })

  it('the order of the choices does not matter: each has one name (rule 7.1)', () => {
    expect(actionOf([4, 1, 0, 5, 1])).toBe('0 1 1 4 5')
    expect(lordsOf('0 1 1 4 5')).toEqual([0, 1, 1, 4, 5])
    // 6 lords, 5 choices: 10 over 5; 2 choices: 7 over 2.
    expect(legal(negotiate.view(start(), 0))).toHaveLength(252)
    expect(legal(negotiate.view(play(start(), DAY), 0))).toHaveLength(21)
  })
})

describe('settling (rules 3.1 to 3.5)', () => {
  it('gives a force to the best and takes it from the worst', () => {
    expect(settle([3], [[4, 3, 2, 1]])).toEqual([72, 0, 0, -72])
    expect(
      settle(
        [3, 4],
        [
          [4, 3, 2, 1],
          [1, 2, 3, 4],
        ],
      ),
    ).toEqual([-24, 0, 0, 24])
  })

  it('shares it in halves, thirds and quarters, exactly', () => {
    expect(settle([5], [[2, 2, 1, 0]])).toEqual([60, 60, 0, -120])
    expect(settle([5], [[2, 2, 2, 0]])).toEqual([40, 40, 40, -120])
    expect(settle([5], [[3, 0, 0, 0]])).toEqual([120, -40, -40, -40])
    // All equal: best and worst at once, so nothing remains.
    expect(settle([5], [[1, 1, 1, 1]])).toEqual([0, 0, 0, 0])
    expect(settle([3], [[0, 1, 1]])).toEqual([-72, 36, 36])
  })

  it('after the fifth and the ninth turn, the second added to the first', () => {
    const fourth = play(start(), DAY, NIGHT, DAY, NIGHT)
    expect(fourth.strength24).toEqual([0, 0, 0, 0])
    const fifth = play(fourth, DAY)
    expect(fifth.strength24).toEqual(settle(fifth.forces, fifth.real))
    const eighth = play(fifth, NIGHT, DAY, NIGHT)
    expect(eighth.strength24).toEqual(fifth.strength24)
    const ninth = play(eighth, DAY)
    const gains = settle(ninth.forces, ninth.real)
    expect(ninth.strength24).toEqual(fifth.strength24.map((had, seat) => had + (gains[seat] ?? 0)))
    expect(negotiate.outcome(ninth)?.tally).toEqual({ strength24: ninth.strength24 })
  })

  it('other settling turns: the last one always settles, those after it do not count (rule 3.5)', () => {
    const short = start(undefined, { turns: 3 })
    expect(negotiate.view(short, 0).settling).toEqual([3])
    expect(toEnd(play(short, DAY)).strength24).not.toEqual([0, 0, 0, 0])
    expect(negotiate.view(start(undefined, { settling: [7, 2, 7] }), 0).settling).toEqual([2, 7, 9])
    expect(play(start(undefined, { settling: [1] }), DAY).strength24).not.toEqual([0, 0, 0, 0])
  })
})

describe('the end (rules 4.1 to 4.5)', () => {
  it('the greatest total wins, the others follow, equals share', () => {
    expect(places([84, 0, -60, -24])).toEqual([1, 2, 4, 3])
    expect(places([84, 0, 84, -168])).toEqual([1, 3, 1, 4])
    // Lord 0 (force 3) knows seat 0 best and seat 3 least, lord 1 (force 4) the reverse: −1 and 1, settled twice.
    const won = toEnd(play(start(), ['0 0 0 0 0', '0 0 0 0 1', '0 0 0 1 1', '0 0 1 1 1']), 5)
    expect(negotiate.outcome(won)).toMatchObject({
      place: [4, 2, 2, 1],
      reason: 'greatest strength',
      tally: { strength24: [-48, 0, 0, 48] },
    })
  })

  it('a shared first place is a draw', () => {
    expect(negotiate.outcome(toEnd(start()))).toEqual({
      place: [1, 1, 1, 1],
      reason: 'equal strength',
      tally: { strength24: [0, 0, 0, 0] },
    })
  })

  it.each(TROUBLES)('%s terminates: lord 0 from that very turn to the end, unasked (rule 4.3)', (fault) => {
    const out = play(start(), DAY, ['4 4', { fault }, '5 5', '0 1'])
    expect(column(out, 1)).toEqual([4, 5, 0, 0, 0, 0])
    expect(negotiate.toMove(out)).toEqual([0, 2, 3])
    expect(negotiate.view(out, 1).due).toBe(false)
    expect(legal(negotiate.view(out, 1))).toEqual([])
    const later = play(out, ['0 0 0 0 0', undefined, '2 2 2 2 2', '3 3 3 3 3'])
    expect(column(later, 1)).toEqual([9, 5, 0, 0, 0, 0])
    // Not even a move that someone sends for it counts.
    expect(column(play(out, DAY), 1)).toEqual([9, 5, 0, 0, 0, 0])
  })

  it.each(['silent', 'unparsable', 'illegal'] as const)('%s means lord 0 for its turn alone (rule 4.4)', (fault) => {
    const night = play(start(), DAY, ['4 4', { fault }, '5 5', '0 1'])
    expect(column(night, 1)).toEqual([4, 5, 0, 0, 0, 0])
    expect(negotiate.toMove(night)).toEqual([0, 1, 2, 3])
    expect(column(play(night, DAY), 1)).toEqual([4, 10, 0, 0, 0, 0])
    // All of that turn's negotiations, by day as by night.
    expect(column(play(start(), [{ fault }, ...DAY.slice(1)]), 0)).toEqual([5, 0, 0, 0, 0, 0])
  })

  it('a fault on the first turn, as of a daimyo that was not ready', () => {
    const out = play(start(), [DAY[0], DAY[1], DAY[2], { fault: 'timeout' }])
    expect(column(out, 3)).toEqual([5, 0, 0, 0, 0, 0])
  })

  it('a text that is no legal choice means lord 0, and so does none at all (rule 4.4)', () => {
    const next = play(start(), ['1 1 1 1', '4 3 2 1 0', '1 1 1 1 6', undefined])
    for (const seat of [0, 1, 2, 3]) expect(column(next, seat)).toEqual([5, 0, 0, 0, 0, 0])
    expect(next.terminated).toEqual([false, false, false, false])
  })

  it('with all four terminated the game plays on by itself (rule 4.5)', () => {
    const fault = { fault: 'crash' } as const
    const end = play(start(), DAY, [fault, fault, fault, fault])
    expect(negotiate.toMove(end)).toEqual([])
    // Four nights bring 2 × 2 each and four more days 5 each.
    expect(column(end, 1)).toEqual([4 * 4 + 4 * 5, 5, 0, 0, 0, 0])
    expect(negotiate.outcome(end)?.place).toHaveLength(4)
    expect(negotiate.play(end, DAY)).toBe(end)
  })

  it('the view of a seat does not tell who was terminated (rule 5.3)', () => {
    const named = play(start(), DAY, ['4 4', '0 0', '5 5', '0 1'])
    const faulted = play(start(), DAY, ['4 4', { fault: 'crash' }, '5 5', '0 1'])
    expect(negotiate.view(faulted, 0)).toEqual(negotiate.view(named, 0))
  })
})

describe('the reader comes first, the others keep their order (rule 5.4)', () => {
  const state = play(start(), DAY)
  const rows = (seat: number) =>
    negotiate
      .view(state, seat)
      .intimacy.map((row) => row.join(''))
      .slice(0, 4)
  it('seat 0: 0 1 2 3', () => expect(rows(0)).toEqual(['5000', '0500', '0050', '0005']))
  it('seat 1: 1 0 2 3', () => expect(rows(1)).toEqual(['0500', '5000', '0050', '0005']))
  it('seat 2: 2 0 1 3, no rotation', () => expect(rows(2)).toEqual(['0500', '0050', '5000', '0005']))
  it('seat 3: 3 0 1 2', () => expect(rows(3)).toEqual(['0500', '0050', '0005', '5000']))
})

describe('options (8)', () => {
  it('the historic ones are fine, and so is another number of turns alone', () => {
    expect(refuse(OPTIONS)).toBeUndefined()
    expect(refuse({ ...OPTIONS, turns: 20 })).toBeUndefined()
  })
  it.each([
    [{ turns: 0 }, /turns .* from 1/],
    [{ lords: 1.5 }, /lords .* not 1\.5/],
    [{ weakest: 7 }, /strongest \(6\) is below weakest \(7\)/],
    [{ strongest: 2000 }, /less than 1000 above/],
    [{ settling: [0] }, /settling .* \[0\]/],
    [{ lords: 60 }, /7624512 choices/],
  ])('%j is refused', (change, words) => expect(refuse({ ...OPTIONS, ...change })).toMatch(words))
})
