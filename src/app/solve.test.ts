import { expect, it } from 'vitest'
import gunduel from '../games/gunduel/index.js'
import { solve, solvedText } from './solve.js'

it('tells the value, and the beginning of the strategy', async () => {
  const solved = await solve(gunduel, { turns: 3 })
  expect([solved.game, solved.options]).toEqual(['gunduel', { turns: 3, ammo: 0 }])
  const [head, , , , first] = solvedText(solved).split('\n')
  expect(head).toMatch(/^value 0 for seat 0, exploitability 0 \(backward induction, \d+ positions\)$/)
  // The gun is empty, and so is the other's.
  expect(first).toMatch(/^\S.*\{"turn":0,"turns":3,"ammo":0,"opponentAmmo":0\}$/)
})

it('refuses options that the game refuses', async () => {
  await expect(solve(gunduel, { turns: 0 })).rejects.toThrow('turns must be a whole number from 1 on, not 0')
})
