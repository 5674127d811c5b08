import { expect, test } from 'vitest'
import type { Move } from '../../core/index.js'
import { newLuck } from '../../core/index.js'
import { transcript } from '../../../test/kit/walk.js'
import definition from './index.js'
import { gunduel } from './rules.js'
import type { Action } from './rules.js'
import { actions, board, text } from './text.js'

const script = (a: string, b: string): (readonly Move<string>[])[] => [...a].map((action, n) => [action, b.charAt(n)])
const DUELS = {
  random: { seed: 'golden', seats: 2 },
  example: { seed: '', seats: 2, actions: script('001-000-1201101001----2', '00-10-=1-==--0100-1---1') },
  fault: { seed: '', seats: 2, actions: [...script('00', '0-'), ['0', { fault: 'crash', why: 'signal SIGSEGV' }]] },
  limit: { seed: '', seats: 2, options: { turns: 3, ammo: 1 }, actions: script('-0=', '10-') },
} as const

test.each(Object.entries(DUELS))("each seat's view and every move: %s", async (name, playing) => {
  await expect(transcript(definition, playing)).toMatchFileSnapshot(`golden/${name}.txt`)
})

test('the terminal: what a seat knows and the whole duel', () => {
  const played = (a: string, b: string) =>
    script(a, b).reduce(
      (state, moves) => gunduel.play(state, moves as Move<Action>[]),
      gunduel.setup(2, gunduel.options, newLuck('')),
    )
  expect(text(gunduel.view(played('00', '0-'), 1))).toBe('turn 2 of 100\nyou   1 round   0-\nfoe   2 rounds  00')
  expect(board(played('00', '0-'))).toBe('turn 2 of 100\nseat 0   2 rounds  00\nseat 1   1 round   0-')
  expect(board(played('02', '0-'))).toBe('over after turn 2: burst\nseat 0  -1 rounds  02  lost\nseat 1   1 round   0-')
  expect(text(gunduel.view(played('02', '0-'), 0))).toMatch(/^over after turn 2: burst\n/)
  expect(Object.keys(actions).sort()).toEqual([...gunduel.legal(gunduel.view(played('', ''), 0))].sort())
})
