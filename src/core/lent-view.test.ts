import { expect, test } from 'vitest'
import { lentView, shownView } from './lent-view.js'

/** Paths of all objects that can be written into. */
function loose(value: unknown, at = 'view'): string[] {
  if (typeof value !== 'object' || value === null) return []
  const inner = Object.entries(value).flatMap(([key, part]) => loose(part, `${at}.${key}`))
  return Object.isFrozen(value) ? inner : [at, ...inner]
}

test('a lent view has lists of its own, which may be written into; the rest is frozen', () => {
  const cards = [{ suit: 1 }, { suit: 2 }]
  const view = { turn: 3, board: [0, 1, null], rows: [[1], [2, [3]]], hand: { cards, left: { n: 1 } } }
  const before = structuredClone(view)
  const copy = lentView(view)
  expect(copy).toEqual(before)
  expect(loose(copy)).toEqual([
    'view.board',
    'view.rows',
    'view.rows.0',
    'view.rows.1',
    'view.rows.1.1',
    'view.hand.cards',
  ])
  expect(() => (copy.turn = 9)).toThrow(TypeError)
  copy.board[0] = 7
  copy.rows[1]?.splice(0)
  copy.hand.cards.reverse()
  expect(view).toEqual(before)
  expect(copy.hand.cards[1]).toBe(cards[0])
  expect(copy.hand.left).toBe(view.hand.left)
})

test('the lists of a view are not frozen for having been lent: they are read slowly then', () => {
  const view = { board: [0, 1], rows: [[1]] }
  lentView(view)
  expect(loose(shownView(view))).toEqual([])
  expect(shownView(view)).toEqual(view)
  expect(loose(view)).toEqual(['view', 'view.board', 'view.rows', 'view.rows.0'])
})

test('a view without lists is itself lent, frozen; so is what the game has frozen', () => {
  const plain = { own: { secret: 1 } }
  expect(lentView(plain)).toBe(plain)
  expect(loose(plain)).toEqual([])
  const rows = Object.freeze([1, 2])
  expect(lentView({ rows }).rows).toBe(rows)
})

test('what no copy can be made of is frozen: other classes, what holds itself, and a key that is the prototype', () => {
  class Board {
    readonly squares = [1]
  }
  const board = new Board()
  const round: { all: unknown[] } = { all: [] }
  round.all.push({ round })
  const named = JSON.parse('{"__proto__": [1]}') as object
  for (const view of [board, round, named]) expect(lentView(view)).toBe(view)
  expect([board, board.squares, round, round.all, named].map((one) => Object.isFrozen(one))).not.toContain(false)
  const bytes = { board: new Uint8Array([1, 2]) }
  lentView(bytes).board[0] = 9
  expect(bytes.board[0]).toBe(1)
})
