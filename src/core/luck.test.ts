import { createHash } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import type { Luck } from './game.js'
import { below, chance, derive, isTapeEnd, newLuck, pick } from './luck.js'

const thrown = (run: () => unknown): unknown => {
  try {
    run()
  } catch (error) {
    return error
  }
  return undefined
}

/** As it is defined, without a hash that is used again. */
const digest = (text: string): Buffer => createHash('sha256').update(text, 'utf8').digest()

/** Texts around a hash's block and what is short, in ASCII and beyond. */
const TEXTS = ['', 'é', '👻'].flatMap((end) =>
  [0, 1, 54, 55, 56, 63, 64, 65, 119, 255, 256, 257, 1000].map((length) => `${'x'.repeat(length)}${end}`),
)

it('is drawn from the SHA-256 of a text, whatever was drawn before', () => {
  for (const text of [...TEXTS, ...[...TEXTS].reverse()]) {
    expect(derive(text, 7)).toBe(
      digest(JSON.stringify([text, 7]))
        .toString('hex')
        .slice(0, 32),
    )
    expect(below(2 ** 32, text)).toBe(digest(`${text}/0`).readUInt32BE(0))
  }
  // All eight words of a digest, and those of the next.
  const n = 2 ** 31 + 1
  const words = (round: number) => Array.from({ length: 8 }, (_, i) => digest(`11/${round}`).readUInt32BE(4 * i))
  expect(below(n, '11')).toBe([...words(0), ...words(1), ...words(2)].find((word) => word < n))
})

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
