import { describe, expect, test } from 'vitest'
import type { Fault, Me, Outcome } from '../../core/index.js'
import { newLuck } from '../../core/index.js'
import { ACTIONS, gunduel } from './rules.js'
import type { Action, State } from './rules.js'
import { wires } from './wires.js'

const ME: readonly Me[] = [0, 1].map((seat) => ({ seat, ids: [4, 11], field: 12 }))
const [first, second] = ME as [Me, Me]
const duel = (a: string, b: string): State =>
  [...a].reduce(
    (state, action, n) => gunduel.play(state, [action as Action, b[n] as Action]),
    gunduel.setup(2, gunduel.options, newLuck('')),
  )
const at = (state: State, me: Me) => gunduel.view(state, me.seat)
const late: Fault = { fault: 'timeout' }
const outcome = (state: State) => gunduel.outcome(state) as Outcome

describe('exit (rules 14 and 15)', () => {
  const { ask, read, end } = wires.exit
  test('the arguments: seven, and five on turn 0', () => {
    expect(ask(at(duel('', ''), first), first)).toEqual({ argv: ['11', '0', '3', '0', '0'] })
    expect(ask(at(duel('00-', '0-0'), first), first)).toEqual({ argv: ['11', '3', '3', '2', '2', '00-', '0-0'] })
    expect(ask(at(duel('01', '--'), second), second)).toEqual({ argv: ['4', '2', '3', '0', '0', '--', '01'] })
  })
  test("the exit code is the action's ASCII code, anything else is unparsable", () => {
    const view = at(duel('', ''), first)
    const output = Array.from({ length: 256 }, (_, code) => read(code === 0 ? {} : { exit: code }, view, first))
    expect(output.filter((move) => typeof move === 'string').sort()).toEqual([...ACTIONS].sort())
    for (const [code, action] of [
      [48, '0'],
      [49, '1'],
      [50, '2'],
      [45, '-'],
      [61, '='],
    ] as const) {
      expect(output[code]).toBe(action)
    }
    expect(output[0]).toMatchObject({ fault: 'unparsable' })
    expect(output[255]).toMatchObject({ fault: 'unparsable' })
  })
  test('the closing call: status, turns played, rounds below zero', () => {
    const shot = duel('01', '00')
    expect(end?.(at(shot, first), outcome(shot), first)).toEqual({ argv: ['11', '2', '1', '0', '2', '01', '00'] })
    expect(end?.(at(shot, second), outcome(shot), second)).toEqual({ argv: ['4', '2', '2', '2', '0', '00', '01'] })
    const both = duel('1', '2')
    expect(end?.(at(both, first), outcome(both), first)).toEqual({ argv: ['11', '1', '0', '-1', '-2', '1', '2'] })
  })
  test('the closing call after a fault has the turns before it', () => {
    const early = gunduel.play(duel('', ''), [late, '0'])
    expect(end?.(at(early, second), outcome(early), second)).toEqual({ argv: ['4', '0', '1', '0', '0'] })
    const later = gunduel.play(duel('0', '-'), ['0', late])
    expect(end?.(at(later, second), outcome(later), second)).toEqual({ argv: ['4', '1', '2', '0', '1', '-', '0'] })
  })
})

describe('lines (rule 16)', () => {
  const { start, ask, read, update, end } = wires.lines
  test('I with the identifier, F, P with the action of the other', () => {
    expect(start?.(at(duel('', ''), first), first)).toEqual({ lines: ['I11'] })
    expect(ask(at(duel('', ''), first), first)).toEqual({ lines: ['F'] })
    expect(update?.(at(duel('0-', '-='), first), first)).toEqual({ lines: ['P='] })
    expect(update?.(at(duel('0-', '-='), second), second)).toEqual({ lines: ['P-'] })
    expect(end).toBeUndefined()
  })
  test('the deciding turn is sent, a faulted one is not', () => {
    expect(update?.(at(duel('01', '00'), second), second)).toEqual({ lines: ['P1'] })
    expect(update?.(at(duel('1', '0'), second), second)).toEqual({ lines: ['P1'] })
    const faulted = gunduel.play(duel('0', '-'), ['0', late])
    for (const me of ME) expect(update?.(at(faulted, me), me)).toBeUndefined()
  })
  test('an answer is the action alone; blanks and a carriage return do not count', () => {
    const view = at(duel('', ''), first)
    for (const action of ACTIONS) {
      for (const out of [action, `${action}\r`, ` ${action} `]) expect(read({ out }, view, first)).toBe(action)
    }
    for (const out of ['', '\r', '  ']) expect(read({ out }, view, first)).toMatchObject({ fault: 'silent' })
    for (const out of ['3', '00', '0 0', 'F0', '\u00960']) {
      expect(read({ out }, view, first)).toMatchObject({ fault: 'unparsable', said: out })
    }
  })
})

describe('class (rules 19 to 21)', () => {
  test('the lines, the rounds at the start, the own action, the result', () => {
    const { start, ask, update, end, shim } = wires.class
    expect(shim).toBe('shim')
    expect(start?.(at(duel('', ''), first), first)).toEqual({ lines: ['I11 0'] })
    expect(ask(at(duel('', ''), first), first)).toEqual({ lines: ['F'] })
    const shot = duel('01', '00')
    expect(update?.(at(shot, first), first)).toEqual({ lines: ['P01'] })
    expect(ME.map((me) => end?.(at(shot, me), outcome(shot), me))).toEqual([{ lines: ['R1'] }, { lines: ['R2'] }])
    const both = duel('1', '2')
    expect(end?.(at(both, first), outcome(both), first)).toEqual({ lines: ['R0'] })
    const faulted = gunduel.play(duel('0', '-'), ['0', late])
    expect(update?.(at(faulted, first), first)).toBeUndefined()
    expect(end?.(at(faulted, first), outcome(faulted), first)).toEqual({ lines: ['R1'] })
  })
  test('class-original opens with J', () => {
    expect(wires['class-original'].start?.(at(duel('', ''), first), first)).toEqual({ lines: ['J11 0'] })
  })
})
