import { describe, expect, it } from 'vitest'
import { describeGame } from '../../kits/index.js'
import { transcript } from '../../../test/kit/walk.js'
import { type Moves, shownSeats } from '../../core/index.js'
import definition from './index.js'

describeGame(
  definition,
  { describe, it },
  {
    options: [
      { ...definition.game.options, turns: 7 },
      { ...definition.game.options, cards: 2, coins: 9, steal: 1, must: 12 },
    ],
  },
)

/** Calls as moves by seat: the seats are asked in turn. */
const calls = (...actions: string[]): Moves<string>[] =>
  actions.map((action, n) => (n % 2 === 0 ? [action, undefined] : [undefined, action]))

describe('golden transcripts: what each seat sees', () => {
  it('income, aid, a tax that is let through, then as chance has it (rules 2.1 to 2.7)', async () => {
    const actions = calls('I', 'F', 'p', 'end', 'T', 'p', 'end')
    await expect(transcript(definition, { seed: 'a', seats: 2, actions })).toMatchFileSnapshot('golden/first-turns.txt')
  })

  it('an exchange: only the exchanging seat sees the offer (rules 5.1, 7.2)', async () => {
    const options = { ...definition.game.options, turns: 12 }
    const actions = calls('E', 'p')
    await expect(transcript(definition, { seed: 'b', seats: 2, options, actions })).toMatchFileSnapshot(
      'golden/exchange.txt',
    )
  })

  it('a forfeit (rule 6.3)', async () => {
    const actions: Moves<string>[] = [
      ...calls('I'),
      [undefined, { fault: 'silent', why: 'appended nothing to the file' }],
    ]
    await expect(transcript(definition, { seed: 'c', seats: 2, actions })).toMatchFileSnapshot('golden/forfeit.txt')
  })
})

describe('on the terminal', () => {
  const { game } = definition
  it('tells a seat what it may know, cards by name', () => {
    const state = game.play(game.setup(2, game.options, { seed: '', at: 0, tape: ['~', '^', '*', '!'] }), [
      'F',
      undefined,
    ])
    expect(definition.text?.(game.view(state, 1), 1)).toBe(
      'call 2 of at most 200\nyou:  1 coin, Captain *, Contessa !\nthey: 1 coin, 2 hidden cards\nnow:   F',
    )
    expect(definition.board?.(state, shownSeats([]))).toBe(
      '0: 1 coin, Ambassador ~, Assassin ^\n1: 1 coin, Captain *, Contessa !\ndeck: ~~^^**!!$$$\nnow:   F',
    )
  })

  it('has words for every action that is ever legal', () => {
    for (const seed of ['a', 'b', 'c', 'd']) {
      for (const [, action] of transcript(definition, { seed, seats: 2 }).matchAll(/plays "([^"]+)"/g)) {
        expect(definition.actions).toHaveProperty([action ?? ''])
      }
    }
  })
})
