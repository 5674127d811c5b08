import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { deepFreeze, randomMoves } from '../../kits/index.js'
import { below, newLuck } from '../../core/index.js'
import type { Moves } from '../../core/index.js'
import type { Action } from './cards.js'
import { OPTIONS } from './options.js'
import { coup } from './rules.js'
import type { State } from './rules.js'

/** Every state of a random game. */
function game(seed: string, faults: number): readonly State[] {
  const states = [coup.setup(2, OPTIONS, newLuck(seed))]
  for (let state = states[0]; state && !coup.outcome(state); state = states.at(-1)) {
    const moves = randomMoves(coup, state, { seats: 2, text: `${seed}/${states.length}`, how: faults })
    states.push(coup.play(deepFreeze(state), moves as Moves<Action>))
  }
  return states
}
const seeds = fc.string({ minLength: 1, maxLength: 8 })
const everyState = (check: (state: State, seed: string, previous: State | undefined) => void, faults = 1): void =>
  fc.assert(
    fc.property(seeds, (seed) => {
      const states = game(seed, faults)
      for (const [n, state] of states.entries()) check(state, `${seed}/${n}`, states[n - 1])
    }),
    { numRuns: 60 },
  )

const allCards = (state: State): string => [...state.hands, ...state.lost, state.deck, state.drawn].join('')
const sort = (cards: string): string => [...cards].sort().join('')
const FIFTEEN = sort('~^*!$'.repeat(3))

describe('in every state of every game', () => {
  it('there are fifteen cards, three of each (rule 1.5)', () => {
    everyState((state) => expect(sort(allCards(state))).toBe(FIFTEEN))
  })

  it('coins are never negative, and only prices and the treasury change their sum (rule 1.5)', () => {
    everyState((state, _, previous) => {
      expect(Math.min(...state.coins)).toBeGreaterThanOrEqual(0)
      const change = previous ? state.coins[0] + state.coins[1] - previous.coins[0] - previous.coins[1] : 0
      expect([0, 1, 2, 3, -3, -7]).toContain(change)
    })
  })

  it('an offer stands exactly before the decision of an exchange (rule 5.1)', () => {
    everyState((state) => {
      if (state.end) return
      const line = state.file.split('\n').at(-1) ?? ''
      expect(state.drawn.length).toBe(/^(Ep|Eq~.)$/.test(line) ? 2 : 0)
    })
  })

  it('lines follow the pattern of the format: a capital, small letters, signs (rule 2.1)', () => {
    everyState((state) =>
      expect(state.file).toMatch(/^(?:[IFECTAS][dacspq]*[~^*!$]?[_'<=0]?\n)*(?:[IFECTAS][dacspq]*[~^*!$]?[_'<=0]?)?$/),
    )
  })
})

describe('nothing that is hidden shows', () => {
  it('to deal the hidden cards afresh changes neither view nor legal actions nor what is sent (rule 7.2)', () => {
    let redealt = 0
    everyState((state, seed) => {
      for (const seat of [0, 1] as const) {
        const other = redeal(state, seat, seed)
        redealt += Number(sort(other.hands[1 - seat] ?? '') !== sort(state.hands[1 - seat] ?? ''))
        expect(coup.view(other, seat)).toEqual(coup.view(state, seat))
      }
    })
    expect(redealt).toBeGreaterThan(100)
  })
})

/** The same to a seat: its opponent's hand and offer, the deck and the luck are dealt afresh. */
function redeal(state: State, seat: 0 | 1, text: string): State {
  const they = seat === 0 ? 1 : 0
  const theirOffer = state.turn % 2 === they ? state.drawn : ''
  const hidden = [...(state.hands[they] + state.deck + theirOffer)]
  const mixed = hidden
    .map((card, k) => ({ card, at: below(2 ** 30, `${text}/${k}`) }))
    .sort((a, b) => a.at - b.at)
    .map(({ card }) => card)
    .join('')
  const hand = mixed.slice(0, state.hands[they].length)
  const offer = mixed.slice(hand.length, hand.length + theirOffer.length)
  return {
    ...state,
    luck: newLuck(text),
    hands: seat === 0 ? [state.hands[0], hand] : [hand, state.hands[1]],
    drawn: theirOffer === '' ? state.drawn : offer,
    deck: mixed.slice(hand.length + offer.length),
  }
}

describe('cards are drawn fairly', () => {
  it('each of the five characters is as likely as the others in a first hand (rule 1.3)', () => {
    // 2,000 first cards, 400 expected each, standard deviation 17.9: 5 are 90.
    const counts = new Map<string, number>()
    for (let k = 0; k < 2000; k++) {
      const card = coup.setup(2, OPTIONS, newLuck(`fair/${k}`)).hands[0].charAt(0)
      counts.set(card, (counts.get(card) ?? 0) + 1)
    }
    expect(counts.size).toBe(5)
    for (const count of counts.values()) expect(Math.abs(count - 400)).toBeLessThan(90)
  })
})

describe('what a seat cannot know, dealt anew', () => {
  it('is the other hand, the deck and its offer: no card is lost, and the seat sees the same', () => {
    const changed = new Set<number>()
    everyState((state, seed) => {
      for (const seat of [0, 1]) {
        const other = coup.resample?.(state, seat, newLuck(`${seed}/${seat}`)) as State
        expect([...allCards(other)].sort()).toEqual([...allCards(state)].sort())
        expect(coup.view(other, seat)).toEqual(coup.view(state, seat))
        if (other.hands[1 - seat] !== state.hands[1 - seat]) changed.add(seat)
      }
    })
    expect(changed).toEqual(new Set([0, 1]))
  })
})
