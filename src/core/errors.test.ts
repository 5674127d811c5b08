import { expect, test } from 'vitest'
import { didYouMean, messageOf, nearest } from './errors.js'

const formats = ['round-robin', 'ordered-pairs', 'last-standing', 'free-for-all', 'groups']

test('the nearest word is guessed, whatever its case', () => {
  expect(nearest('round-robbin', formats)).toBe('round-robin')
  expect(nearest('Group', formats)).toBe('groups')
  expect(nearest('sede', ['seed', 'jobs'])).toBe('seed')
  expect(nearest('nam', ['name', 'command'])).toBe('name')
  expect(nearest('rnu', ['run', 'play'])).toBe('run')
})

test('nothing is guessed where nothing is near', () => {
  expect(nearest('swiss', formats)).toBeUndefined()
  expect(nearest('x', [])).toBeUndefined()
  expect(nearest('x', ['y'])).toBeUndefined()
  expect(didYouMean('swiss', formats)).toBe('')
  expect(didYouMean('grups', formats)).toBe(' (did you mean "groups"?)')
})

test('of two near words the nearer one wins', () => {
  expect(nearest('lines', ['liner', 'lines2', 'line'])).toBe('liner')
  expect(nearest('command', ['commands', 'command'])).toBe('command')
})

test.each([
  [new Error('gone'), 'gone'],
  [new AggregateError([new Error('refused'), new Error('refused there')]), 'refused'],
  [new AggregateError([], 'none of them'), 'none of them'],
  [{ message: 'refused', stack: '' }, 'refused'],
  [{ message: 7 }, '[object Object]'],
  [null, 'null'],
  ['thrown', 'thrown'],
])('what is thrown is told by its message: %o', (thrown, told) => {
  expect(messageOf(thrown)).toBe(told)
})
