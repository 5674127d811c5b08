import { describe, expect, it } from 'vitest'
import { describeGame } from '../../kits/index.js'
import { transcript } from '../../../test/kit/walk.js'
import { newLuck, shownSeats } from '../../core/index.js'
import definition from './index.js'
import type { StrongerOptions as Options } from './rules.js'

const { game } = definition
describeGame(
  definition,
  { describe, it },
  {
    games: 50,
    options: [
      { ...game.options, life: 60, turns: 40, controller: '2015' },
      { ...game.options, life: 30, power: 3, turns: 5 },
    ],
  },
)

describe('golden transcripts: what each seat sees', () => {
  const actions = [
    ['1', 'D', '1'],
    ['1', '1', { fault: 'illegal', said: '9', why: 'not among the legal actions' } as const],
    [{ fault: 'timeout' } as const, '2', '0'],
  ]

  it('by the text', async () => {
    const options: Options = { life: 40, power: 10, turns: 6, controller: 'text' }
    await expect(transcript(definition, { seed: 'a', seats: 3, options, actions })).toMatchFileSnapshot(
      'golden/text.txt',
    )
  })

  it('by the controller of 2015', async () => {
    const options: Options = { life: 40, power: 10, turns: 6, controller: '2015' }
    await expect(transcript(definition, { seed: 'a', seats: 3, options, actions })).toMatchFileSnapshot(
      'golden/2015.txt',
    )
  })
})

describe('on the terminal', () => {
  const start = game.setup(3, { ...game.options, life: 20, controller: '2015' }, newLuck('a'))
  const fault = { fault: 'unparsable', said: 'ab\tc' } as const
  const state = game.play(game.play(start, ['2', '2', fault]), ['D', '0', undefined])

  it('shows everyone, seats in order, and marks the own seat', () => {
    expect(definition.text?.(game.view(state, 0), 0)).toBe(
      [
        'turn 3 of 1000, seat 0',
        '* seat 0    life   15  power  11  defended',
        '  seat 1    life   20  power  10  attacked 0',
        '  seat 2    dead                  said "ab?c"',
      ].join('\n'),
    )
  })

  it('shows the position alike, before the first turn too', () => {
    expect(definition.board?.(start, shownSeats([])).split('\n')[0]).toBe('  seat 0    life   20  power  10')
    expect(definition.board?.(state, shownSeats([]))).toContain('  seat 0    life   15  power  11  defended')
  })
})
