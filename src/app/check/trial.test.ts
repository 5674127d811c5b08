import { expect, test } from 'vitest'
import { linesOnce } from './trial.js'

test('a text that is the same block over and over is shown once, and how often it came', () => {
  expect(linesOnce('Traceback:\n  f\nTraceback:\n  f\nTraceback:\n  f')).toEqual([
    'Traceback:',
    '  f',
    '(this 3 times over)',
  ])
})

test('lines that differ, or repeat in part only, are all shown', () => {
  expect(linesOnce('Traceback:\n  f\n  f\nKeyError')).toEqual(['Traceback:', '  f', '  f', 'KeyError'])
  expect(linesOnce('one')).toEqual(['one'])
})
