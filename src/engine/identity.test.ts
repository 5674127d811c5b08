import { expect, test } from 'vitest'
import { derive } from '../core/index.js'
import { canonical } from '../match/index.js'
import { jobKey } from './identity.js'

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
