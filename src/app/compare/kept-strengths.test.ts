import { expect, it } from 'vitest'
import type { StoredRun, Store } from '../../store/index.js'
import type { RunStandings } from '../stored.js'
import { strengthsOfRun } from './strengths.js'

it('the strengths beside a very long run are those that were kept, in the order of its table', async () => {
  const row = (entrant: number, value: number) => ({
    entrant,
    kind: 'Bradley–Terry',
    value,
    low: value - 9,
    high: value + 9,
  })
  const store = { ratings: async () => [row(0, -20), row(1, 20)] } as unknown as Store
  const rows = [
    { rank: 1, entrant: 1, name: 'Bee', points: 9, cells: [] },
    { rank: 2, entrant: 0, name: 'Ant', points: 4, cells: [] },
  ]
  const current = { standings: { columns: [], rows, notes: [] }, exclusions: [] } as unknown as RunStandings
  const run = { id: 'r', matches: 1_000_000, contest: { scoring: {} } } as StoredRun
  expect((await strengthsOfRun(store, run, current)).elo?.rows).toEqual([
    { name: 'Bee', rating: 20, low: 11, high: 29, flags: [] },
    { name: 'Ant', rating: -20, low: -29, high: -11, flags: [] },
  ])
  const withdrawn = { ...current, exclusions: [{}] } as unknown as RunStandings
  expect((await strengthsOfRun(store, run, withdrawn)).elo, 'kept before an entrant was put out').toBeUndefined()
})
