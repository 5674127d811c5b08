import { playable } from '../../test/kit/records.js'
import { expect, test } from 'vitest'
import { derive, matchLuck, canonical, type Memory } from '../core/index.js'
import gunduel from '../games/gunduel/index.js'
import { type Fixture } from '../match/index.js'
import type { Seatable } from './entrant.js'
import { fixtureOf, jobKey } from './identity.js'

test('keys a job by what is derived of its matches', () => {
  const luck = { seed: 'a seed, ü', at: 0 }
  const fixture = {
    agon: 1,
    key: '1/Ant-Bee/1',
    game: 'x',
    version: 1,
    options: {},
    luck,
    field: 2,
    seats: [],
  } as const
  const matches = [{ fixture, entrants: ['one', 'two'] }]
  expect(jobKey('seed', '', matches)).toBe(derive('unit', 'seed', '', canonical(matches)))
  expect(jobKey('seed', 'tournament', matches)).toBe(derive('unit', 'seed', 'tournament', canonical(matches)))
})

const fixture = {
  agon: 1,
  key: '2/Bee-"Ant"/3',
  game: 'x',
  version: 3,
  options: { turns: 100, name: 'ü "a"', fast: true },
  luck: { at: 0, seed: '00ff' },
  field: 17,
  seats: [
    { entrant: 'Bee', wire: 'lines', id: 4 },
    { entrant: '"Ant"', wire: 'class', id: 0 },
  ],
} as const

test.each([
  ['with all that a match has', fixture],
  ['without a key', { ...fixture, key: undefined }],
  ['with a tape of luck', { ...fixture, luck: { ...fixture.luck, tape: [1, 'x'] } }],
])('keys are the same as those of the canonical text: %s', (_, one) => {
  const matches = [
    { fixture: one as Fixture, entrants: ['one', 'tw"o'] },
    { fixture, entrants: [] },
  ]
  expect(jobKey('seed', '', matches)).toBe(derive('unit', 'seed', '', canonical(matches)))
  expect(jobKey('seed', '', matches, 'source')).toBe(derive('unit', 'seed', '', canonical(matches), 'source'))
})

test('a match has the luck that the core derives', () => {
  const definition = gunduel
  const bots = ['Bee', 'Änt'].map((name) => ({ name, wire: 'lines', memory: 'match' }) as unknown as Seatable)
  const run = playable(definition, bots, { seed: 'a seed' })
  const { luck } = fixtureOf(run, { key: 'k', seats: [0, 1], deal: 5 })
  expect(luck).toEqual(matchLuck('a seed', definition.game.id, ['Bee', 'Änt'], 5))
})

test('the orders of a deal share their luck where all bots forget, and have deals of their own where one remembers', () => {
  const names = ['Cat', 'Ant', 'Bee']
  const orders = [
    [0, 1, 2],
    [1, 2, 0],
    [2, 0, 1],
  ]
  const seedsOf = (memory: Memory): string[] => {
    const memories = ['match', memory, 'turn']
    const entrants = names.map((name, i) => ({ name, wire: 'lines', memory: memories[i] }) as unknown as Seatable)
    const run = playable(gunduel, entrants, { seed: 'a seed' })
    return [5, 6].flatMap((deal) => orders.map((seats) => fixtureOf(run, { key: 'k', seats, deal }).luck.seed))
  }
  const luck = (deal: number): string => matchLuck('a seed', gunduel.game.id, names, deal).seed
  expect(seedsOf('match')).toEqual([5, 5, 5, 6, 6, 6].map(luck))
  // By where Ant sits.
  for (const memory of ['series', 'tournament'] as const)
    expect(seedsOf(memory)).toEqual([16, 15, 17, 19, 18, 20].map(luck))
})
