import { expect, test } from 'vitest'
import { outcomeText } from './matches.js'

test.each([
  [[1, 2, 3], 'Ant wins: end'],
  [[1, 1, 1], 'a draw: end'],
  [[1, 1, 3], 'Ant and Bee share first place: end'],
])('how a match ended: %j', (place, text) => {
  expect(outcomeText(['Ant', 'Bee', 'Cat'], { place, reason: 'end' })).toBe(text)
})
