import { describe, expect, it } from 'vitest'
import { deal, decide } from '../../../test/kit/coup.js'
import type { Action } from './cards.js'
import { OPTIONS, refuse } from './options.js'
import { coup } from './rules.js'
import type { State } from './rules.js'

/** Seat 0 has Duke and Captain, seat 1 Assassin and Contessa; `more`: the next cards. */
const start = (more = '', options: Partial<typeof OPTIONS> = {}): State => deal(`$*^!${more}`, options)
const legalNow = (state: State): readonly Action[] => coup.legal(coup.view(state, coup.toMove(state)[0] ?? 0))

describe('the start', () => {
  it('gives a coin and two cards each, eleven remain (rules 1.1, 1.2)', () => {
    const state = start()
    expect(state).toMatchObject({ hands: ['$*', '^!'], coins: [1, 1], deck: '~~~^^**!!$$', lost: ['', ''], file: '' })
    expect(coup.toMove(state)).toEqual([0])
  })

  it('asks the very first player in an order of its own (rule 8.3)', () => {
    expect(legalNow(start())).toEqual(['I', 'F', 'E', 'S', 'T'])
    expect(legalNow(decide(start(), 'I'))).toEqual(['I', 'F', 'E', 'T', 'S'])
    expect(legalNow(start('', { coins: 8 }))).toEqual(['I', 'F', 'E', 'S', 'T', 'A', 'C'])
    expect(legalNow(start('', { coins: 10 }))).toEqual(['C'])
  })
})

describe('actions (rules 2.2 to 2.9)', () => {
  it('income ends the turn at once', () => {
    expect(decide(start(), 'I')).toMatchObject({ coins: [2, 1], file: 'I\n', turn: 1 })
  })

  it('foreign aid can be blocked or let through, not challenged', () => {
    const declared = decide(start(), 'F')
    expect(legalNow(declared)).toEqual(['d', 'p'])
    expect(decide(declared, 'p')).toMatchObject({ coins: [1, 1] })
    expect(decide(declared, 'p', 'end')).toMatchObject({ coins: [3, 1], file: 'Fp\n' })
    expect(decide(declared, 'd', 'end')).toMatchObject({ coins: [1, 1], file: 'Fd\n' })
  })

  it('tax brings three at the end of the turn', () => {
    expect(legalNow(decide(start(), 'T'))).toEqual(['p', 'q'])
    expect(decide(start(), 'T', 'p', 'end')).toMatchObject({ coins: [4, 1] })
  })

  it('steal takes two coins, or the only one, and needs one to take', () => {
    expect(legalNow(decide(start(), 'S'))).toEqual(['a', 'c', 'p', 'q'])
    const robbed = decide(start(), 'S', 'p', 'end')
    expect(robbed.coins).toEqual([2, 0])
    expect(legalNow(decide(robbed, 'I', 'I'))).toContain('S')
    expect(legalNow(decide(start('', { coins: 0 }), 'I', 'I', 'I'))).toContain('S')
    expect(legalNow(start('', { coins: 0 }))).not.toContain('S')
    expect(decide(start('', { coins: 5 }), 'S', 'p', 'end').coins).toEqual([7, 3])
  })

  it('the coup costs seven, is paid with the card and cannot be answered otherwise', () => {
    const rich = start('', { coins: 7 })
    const launched = decide(rich, 'C')
    expect(launched.coins).toEqual([7, 7])
    expect(legalNow(launched)).toEqual(["'", '='])
    expect(decide(launched, '=')).toMatchObject({ coins: [0, 7], hands: ['$*', '^'], lost: ['', '!'] })
    expect(legalNow(start('', { coins: 6 }))).not.toContain('C')
    expect(legalNow(start('', { coins: 10 }))).toEqual(['C'])
    expect(legalNow(start('', { coins: 2 }))).not.toContain('A')
  })

  it('an answer is a challenge or a block, not both (rule 2.10)', () => {
    expect(legalNow(decide(start('', { coins: 3 }), 'A'))).toEqual(['s', 'q', "'", '='])
    expect(legalNow(decide(start(), 'S', 'a'))).toEqual(['q', 'end'])
    expect(decide(start(), 'S', 'c', 'end')).toMatchObject({ coins: [1, 1], file: 'Sc\n' })
  })
})

