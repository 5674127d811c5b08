import { describe, expect, it } from 'vitest'
import { readMove, wiresOf } from '../../core/index.js'
import type { BotOutput, Move } from '../../core/index.js'
import definition from './index.js'
import { OPTIONS } from './options.js'
import { negotiate } from './rules.js'
import { actionOf } from './view.js'
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
    for (const out of ['ready', 'Ready', ' rEADY\t']) expect(lines.ready?.ok({ out })).toBe(true)
    for (const out of ['', 'READY!', 'not ready', 'READY 1']) expect(lines.ready?.ok({ out })).toBe(false)
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

describe('what counts as an answer (rules 6.4 to 6.6)', () => {
  it('any order, any blanks, a carriage return', () => {
    expect(moveOf(start, { out: '5 1 4 1 0' })).toBe('0 1 1 4 5')
    expect(moveOf(start, { out: '  5\t1 4  1 00 \r' })).toBe('0 1 1 4 5')
    expect(moveOf(night, { out: '3 0' })).toBe('0 3')
  })

  it('the first five words by day and the first two by night: more are ignored', () => {
    expect(moveOf(start, { out: '1 2 3 4 5 5' })).toBe('1 2 3 4 5')
    expect(moveOf(start, { out: '1 2 3 4 5 and so on' })).toBe('1 2 3 4 5')
    expect(moveOf(night, { out: '1 2 3 4 5' })).toBe('1 2')
  })

  it('lord 0 for each word that is missing or names no lord', () => {
    expect(moveOf(start, { out: '1 2 3 4' })).toBe('0 1 2 3 4')
    expect(moveOf(start, { out: '5' })).toBe('0 0 0 0 5')
    expect(moveOf(night, { out: '4' })).toBe('0 4')
    // The first word counts in its place: the next do not move up.
    expect(moveOf(start, { out: 'lords: 1 2 3 4 5' })).toBe('0 1 2 3 4')
  })

  it.each([
    ['03', 3],
    ['+3', 3],
    ['3x', 3],
    ['3,', 3],
    ['3.0', 3],
    ['3.9', 3],
    ['0x3', 3],
    ['-0', 0],
    ['5', 5],
    ['6', 0],
    ['12', 0],
    ['-1', 0],
    ['-3', 0],
    ['1e9', 1],
    ['99999999999999999999', 0],
    ['x3', 0],
    ['two', 0],
    ['null', 0],
    ['NaN', 0],
    ['Infinity', 0],
    // U+0661, an Arabic digit, and U+FF13, a wide one, in bytes.
    ['\xd9\xa1', 0],
    ['\xef\xbc\x93', 0],
  ])('the word %j is lord %i (rule 6.6)', (word, lord) => {
    expect(moveOf(night, { out: `${word} 4` })).toBe(actionOf([lord, 4]))
  })

  it('a blank that is no blank of ASCII is part of its word', () => {
    expect(moveOf(night, { out: '3\xa05 4' })).toBe('3 4')
  })
})

describe('an answer that is a fault means lord 0 for its turn, and the next one is asked for (rule 4.4)', () => {
  const cases: readonly (readonly [string, BotOutput, string, RegExp])[] = [
    ['an empty line', { out: '' }, 'silent', /empty/],
    ['blanks', { out: ' \t \r' }, 'silent', /empty/],
    ['nothing', {}, 'silent', /empty/],
    ['no lord at all', { out: 'a b c d e' }, 'unparsable', /no lord from 0 to 5/],
    ['lords that come too late in the line', { out: 'I go to the lords 1 2 3 4 5' }, 'unparsable', /no lord/],
    ['five that do not exist', { out: '6 7 8 9 10' }, 'unparsable', /no lord/],
  ]
  it.each(cases)('%s', (_, output, fault, why) => {
    const move = moveOf(start, output)
    expect(move).toMatchObject({ fault })
    expect((move as { why?: string }).why ?? '').toMatch(why)
    const next = negotiate.play(start, [move, '1 1 1 1 1', '2 2 2 2 2', '3 3 3 3 3'])
    expect(next.real.map(([mine]) => mine)).toEqual([5, 0, 0, 0, 0, 0])
    expect(negotiate.toMove(next)).toEqual([0, 1, 2, 3])
  })

  it.each([
    ['jsonl', { out: 'hello' }, 'unparsable'],
    ['jsonl', { out: '' }, 'silent'],
    ['jsonl', { out: '{"action":[1,2,3,4,5]}' }, 'unparsable'],
    ['jsonl', { out: '{"action":"5 4 3 2 1"}' }, 'illegal'],
    ['jsonl', { out: '{"action":"1 2 3 4 5 5"}' }, 'illegal'],
    ['module', {}, 'silent'],
    ['module', { out: '1 2 3 4' }, 'illegal'],
  ])("on agon's own wires, too: %s, %j", (name, output, fault) => {
    const wire = wiresOf(definition, OPTIONS)[name] ?? expect.fail('no such wire')
    const move = readMove(negotiate, wire, output, negotiate.view(start, 0), me(0))
    expect(move).toMatchObject({ fault })
    const next = negotiate.play(start, [move, '1 1 1 1 1', '2 2 2 2 2', '3 3 3 3 3'])
    expect(next.real.map(([mine]) => mine)).toEqual([5, 0, 0, 0, 0, 0])
    expect(next.terminated).toEqual([false, false, false, false])
  })
})

describe('time and an end terminate (rule 4.3)', () => {
  it.each([
    ['a late answer, whatever it said', { trouble: 'timeout', out: '0 1 2 3 4' }],
    ['an end', { trouble: 'crash', why: 'ended with exit code 3' }],
    ['too much output', { trouble: 'flood' }],
    ['what comes after an end', { trouble: 'killed' }],
  ] as const)('%s', (_, output) => {
    const move = moveOf(start, output)
    expect(move).toMatchObject({ fault: output.trouble })
    expect(negotiate.play(start, [move, '0 0 0 0 0', '0 0 0 0 0', '0 0 0 0 0']).terminated[0]).toBe(true)
  })
})
