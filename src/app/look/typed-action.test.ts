import { describe, expect, it, test } from 'vitest'
import { type Typed, choicesText, typedAction } from './typed-action.js'

const LORDS = ['0 0 1', '0 1 1', '0 1 2', '1 1 2']

describe('what is typed', () => {
  it.each<[text: string, before: readonly string[], typed: Typed]>([
    ['0 1 2', [], { action: '0 1 2' }],
    ['2 0 1', [], { action: '0 1 2' }],
    ['1', [], { words: ['1'] }],
    ['1', ['1'], { words: ['1', '1'] }],
    ['0', ['1', '1'], { action: '0 1 1' }],
    ['0', ['1', '1', '2'], undefined],
    ['3', [], undefined],
    ['', [], undefined],
  ])('as lords: %o after %o', (text, before, typed) => {
    expect(typedAction(text, LORDS, {}, before)).toMatchObject(typed ?? {})
    expect(typedAction(text, LORDS, {}, before) === undefined).toBe(typed === undefined)
  })

  it.each([
    ['b', 'B'],
    ['Guard', 'G'],
    [' B ', 'B'],
  ])('as an action: %o', (text, action) => {
    expect(typedAction(text, ['B', 'G'], { G: 'guard' })).toEqual({ action })
  })

  it('means the action as it stands before another in other letters', () => {
    expect(typedAction('b', ['B', 'b'])).toEqual({ action: 'b' })
    // Of several in other letters it is not said which is meant.
    expect(typedAction('ab', ['AB', 'aB'])).toBeUndefined()
  })
})

test('what may be typed: seats have names, and many actions of several words are told by their words', () => {
  expect(choicesText(['0', '1', 'D'], ['Ant', 'you'], (action) => action)).toBe('0 Ant | 1 you | D')
  // A number that means something else is no seat.
  expect(choicesText(['0'], ['Ant'], (action) => `${action} load`)).toBe('0 load')
  const many = Array.from({ length: 30 }, (_, i) => `${i % 6} ${Math.floor(i / 6)}`)
  expect(choicesText(many, [], (action) => action)).toBe('2 words, together or one by one: 0 | 1 | 2 | 3 | 4 | 5')
})