describe('challenges (rules 3.1 to 3.6)', () => {
  it('who holds the card shows it, gets another, and the challenger gives one up', () => {
    const challenged = decide(start('~'), 'T', 'q')
    expect(legalNow(challenged)).toEqual(['$'])
    const shown = decide(challenged, '$')
    expect(shown).toMatchObject({ hands: ['*~', '^!'], deck: '~~^^**!!$$$' })
    expect(legalNow(shown)).toEqual(["'", '='])
    expect(decide(shown, "'", 'end')).toMatchObject({ coins: [4, 1], hands: ['*~', '!'], file: "Tq$'\n" })
  })

  it('draws before the shown card goes back: with no other Duke in the deck none can come (rule 3.4)', () => {
    // All other Dukes are out: seat 1 holds them. Two of each character.
    const state = deal('$*$!', { cards: 2 })
    expect(() => decide(state, 'T', 'q', '$')).toThrow(/the tape tells undefined/)
    const dealt = { ...state, luck: { ...state.luck, tape: ['$', '*', '$', '!', '$'] } }
    expect(() => decide(dealt, 'T', 'q', '$')).toThrow(/the tape tells "\$"/)
  })

  it('a bluff costs a card and ends the turn without its action', () => {
    const caught = decide(deal('~*^!'), 'T', 'q')
    expect(legalNow(caught)).toEqual(['_', '<'])
    expect(decide(caught, '<')).toMatchObject({ coins: [1, 1], hands: ['~', '^!'], lost: ['*', ''], file: 'Tq<\n' })
  })

  it('a block that was a bluff fails, and the action takes place', () => {
    const caught = decide(start(), 'F', 'd', 'q')
    expect(legalNow(caught)).toEqual(["'", '='])
    expect(decide(caught, '=')).toMatchObject({ coins: [1, 1], file: 'Fdq=' })
    expect(decide(caught, '=', 'end')).toMatchObject({ coins: [3, 1], file: 'Fdq=\n' })
    expect(decide(start(), 'S', 'a', 'q', '=', 'end').coins).toEqual([2, 0])
  })

  it('a true block costs the challenger a card on its own turn, and the turn is over', () => {
    const state = decide(deal('$*~!^'), 'S', 'a', 'q', '~')
    expect(state.hands).toEqual(['$*', '!^'])
    expect(legalNow(state)).toEqual(['0', '<'])
    expect(decide(state, '0')).toMatchObject({ coins: [1, 1], file: 'Saq~0\n', hands: ['*', '!^'] })
  })

  it('an Ambassador shown for an exchange stays and takes part in it (rule 3.5)', () => {
    const state = decide(deal('~*^!$$'), 'E', 'q', '~', '=')
    expect(state).toMatchObject({ hands: ['~*', '^'], drawn: '$$', file: 'Eq~=' })
    expect(legalNow(state)).toContain('keep ~$')
  })

  it('a true assassination that is challenged ends the game with the second card in hand (rule 3.6)', () => {
    const end = decide(deal('^*$!~', { coins: 3 }), 'A', 'q', '^', '0')
    expect(coup.outcome(end)).toEqual({ place: [1, 2], reason: 'both cards lost in one turn' })
    expect(end).toMatchObject({ hands: ['*~', '!'], coins: [0, 3], file: 'Aq^0' })
  })

  it('a Contessa that was a bluff ends the game, too (rule 3.6)', () => {
    const end = decide(deal('^*$~', { coins: 3 }), 'A', 's', 'q', '_')
    expect(coup.outcome(end)).toEqual({ place: [1, 2], reason: 'both cards lost in one turn' })
    expect(end).toMatchObject({ hands: ['^*', '$'], coins: [0, 3], file: 'Asq_' })
  })
})

describe('the price of an assassination (rules 4.1 to 4.3)', () => {
  const armed = start('~', { coins: 3 })
  it('is paid when the victim gives in', () => {
    expect(decide(armed, 'A').coins).toEqual([3, 3])
    expect(decide(armed, 'A', "'", 'end')).toMatchObject({ coins: [0, 3], hands: ['$*', '!'], file: "A'\n" })
  })
  it('is paid for a believed Contessa at the end of the turn', () => {
    expect(decide(armed, 'A', 's').coins).toEqual([3, 3])
    expect(decide(armed, 'A', 's', 'end')).toMatchObject({ coins: [0, 3], file: 'As\n' })
  })
  it('is paid with the card that a wrong challenge of the Contessa costs', () => {
    const shown = decide(armed, 'A', 's', 'q', '!')
    expect(shown.coins).toEqual([3, 3])
    expect(decide(shown, '0')).toMatchObject({ coins: [0, 3], hands: ['*', '^~'], file: 'Asq!0\n' })
  })
  it('is not paid for a bluff', () => {
    expect(decide(armed, 'A', 'q', '0')).toMatchObject({ coins: [3, 3], hands: ['*', '^!'], file: 'Aq0\n' })
  })
})

