import { describe, expect, it } from 'vitest'
import { describeGame } from '../../kits/index.js'
import { transcript } from '../../../test/kit/walk.js'
import { shownSeats } from '../../core/index.js'
import definition from './index.js'

describeGame(
  definition,
  { describe, it },
  {
    games: 60,
    options: [
      { ...definition.game.options, turns: 3, lords: 2, settling: [] },
      { ...definition.game.options, turns: 12, day: 2, night: 3, weakest: 0, strongest: 0, settling: [4, 4, 2] },
    ],
  },
)

describe('golden transcripts: what each seat sees', () => {
  it('four daimyo to the end (rules 5.1 to 5.4)', async () => {
    await expect(transcript(definition, { seed: 'a', seats: 4 })).toMatchFileSnapshot('golden/four.txt')
  })

  it('a daimyo that is late on the second turn (rule 4.3)', async () => {
    const late = { fault: 'timeout', why: 'no whole line within 1000 ms' } as const
    const options = { ...definition.game.options, turns: 4, settling: [2] }
    const actions = [[], [undefined, late]]
    await expect(transcript(definition, { seed: 'b', seats: 4, options, actions })).toMatchFileSnapshot(
      'golden/late.txt',
    )
  })

  it('a daimyo whose second answer names no lord, and that goes on (rule 4.4)', async () => {
    const none = { fault: 'unparsable', why: 'names no lord from 0 to 5', said: 'six lords' } as const
    const options = { ...definition.game.options, turns: 4, settling: [2] }
    const actions = [[], [undefined, none]]
    await expect(transcript(definition, { seed: 'b', seats: 4, options, actions })).toMatchFileSnapshot(
      'golden/no-lord.txt',
    )
  })
})

describe('on the terminal', () => {
  const { game } = definition
  const start = game.setup(4, { ...game.options, lords: 2, turns: 2 }, { seed: '', at: 0, tape: [4, 5] })
  const night = game.play(start, ['0 0 0 0 1', '0 0 0 0 0', '1 1 1 1 1', '0 0 0 1 1'])
  const end = game.play(night, ['0 0', '0 0', { fault: 'crash' }, '1 1'])

  it('shows a seat its own column first', () => {
    expect(definition.text?.(game.view(night, 1), 1).split('\n')).toEqual([
      'turn 2 of 2, night: name 2 lords',
      '  lord force   you    d1    d2    d3  real',
      '     0     4     5     4     0     3     5',
      '     1     5     0     1     5     2     0',
      'strength: 0  0  0  0',
    ])
  })

  it('shows the whole position, who is out, and shared forces as fractions', () => {
    expect(definition.board?.(end, shownSeats([])).split('\n')).toEqual([
      'the game is over',
      '  lord force     0     1 2 out     3',
      '     0     4     8     9     4     3',
      '     1     5     1     0     5     6',
      'strength: 0  -1  0  1',
    ])
    const tie = game.play(game.play(start, ['0 0 0 0 0', '0 0 0 0 0', '1 1 1 1 1', '1 1 1 1 1']), [
      '0 0',
      '0 0',
      '1 1',
      '0 0',
    ])
    expect(definition.board?.(tie, shownSeats([])).split('\n').at(-1)).toBe('strength: -1/2  -1/2  1  0')
  })
})
