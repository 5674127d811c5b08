import { expect, it } from 'vitest'
import { legal } from '../../games/negotiate/view.js'
import { actionOfKey, keysOf, matching } from './actions.js'

const named = legal({ due: true, forces: [3, 4, 5, 3, 4, 5], negotiations: 5 }).map((action) => ({
  action,
  word: `lords ${action}`,
}))

it('finds each of 252 actions by typing it, or its words', () => {
  expect(named).toHaveLength(252)
  expect(matching(named, '')).toEqual(named)
  for (const one of named)
    for (const typed of [one.action, ` ${one.action}  `, one.word.toUpperCase()])
      expect(matching(named, typed)[0]).toEqual(one)
})

it('narrows them: what begins so comes before what has it in it', () => {
  const found = matching(named, '4 4').map(({ action }) => action)
  expect(found[0]).toBe('4 4 4 4 4')
  expect(found).toContain('0 0 0 4 4')
  expect(found.every((action) => action.includes('4 4'))).toBe(true)
  expect(matching(named, '6')).toEqual([])
})

it('chooses by the sign that the game writes, in either case, and by numbers where there is none', () => {
  const samurai = keysOf(['B', 'G', 'S'])
  expect([actionOfKey(samurai, 'b'), actionOfKey(samurai, 'B'), actionOfKey(samurai, '1')]).toEqual([
    'B',
    'B',
    undefined,
  ])
  const stronger = keysOf(['0', '2', 'D'])
  expect([actionOfKey(stronger, '2'), actionOfKey(stronger, 'd'), actionOfKey(stronger, '1')]).toEqual([
    '2',
    'D',
    undefined,
  ])
  const words = keysOf(['raise', 'fold'])
  expect([actionOfKey(words, '1'), actionOfKey(words, '2'), actionOfKey(words, '3')]).toEqual([
    'raise',
    'fold',
    undefined,
  ])
  // Of two that differ in their case alone only the one that is typed is meant.
  const both = keysOf(['a', 'A'])
  expect([actionOfKey(both, 'a'), actionOfKey(both, 'A')]).toEqual(['a', 'A'])
})
