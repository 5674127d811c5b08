import { expect, test } from 'vitest'
import { layoutOf } from './layout.js'

/** The height of a name with the line below, and the wider one's width. */
const [LINES, WIDTH] = [29, 200]

test.each([9, 12, 25, 40])('the words of %i bots stand beside the ring, none over another or over a bot', (n) => {
  const { spots, size, width, height, letters } = layoutOf(n)
  expect(letters).toBeGreaterThan(0)
  for (const anchor of ['start', 'end'] as const) {
    const own = spots.flatMap(({ aside }) => (aside?.anchor === anchor ? [aside] : [])).sort((a, b) => a.y - b.y)
    expect(Math.abs(own.length - n / 2)).toBeLessThan(1)
    own.slice(1).forEach(({ y }, i) => expect(y - (own[i]?.y ?? 0)).toBeGreaterThanOrEqual(LINES))
    for (const { x, y } of own) {
      expect(anchor === 'end' ? x : width - x).toBeGreaterThanOrEqual(WIDTH)
      expect(y).toBeGreaterThan(0)
      expect(y).toBeLessThan(height)
      for (const spot of spots) expect(Math.abs(spot.x - x)).toBeGreaterThan(size)
    }
  }
})

test('bots of a full ring do not touch', () => {
  for (const n of [9, 40, 256]) {
    const { spots, size } = layoutOf(n)
    spots.forEach(({ x, y }, i) => {
      const next = spots[(i + 1) % n]
      expect(Math.hypot((next?.x ?? 0) - x, (next?.y ?? 0) - y)).toBeGreaterThan(2 * size)
    })
  }
})

test('more bots than have room for words have none', () => {
  expect(layoutOf(41)).toMatchObject({ letters: 0 })
  expect(layoutOf(41).spots.some(({ aside }) => aside !== undefined)).toBe(false)
})
