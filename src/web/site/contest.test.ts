import { expect, it } from 'vitest'
import { seriesText } from './contest.js'

it('says what is being played of bots that remember', () => {
  expect(seriesText({})).toBe('')
  expect(seriesText({ series: { playing: 1, matches: 20 } })).toBe(', and a series of 20 is being played')
  expect(seriesText({ series: { playing: 3, matches: 3000 } })).toBe(
    ', and 3 series of 3,000 together are being played',
  )
})
