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
      { turns: 30, health: 2, honour: 0, sword: 2 },
      { turns: 1, health: 1, honour: 9, sword: 0 },
    ],
  },
)

const letters = (a: string, b: string): Moves<string>[] => [...a].map((own, t) => [own, b.charAt(t)])

describe('golden transcripts: what each seat sees', () => {
  it('a match with every action, a fault and the gods over death (rules 4.2, 5.6)', async () => {
    const timeout: Moves<string> = [{ fault: 'timeout', why: 'no answer within 1000 ms' }, 'W']
    const silent: Moves<string> = ['O', { fault: 'silent' }]
    const actions = [...letters('WGIP', 'BGGP'), silent, timeout, ...letters('I', 'B')]
    const played = transcript(definition, {
      seed: 'a',
      seats: 2,
      options: { ...definition.game.options, health: 2, honour: 3 },
      actions,
    })
    await expect(played).toMatchFileSnapshot('golden/actions.txt')
  })

  it('the Sword of the Gods and the turn limit (rules 3.7, 3.8, 4.5)', async () => {
    const actions = letters('BIIBI', 'WBWGP')
    const played = transcript(definition, {
      seed: 'b',
      seats: 2,
      options: { ...definition.game.options, turns: 5, honour: 6 },
      actions,
    })
    await expect(played).toMatchFileSnapshot('golden/sword.txt')
  })
})

describe('on the terminal', () => {
  const { game } = definition
  const state = game.play(game.setup(2, { ...game.options, honour: 7 }, { seed: '', at: 0 }), ['I', 'W'])

  it('shows a seat both samurai, itself first', () => {
    expect(definition.text?.(game.view(state, 1), 1)).toBe(
      [
        'turn 2 of 500, seat 1',
        'you     health 18  honour  7  W  Sword of the Gods',
        'enemy   health 20  honour  6  I',
      ].join('\n'),
    )
  })

  it('shows the position, seats in order, and the last 30 letters of a long history', () => {
    expect(definition.board?.(state, shownSeats([]))).toBe(
      'seat 0  health 20  honour  6  I\nseat 1  health 18  honour  7  W  Sword of the Gods',
    )
    let long = state
    for (let t = 0; t < 40; t++) long = game.play(long, ['B', 'W'])
    expect(definition.board?.(long, shownSeats([]))).toContain(` …${'W'.repeat(30)} `)
  })

  it('has a word for every action', () => {
    expect(Object.keys(definition.actions ?? {})).toEqual(game.legal(game.view(state, 0)))
  })
})