describe('an exchange (rules 5.1 to 5.3)', () => {
  it('offers two cards, keeps any two of four in the order named, returns the rest', () => {
    const state = decide(start('~!'), 'E', 'p')
    expect(state).toMatchObject({ drawn: '~!', deck: '~~^^**!$$' })
    // Four different cards: 4 × 3 ordered pairs.
    expect(legalNow(state)).toHaveLength(12)
    const kept = decide(state, 'keep !$')
    expect(kept).toMatchObject({ hands: ['!$', '^!'], drawn: '', deck: '~~~^^***!$$', file: 'Ep\n' })
  })

  it('with one card left keeps one of three', () => {
    const state = decide(deal('~*^!~$'), 'T', 'q', '<', 'I', 'E', 'p')
    expect(state).toMatchObject({ hands: ['~', '^!'], drawn: '~$' })
    expect(legalNow(state)).toEqual(['keep ~', 'keep $'])
  })
})

describe('the end (rules 6.1 to 6.3)', () => {
  it('comes when a player has no card left', () => {
    const end = decide(start('~', { coins: 7 }), 'C', "'", 'end', 'I', 'T', 'q', '$', '=')
    expect(coup.outcome(end)).toEqual({ place: [1, 2], reason: 'no cards left' })
    expect(coup.toMove(end)).toEqual([])
    expect(coup.play(end, ['I', 'I'])).toBe(end)
  })

  it('comes after 200 calls with equal places', () => {
    let state = start()
    const seats: number[] = []
    while (!coup.outcome(state)) {
      seats.push(coup.toMove(state)[0] ?? -1)
      const legal = legalNow(state)
      // Foreign aid is always blocked and the block believed: nobody gains.
      state = decide(state, legal.includes('F') ? 'F' : legal.includes('d') ? 'd' : 'end')
    }
    expect(seats).toHaveLength(200)
    expect(coup.outcome(state)).toEqual({ place: [1, 1], reason: 'turn limit' })
    expect(state.coins).toEqual([1, 1])
  })

  it('a win on the last call counts', () => {
    const last = { coins: 3, turns: 4 }
    expect(coup.outcome(decide(deal('^*$!~', last), 'A', 'q', '^', '0'))?.place).toEqual([1, 2])
    expect(coup.outcome(decide(start('', { turns: 1 }), 'I'))?.reason).toBe('turn limit')
  })

  it('no cards are drawn for an exchange that the limit cuts off', () => {
    const end = decide(start('', { turns: 2 }), 'E', 'p')
    expect(coup.outcome(end)).toEqual({ place: [1, 1], reason: 'turn limit' })
    expect(end.drawn).toBe('')
  })

  it('comes at once by any fault and by any illegal text', () => {
    const wins = { place: [2, 1], reason: 'forfeit' }
    for (const fault of ['timeout', 'crash', 'flood', 'killed', 'silent', 'unparsable', 'illegal'] as const) {
      const end = decide(start(), { fault })
      expect(coup.outcome(end)).toEqual(wins)
      expect(end.file).toBe('')
    }
    expect(coup.outcome(decide(start(), 'A'))).toEqual(wins)
    expect(coup.outcome(decide(start(), 'F', 'end'))).toEqual({ place: [1, 2], reason: 'forfeit' })
    expect(coup.outcome(coup.play(start(), [undefined, 'I']))).toEqual(wins)
  })
})

describe('what a player may know (rules 7.1, 7.2)', () => {
  it('is its own hand and what lies open', () => {
    const state = decide(start('~!'), 'E', 'p')
    expect(coup.view(state, 0)).toMatchObject({ cards: '$*', theirCards: 2, drawn: '~!', due: true, file: 'Ep' })
    expect(coup.view(state, 1)).toMatchObject({ cards: '^!', theirCards: 2, drawn: '', due: false, file: 'Ep' })
    expect(coup.legal(coup.view(state, 1))).toEqual([])
  })
})

describe('options (10)', () => {
  it('the historic ones are fine', () => expect(refuse(OPTIONS)).toBeUndefined())
  it.each([
    [{ cards: 1 }, /cards .* from 2 .* not 1: two hands and an exchange/],
    [{ cards: 101 }, /at most 100/],
    [{ turns: 0 }, /turns .* from 1/],
    [{ coins: -1 }, /coins/],
    [{ steal: 1.5 }, /steal .* not 1\.5/],
    [{ must: 6 }, /must \(6\) is below coup \(7\)/],
  ])('%j is refused', (change, words) => expect(refuse({ ...OPTIONS, ...change })).toMatch(words))
})
