import fc from 'fast-check'
import { expect, test } from 'vitest'
import { newLuck } from '../../core/index.js'
import { gunduelArena } from './arena.js'
import { ACTIONS, gunduel } from './rules.js'
import type { Action, State, View } from './rules.js'

const luck = newLuck('')

test('the arena is the twin of play: the same views, turns and end, whatever is played', () => {
  const script = fc.array(fc.constantFrom(...ACTIONS), { minLength: 1, maxLength: 30 })
  const options = fc.record({ turns: fc.integer({ min: 1, max: 40 }), ammo: fc.integer({ min: 0, max: 30 }) })
  fc.assert(
    fc.property(options, fc.tuple(script, script), (setting, scripts) => {
      const arena = gunduelArena(gunduel, setting)
      const shown: View[][] = [[], []]
      const bots = scripts.map((actions, seat) => (view: View): Action => {
        const { turn, turns, ammo, opponentAmmo, history, opponentHistory, over } = view
        shown[seat]?.push({ turn, turns, ammo, opponentAmmo, history, opponentHistory, over })
        return actions.at(turn % actions.length) as Action
      })
      // The second match must owe nothing to the first.
      arena.match([...bots].reverse(), luck)
      shown[0] = []
      shown[1] = []
      const turns = arena.match(bots, luck)

      let state: State = gunduel.setup(2, setting, luck)
      let played = 0
      while (gunduel.toMove(state).length > 0) {
        for (const seat of [0, 1]) expect(shown[seat]?.[played]).toEqual(gunduel.view(state, seat))
        const moves = scripts.map((actions) => actions.at(played % actions.length) as Action)
        state = gunduel.play(state, moves)
        played++
      }
      expect(turns).toBe(played)
      expect(arena.outcome()).toEqual(gunduel.outcome(state))
      expect(shown.map((views) => views.length)).toEqual([played, played])
      const log = String.fromCharCode(...arena.log.subarray(0, 2 * turns))
      expect([...log].filter((_, n) => n % 2 === 0).join('')).toBe(state.histories[0])
      expect([...log].filter((_, n) => n % 2 === 1).join('')).toBe(state.histories[1])
    }),
    { numRuns: 300 },
  )
})

test('a duel needs two bots', () => {
  expect(() => gunduelArena(gunduel, gunduel.options).match([() => '0'], luck)).toThrow(RangeError)
})
