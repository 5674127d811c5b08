import { describe, expect, it } from 'vitest'
import { readMove } from '../../core/index.js'
import type { BotOutput, Move } from '../../core/index.js'
import { OPTIONS } from './options.js'
import { negotiate } from './rules.js'
import { lines } from './wires.js'

const me = (seat: number) => ({ seat, ids: [0, 1, 2, 3], field: 4 })
const start = negotiate.setup(4, OPTIONS, { seed: '', at: 0, tape: [3, 4, 5, 6, 3, 4] })
const night = negotiate.play(start, ['0 0 0 0 0', '1 1 1 1 1', '2 2 2 2 2', '3 3 3 3 3'])
const morning = negotiate.play(night, ['4 4', '4 5', '5 5', '0 1'])
const ask = (state: typeof start, seat: number) => lines.ask(negotiate.view(state, seat), me(seat)).lines
const moveOf = (state: typeof start, output: BotOutput): Move<string> =>
  readMove(negotiate, lines, output, negotiate.view(state, 0), me(0))

describe('what a program is sent (rules 6.1 to 6.3)', () => {
  it('has 5 s to print READY and 1 s a turn; it lives for one game', () => {
    expect(lines).toMatchObject({ transport: 'lines', memory: 'match', limits: { ready: 5000, turn: 1000 } })
    expect(lines.ready).toMatchObject({ at: 'match', within: 'ready' })
    expect(lines.ready?.ok({ out: 'READY' })).toBe(true)
    expect(lines.ready?.ok({ out: 'READY\r' })).toBe(true)
    expect(lines.ready?.ok({ out: 'ready' })).toBe(false)
    expect(lines.ready?.ok({ out: 'READY', trouble: 'timeout' })).toBe(false)
    expect(lines.ready?.ok({})).toBe(false)
  })

  it('the settings', () => {
    expect(lines.start?.(negotiate.view(start, 2), me(2))).toEqual({ lines: ['9 4 6', '3 4 5 6 3 4'] })
  })

  it('a night: visible intimacies, its own first, and the real ones', () => {
    const rows = ['0 5 0 0', '0 0 5 0', '5 0 0 0', '0 0 0 5', '0 0 0 0', '0 0 0 0']
    expect(ask(night, 2)).toEqual(['2 N', ...rows, '0 0 5 0 0 0'])
  })

  it('a day: the visits of the night before as well', () => {
    const rows = ['5 0 0 0', '0 5 0 0', '0 0 5 0', '0 0 0 5', '0 0 0 0', '0 0 0 0']
    expect(ask(morning, 0)).toEqual(['3 D', ...rows, '5 0 0 0 4 0', '1 1 0 0 3 3'])
    expect(ask(start, 0)).toEqual(['1 D', ...rows.map(() => '0 0 0 0'), '0 0 0 0 0 0', '0 0 0 0 0 0'])
  })
})

describe('what counts as an answer (rule 6.4)', () => {
  it('any order, any blanks, a carriage return', () => {
    expect(moveOf(start, { out: '5 1 4 1 0' })).toBe('0 1 1 4 5')
    expect(moveOf(start, { out: '  5\t1 4  1 00 \r' })).toBe('0 1 1 4 5')
    expect(moveOf(night, { out: '3 0' })).toBe('0 3')
  })
})

describe('faults (rule 4.3)', () => {
  const cases: readonly (readonly [string, BotOutput, string, RegExp])[] = [
    ['an empty line', { out: '' }, 'silent', /empty/],
    ['blanks', { out: ' \r' }, 'silent', /empty/],
    ['nothing', {}, 'silent', /empty/],
    ['too few', { out: '0 1 2 3' }, 'unparsable', /4 lords instead of 5/],
    ['too many', { out: '0 1 2 3 4 5' }, 'unparsable', /6 lords instead of 5/],
    ['words', { out: '0 1 two 3 4' }, 'unparsable', /"two" is no number/],
    ['fractions', { out: '0 1 2.5 3 4' }, 'unparsable', /"2\.5"/],
    ['a negative lord', { out: '0 1 -1 3 4' }, 'unparsable', /"-1"/],
    ['a lord that does not exist', { out: '0 1 2 3 6' }, 'illegal', /no lord 6/],
    ['a late answer, whatever it said', { trouble: 'timeout', out: '0 1 2 3 4' }, 'timeout', /^$/],
    ['an end', { trouble: 'crash', why: 'ended with exit code 3' }, 'crash', /exit code 3/],
  ]
  it.each(cases)('%s', (_, output, fault, why) => {
    const move = moveOf(start, output)
    expect(move).toMatchObject({ fault })
    expect((move as { why?: string }).why ?? '').toMatch(why)
    expect(negotiate.play(start, [move, '0 0 0 0 0', '0 0 0 0 0', '0 0 0 0 0']).terminated[0]).toBe(true)
  })
})
