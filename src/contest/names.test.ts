import { describe, expect, it, vi } from 'vitest'
import { alike, unreadable } from './names.js'

describe('two names', () => {
  it.each([
    ['Heron', 'heron'],
    ['Heron', 'Нerоn'],
    ['Heron', 'He\u200bron'],
    ['Heron', 'Ｈｅｒｏｎ'],
    ['Heron', 'Heron\u00a0'],
    ['Grey Heron', 'Grey \u2003Heron'],
    ['Blue', 'BIue'],
    ['Bot 10', 'Bot lO'],
    ['ΤΟΤΟ', 'TOTO'],
    ['Ame\u0301lie', 'Am\u00e9lie'],
  ])('%j and %j are one to a reader', (one, other) => {
    expect(alike(one, other)).toBe(true)
    expect(alike(other, one)).toBe(true)
  })

  it.each([
    ['Heron', 'Herons'],
    ['Ali', 'All'],
    ['Bot 1', 'Bot 2'],
    ['Amélie', 'Amelie'],
    ['Лебедь', 'Lebed'],
    ['鶴', '鷺'],
  ])('%j and %j are two', (one, other) => expect(alike(one, other)).toBe(false))
})

it('each name is looked at once, however many it is compared with', () => {
  const normalize = vi.spyOn(String.prototype, 'normalize')
  for (let n = 0; n < 200; n++) alike(`Contestant ${n}`, 'Newcomer ﷺ')
  expect(normalize.mock.calls.length).toBe(201)
  normalize.mockRestore()
})

describe('a name', () => {
  it.each(['Heron', 'Лебедь', '鶴の恩返し', 'مالك الحزين', 'Zoë', '🐦', '👩‍💻', 'नमस्ते', '<b>&', '__proto__'])(
    '%s can be read',
    (name) => expect(unreadable(name)).toBeUndefined(),
  )
  it.each([
    'a\u202eb',
    '\u2066x',
    'a\u061cb',
    'a\nb',
    '\ud800',
    '\u200b',
    '\u3164',
    '\u2800',
    'Z\u0300\u0301\u0302\u0303\u0304',
  ])('%j cannot', (name) => expect(unreadable(name)).toMatch(/^has /))
})
