import { expect, it } from 'vitest'
import type { Contest, Entrant, Run } from '../../core/index.js'
import { contestFacts } from './plan.js'

it('names the language that an entrant declares, and else the one that its files tell', () => {
  const contest = {
    entrants: [{ name: 'Ant' }, { name: 'Bee', language: 'Haskell' }, { name: 'Cat' }],
  } as unknown as Contest
  const entrants = [
    { name: 'Bee', facts: { language: 'C' } },
    { name: 'Ant', facts: { language: 'C++' } },
  ] as unknown as readonly Entrant[]
  const run = { agon: '1.0.0', game: { id: 'tiny', version: 1 }, seed: 's', entrants } as unknown as Run
  expect(contestFacts({ contest, file: 'tiny.toml' }, run)['entrants']).toEqual([
    { name: 'Ant', language: 'C++' },
    { name: 'Bee', language: 'Haskell' },
    { name: 'Cat' },
  ])
})
