import { readFileSync } from 'node:fs'
import { gunzipSync } from 'node:zlib'
import { expect, test } from 'vitest'
import { conform } from './conform.js'

const file = new URL('../../../test/conformance/gunduel.jsonl.gz', import.meta.url)
const games = gunzipSync(readFileSync(file))
  .toString()
  .trim()
  .split('\n')
  .map((line) => JSON.parse(line) as { a: string; b: string; ammo: [number, number]; winner: 0 | 1 | null })

test('the 400 recorded duels replay exactly', () => {
  expect(games.length).toBe(400)
  for (const game of games) expect(conform(game), JSON.stringify(game)).toEqual([])
})

test('every single wrong figure, winner or turn is noticed', () => {
  for (const game of games) {
    const [p, q] = game.ammo
    const lies: unknown[] = [[p + 1, q], [p, q - 1], [p], [p, q, 0], [q, null], null].map((ammo) => ({ ...game, ammo }))
    lies.push(...[0, 1, null].filter((winner) => winner !== game.winner).map((winner) => ({ ...game, winner })))
    lies.push({ ...game, winner: undefined }, { ...game, winner: String(game.winner) })
    lies.push({ ...game, a: game.a.slice(0, -1), b: game.b.slice(0, -1) }, { ...game, a: game.a.slice(1) })
    lies.push({ ...game, a: `${game.a}0`, b: `${game.b}0` }, { ...game, a: `${game.a.slice(0, -1)}x` })
    for (const lie of lies) expect(conform(lie), JSON.stringify(lie)).not.toEqual([])
  }
})

test('what is no recorded duel is a difference, not an exception', () => {
  for (const line of [
    null,
    undefined,
    7,
    'text',
    [],
    {},
    { a: '0' },
    { a: 1, b: 2 },
    { a: '', b: '', ammo: [0, 0], winner: null },
  ]) {
    expect(conform(line)).not.toEqual([])
  }
})
