import { expect, it } from 'vitest'
import { FinalTexts } from './final-texts.js'

const of = (length: number) => ({ text: 'x'.repeat(length) })

it('texts that were asked for last are kept, as many as fit', () => {
  const texts = new FinalTexts(10)
  texts.keep(1, of(4))
  texts.keep(2, of(4))
  expect(texts.get(1)).toEqual(of(4))
  texts.keep(3, of(4))
  expect([1, 2, 3].map((number) => texts.get(number) !== undefined)).toEqual([true, false, true])
})

it('a text that is kept again is counted once, and one that is too long is not kept', () => {
  const texts = new FinalTexts(10)
  for (let n = 0; n < 5; n++) texts.keep(1, of(6))
  texts.keep(2, of(4))
  expect([1, 2].map((number) => texts.get(number) !== undefined)).toEqual([true, true])
  texts.keep(3, of(11))
  expect([1, 2, 3].map((number) => texts.get(number) !== undefined)).toEqual([false, false, false])
})
