import { describe, expect, it } from 'vitest'
import { deal, decide } from '../../../test/kit/coup.js'
import { readMove } from '../../core/index.js'
import type { BotOutput, Move } from '../../core/index.js'
import { coup } from './rules.js'
import type { State } from './rules.js'
import { file } from './wires.js'

const me = { seat: 0, ids: [0, 1], field: 2 }
const viewOf = (state: State) => coup.view(state, coup.toMove(state)[0] ?? 0)
const ask = (state: State) => file.ask(viewOf(state), me)
const moveOf = (state: State, output: BotOutput): Move<string> => readMove(coup, file, output, viewOf(state), me)
/** The judgement on a program that appended this text. */
const append = (state: State, text: string, more: BotOutput = {}): Move<string> =>
  moveOf(state, { file: state.file + text, out: '', ...more })

const first = deal('$*^!~!')
const robbed = decide(first, 'S')
const exchange = decide(first, 'E', 'p')

describe('what a program is sent (rules 8.1 to 8.4)', () => {
  it('the first call', () => {
    expect(ask(first)).toEqual({ argv: ['1', '1', '$*', 'I\n', 'F', 'E', 'S', 'T'], file: '' })
  })
  it('an answer', () => {
    expect(ask(robbed)).toEqual({ argv: ['1', '1', '^!', 'a', 'c', 'p', 'q'], file: 'S' })
  })
  it('an exchange: the offer before the own cards, a newline as the only move', () => {
    expect(ask(exchange)).toEqual({ argv: ['1', '1', '~!$*', '\n'], file: 'Ep' })
  })
  it('a card for each copy, with a newline on the own turn', () => {
    const twins = deal('~~^^')
    expect(ask(decide(twins, 'T', 'q')).argv).toEqual(['1', '1', '~~', '_\n', '_\n'])
    expect(ask(decide(deal('$$^^~'), 'T', 'q', '$')).argv).toEqual(['1', '1', '^^', "'", "'"])
  })
  it('is wide open for 1 s and remembers what the contest allows (rules 8.13, 8.14)', () => {
    expect(file).toMatchObject({ transport: 'turn', file: 'game.txt', memory: 'tournament', limits: { turn: 1000 } })
  })
})

describe('what counts as a move (rules 8.5 to 8.7)', () => {
  it('the listed text, appended', () => {
    expect(append(first, 'I\n')).toBe('I')
    expect(append(first, 'T')).toBe('T')
    expect(append(robbed, 'c')).toBe('c')
    expect(append(decide(robbed, 'c'), '\n')).toBe('end')
    expect(append(decide(deal('~~^^'), 'T', 'q'), '_\n')).toBe('_')
  })
  it('in an exchange with the kept cards on standard output, blanks ignored', () => {
    expect(append(exchange, '\n', { out: '!$' })).toBe('keep !$')
    expect(append(exchange, '\n', { out: ' $!\r\n' })).toBe('keep $!')
  })
  it('whatever else is printed outside an exchange', () => {
    expect(append(first, 'T', { out: 'thinking of tax' })).toBe('T')
  })
})

describe('forfeits', () => {
  const cases: readonly (readonly [string, Move<string>, string, RegExp])[] = [
    ['a non-zero exit code (8.12)', append(first, 'T', { exit: 3 }), 'unparsable', /exit code 3/],
    ['nothing appended (8.10)', append(robbed, ''), 'silent', /nothing/],
    ['nothing appended on the first call (8.10)', append(first, ''), 'silent', /nothing/],
    ['a file that is gone (8.9)', moveOf(robbed, { out: '' }), 'unparsable', /removed/],
    ['a file that was changed (8.9)', moveOf(robbed, { file: 'Tc' }), 'unparsable', /altered/],
    ['a file that was cut (8.9)', moveOf(robbed, { file: '' }), 'unparsable', /altered/],
    ['more than two characters (8.9)', append(robbed, 'ccc'), 'unparsable', /altered/],
    ['a move that is not allowed (8.11)', append(first, 'A'), 'illegal', /"A"/],
    ['a stray letter before a newline (8.11)', append(decide(robbed, 'c'), 'z\n'), 'illegal', /"z\\n"/],
    ['a stray letter before a legal one (8.11)', append(robbed, 'zc'), 'illegal', /"zc"/],
    ['a newline that was not listed (8.11)', append(robbed, 'p\n'), 'illegal', /"p\\n"/],
    ['a newline that is missing (8.6)', append(decide(deal('~~^^'), 'T', 'q'), '_'), 'illegal', /"_"/],
    ['income without its newline (8.6)', append(first, 'I'), 'illegal', /"I"/],
    ['an exchange that keeps too many (5.2)', append(exchange, '\n', { out: '~!$' }), 'illegal', /cannot keep/],
    ['an exchange for a card that is not there (5.2)', append(exchange, '\n', { out: '^$' }), 'illegal', /cannot keep/],
    ['an exchange for two of one (5.2)', append(exchange, '\n', { out: '$$' }), 'illegal', /cannot keep/],
    ['an exchange without a word (5.2)', append(exchange, '\n', { out: ' ' }), 'silent', /printed no cards/],
    ['a time-out, whatever was written (6.3)', append(first, 'T', { trouble: 'timeout' }), 'timeout', /^$/],
    ['a crash (6.3)', append(first, 'T', { trouble: 'crash', why: 'signal SIGSEGV' }), 'crash', /SIGSEGV/],
  ]
  it.each(cases)('%s', (_, move, fault, why) => {
    expect(move).toMatchObject({ fault })
    expect((move as { why?: string }).why ?? '').toMatch(why)
    expect(coup.outcome(decide(first, move as never))).toEqual({ place: [2, 1], reason: 'forfeit' })
  })
})
