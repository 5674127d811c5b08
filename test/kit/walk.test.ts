import { describe, expect, it } from 'vitest'
import type { Game, GameDefinition, Luck, Outcome } from '../../src/core/index.js'
import { isFault, pick } from '../../src/core/index.js'
import { transcript } from './walk.js'

type Digit = '0' | '1' | '2'
interface State {
  readonly secret: Digit
  readonly left: number
  readonly hits: readonly number[]
  readonly luck: Luck
}
interface View {
  readonly left: number
  readonly hits: number
}
const DIGITS: readonly Digit[] = ['0', '1', '2']

/** Everyone guesses a digit that is drawn afresh each turn; most hits win. */
const guess: Game<State, Digit, View, { turns: number }> = {
  id: 'guess',
  version: 1,
  seats: { min: 2, max: 4 },
  options: { turns: 5 },
  setup: (seats, options, luck) => {
    const [secret, rest] = pick(luck, DIGITS)
    return { secret, left: options.turns, hits: Array<number>(seats).fill(0), luck: rest }
  },
  toMove: (state) => (state.left === 0 ? [] : state.hits.map((_, seat) => seat)),
  view: (state, seat) => ({ left: state.left, hits: state.hits[seat] ?? 0 }),
  legal: () => DIGITS,
  play: (state, moves) => {
    const [secret, luck] = pick(state.luck, DIGITS)
    const hits = state.hits.map((n, seat) => n + (isFault(moves[seat]) ? -1 : Number(moves[seat] === state.secret)))
    return { secret, left: state.left - 1, hits, luck }
  },
  outcome: (state): Outcome | undefined =>
    state.left > 0
      ? undefined
      : {
          place: state.hits.map((mine) => 1 + state.hits.filter((n) => n > mine).length),
          reason: 'turn limit',
          tally: { hits: state.hits },
        },
}
const definition = {
  game: guess,
  title: 'Guess',
  summary: 'Guess the digit.',
  text: (view: View) => `${view.left} left`,
} as unknown as GameDefinition

describe('transcript', () => {
  it('shows what each seat sees and does, given moves first', () => {
    const text = transcript(definition, {
      seed: 's',
      seats: 2,
      options: { turns: 2 },
      actions: [['2', { fault: 'timeout' }]],
    })
    expect(text).toMatchInlineSnapshot(`
      "guess 1, seed "s", 2 seats
      options {"turns":2}

      step 0
        seat 0 sees {"hits":0,"left":2}
        seat 1 sees {"hits":0,"left":2}
        seat 0 plays "2"
        seat 1 plays a fault {"fault":"timeout"}

      step 1
        seat 0 sees {"hits":0,"left":1}
        seat 1 sees {"hits":-1,"left":1}
        seat 0 plays "2"
        seat 1 plays "0"

      step 2
        seat 0 sees {"hits":0,"left":0}
        seat 1 sees {"hits":0,"left":0}

      outcome {"place":[1,1],"reason":"turn limit","tally":{"hits":[0,0]}}
      "
    `)
  })
})
