import { describe, expect, it } from 'vitest'
import { randomMatch } from '../../test/kit/archive.js'
import type { GameDefinition } from '../core/index.js'
import kuhn from '../games/kuhn/index.js'
import { lookAtFirst } from './first-matches.js'

const seats = ['Ann', 'Bob'].map((entrant, id) => ({ entrant, id }))
const record = randomMatch(kuhn, '1/x/1', seats, { options: {} })
const look = (more: Partial<GameDefinition>, game: Partial<GameDefinition['game']> = {}, file?: string) => {
  const definition = { ...kuhn, ...more, game: { ...kuhn.game, ...game } }
  return () => lookAtFirst({ definition, file: file ?? 'odd.ts' }, record)
}
const seen = (more: object) => ({
  view: (state: unknown, seat: number) => ({ ...(kuhn.game.view(state, seat) as object), ...more }),
})
const cyclic: Record<string, unknown> = {}
cyclic['self'] = cyclic

describe('the first matches of a game from outside', () => {
  it('are looked at without a word where all is well, and none of a game that ships with agon', () => {
    expect(look({}, seen({ note: undefined, list: [{ a: null }], when: new Date(5).getTime() }))).not.toThrow()
    const broken = { ...kuhn, board: () => 1 as unknown as string }
    expect(() => lookAtFirst({ definition: broken }, record)).not.toThrow()
  })

  it.each<[string, Parameters<typeof look>, string]>([
    ['a board that throws', [{ board: () => ''.repeat(-1) }], 'Invalid count value'],
    ['a text that is none', [{ text: () => 3 as unknown as string }], 'text() gives number, and has to give a text'],
    ['a view by the clock', [{}, { view: () => Date.now() % 2 }], 'Date.now is called'],
    ['a view by today', [{}, { view: () => new Date().getDay() }], 'new Date() is called'],
    ['chance of its own', [{}, { view: () => Math.random() }], 'Math.random is called'],
    [
      'a view that counts',
      [
        {},
        seen({
          get n() {
            return (calls += 1)
          },
        }),
      ],
      'view() differs when it is asked twice for seat 0',
    ],
    ['NaN', [{}, seen({ left: [0, NaN] })], 'view() of seat 0 does not survive JSON: view.left.1 is NaN'],
    ['a Map', [{}, seen({ cards: new Map() })], 'view.cards is a Map'],
    ['a function', [{}, seen({ legal: () => 1 })], 'view.legal is a function'],
    ['a cycle', [{}, seen({ cyclic })], 'view.cyclic.self holds itself'],
    ['a bigint', [{}, seen({ chips: 1n })], 'view.chips is a bigint'],
    [
      'a setup that is not done',
      [{}, { setup: async (...words) => Promise.resolve(kuhn.game.setup(...words)) }],
      'setup() gives a promise, and has to give a state at once',
    ],
    ['nothing', [{}, { view: () => undefined }], 'view is nothing'],
    [
      'a play that changes the state it is given',
      [
        {},
        {
          play: (state, moves) => {
            ;(state as { pot?: number }).pot = 1
            return kuhn.game.play(state, moves)
          },
        },
      ],
      'it is not pure: ',
    ],
  ])('show %s', (_, words, why) => {
    expect(look(...words)).toThrow('the game kuhn (odd.ts) breaks its own rules: ')
    expect(look(...words)).toThrow(why)
  })

  it('are five: later ones are not looked at', () => {
    const broken = { ...kuhn, game: { ...kuhn.game }, board: () => 1 as unknown as string }
    const once = () => lookAtFirst({ definition: broken, file: 'odd.ts' }, record)
    for (let n = 0; n < 5; n++) expect(once).toThrow('board() gives number')
    expect(once).not.toThrow()
  })

  it('leave the clock and chance as they were', () => {
    const before = [Date, Math.random, Date.now]
    expect(look({}, { view: () => Math.random() })).toThrow('Math.random is called')
    expect([Date, Math.random, Date.now]).toEqual(before)
    expect(new Date() instanceof Date).toBe(true)
  })
})

let calls = 0
