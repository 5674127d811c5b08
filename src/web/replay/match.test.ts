import { expect, it } from 'vitest'
import type { MatchRecord } from '../../core/index.js'
import { printedTallies } from './match.js'

const record: Pick<MatchRecord, 'figures' | 'seats' | 'steps'> = {
  seats: ['Ant', 'Bee'].map((entrant, id) => ({ entrant, wire: 'jsonl', id })),
  steps: [[], [], [], []],
  figures: [
    [0, 0, 'eval', 1],
    [2, 0, 'eval', -3],
    [1, 1, 'sure', 5],
  ],
}
const rows = (as: number | undefined) =>
  printedTallies(record, as).map(({ name, of }) => [
    name,
    ...[0, 1].map((seat) => [0, 1, 2, 3, 4].map((turn) => of(undefined, seat, turn))),
  ])

it('holds a figure until the bot prints the next one, from the position after its step on', () => {
  expect(rows(undefined)).toEqual([
    ['printed eval', [null, 1, 1, -3, -3], [null, null, null, null, null]],
    ['printed sure', [null, null, null, null, null], [null, null, 5, 5, 5]],
  ])
})

it('shows what one seat knew its own alone', () => {
  expect(rows(1).map(([name]) => name)).toEqual(['printed sure'])
})
