import fc from 'fast-check'
import stringWidth from 'string-width'
import { describe, expect, it } from 'vitest'
import { pad, shorten, width } from './index.js'

it.each([
  ['', 0],
  ['ant', 3],
  ['é', 1],
  ['e\u0301', 1],
  ['侍の剣', 6],
  ['ｶﾞ', 2],
  ['−…·→', 4],
  ['😀', 2],
  ['⚡', 2],
  ['❤️', 2],
  ['👍🏽', 2],
  ['👨‍👩‍👧', 2],
  ['🇩🇪🇫🇷', 4],
  ['1️⃣', 2],
  ['a\u200bb', 2],
  // What a terminal would act upon has one column, so that a text full of it is not taken for a short one.
  ['\u001b[1m', 4],
  ['\t\n', 2],
])('the width of %j is %i', (text, columns) => {
  expect(width(text)).toBe(columns)
})

const text = fc
  .array(
    fc.constantFrom(
      'a',
      ' ',
      'é',
      'e\u0301',
      '侍',
      '😀',
      '👨‍👩‍👧',
      '🇩🇪',
      '⚡',
      '❤️',
      '☺',
      '1️⃣',
      '👍🏽',
      'ｶﾞ',
      '\u0007',
      '−',
      '\ud800',
      '\u200b',
      'long words, ',
    ),
    { maxLength: 60 },
  )
  .map((parts) => parts.join(''))

it('what takes columns is what string-width tells', () => {
  const plain = text.filter((whole) => !/[\p{Cc}\p{Cs}]/u.test(whole))
  fc.assert(
    fc.property(plain, (whole) => {
      expect(width(whole)).toBe(stringWidth(whole))
    }),
  )
  expect(width('侍'.repeat(1000))).toBe(2000)
})

describe('shorten', () => {
  it('keeps what fits, else leaves a column for the ellipsis and cuts no character', () => {
    fc.assert(
      fc.property(text, fc.integer({ min: 1, max: 40 }), (whole, columns) => {
        const short = shorten(whole, columns)
        if (short === whole) {
          expect(width(whole)).toBeLessThanOrEqual(columns)
          return
        }
        expect(width(short)).toBeLessThanOrEqual(columns)
        expect(whole.startsWith(short.slice(0, -1)) && short.endsWith('…')).toBe(true)
        expect(width(whole) > columns || whole.length > 16 * columns).toBe(true)
      }),
    )
    expect(shorten('ab👨‍👩‍👧c', 4)).toBe('ab…')
    expect(shorten('ab👨‍👩‍👧c', 5)).toBe('ab👨‍👩‍👧c')
    expect(shorten('ant', 0)).toBe('…')
  })

  it.each(['\u0301', '\u200b', 'e\u0301\u0301\u0301', '\u0000'])(
    'does not take an endless text of %j for a short one',
    (one) => {
      expect(shorten(one.repeat(100_000), 10).length).toBeLessThanOrEqual(161)
    },
  )

  it('reads no further than it keeps', () => {
    let read = 0
    class Counted extends String {
      override *[Symbol.iterator](): StringIterator<string> {
        for (const c of String(this)) {
          read++
          yield c
        }
        return undefined
      }
    }
    expect(shorten(new Counted('é'.repeat(100_000)) as unknown as string, 100)).toBe(`${'é'.repeat(99)}…`)
    expect(read).toBe(101)
  })
})

it('pad fills up by columns, on either side', () => {
  expect([pad('侍', 4), pad('侍', 4, true), pad('long', 2)]).toEqual(['侍  ', '  侍', 'long'])
})
