import { describe, expect, it } from 'vitest'
import type { Luck } from './game.js'
import { chance, isTapeEnd, newLuck, pick } from './luck.js'

const thrown = (run: () => unknown): unknown => {
  try {
    run()
  } catch (error) {
    return error
  }
  return undefined
}

describe('chance', () => {
  it('happens as often as its probability says, and goes on with the luck that remains', () => {
    let luck: Luck = newLuck('often')
    let happened = 0
    for (let i = 0; i < 4000; i++) {
      const [yes, rest] = chance(luck, 0.3)
      happened += yes ? 1 : 0
      luck = rest
    }
    expect(luck.at).toBe(4000)
    // Four standard deviations: √(4000 × 0.3 × 0.7) = 29.
    expect(Math.abs(happened - 1200)).toBeLessThan(116)
    expect([chance(newLuck('a'), 0)[0], chance(newLuck('a'), 1)[0]]).toEqual([false, true])
  })

  it('refuses what is no probability', () => {
    for (const p of [-0.1, 1.1, Number.NaN]) expect(() => chance(newLuck('a'), p)).toThrow(RangeError)
  })

  it('is 1 or 0 on a tape, and nothing else', () => {
    const taped = (...tape: (string | number)[]): Luck => ({ ...newLuck('a'), tape })
    expect([chance(taped(1), 0.1)[0], chance(taped(0), 0.9)[0]]).toEqual([true, false])
    expect(() => chance(taped(2), 0.5)).toThrow('the tape tells 2 at 0, but the choice is [1,0]')
  })
})

describe('the end of a tape', () => {
  const empty: Luck = { ...newLuck('a'), tape: [] }

  it('tells what the draw may give, each item once with its share', () => {
    const error = thrown(() => pick(empty, ['a', 'b', 'a', 'a']))
    expect(isTapeEnd(error) && error.outcomes).toEqual([
      ['a', 0.75],
      ['b', 0.25],
    ])
    expect(thrown(() => chance(empty, 0.2))).toMatchObject({
      at: 0,
      outcomes: [
        [1, 0.2],
        [0, 0.8],
      ],
    })
  })

  it('does not tell of what cannot happen', () => {
    expect(thrown(() => chance(empty, 1))).toMatchObject({ outcomes: [[1, 1]] })
  })
})
