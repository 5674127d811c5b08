import { expect, it } from 'vitest'
import type { TournamentEvent } from '../../engine/index.js'
import { RunBoard } from './board.js'

const round = { label: 'round 1', series: [] }
const match = (key: string, reused: boolean): TournamentEvent => {
  const record = { seats: [], steps: [], ready: [] }
  const result = { key, seats: [0, 1], outcome: { place: [1, 2], reason: '' } }
  return { type: 'match', match: { record, faults: [] }, result, deal: 0, reused } as unknown as TournamentEvent
}

it('counts matches of series that are not over, until they are stored', async () => {
  const board = new RunBoard('Friday', () => ({ columns: [], rows: [], notes: [] }))
  board.see({ type: 'round', round, total: 20 })
  board.see(match('1', true))
  expect(board.state).toEqual({ done: 1, total: 20, reused: 1, label: 'round 1' })
  let ahead = 7
  board.begin({ played: async () => ahead })
  const looked = async (): Promise<number> => {
    void board.state
    await new Promise((done) => setImmediate(done))
    return board.state.done
  }
  expect(await looked()).toBe(8)
  // The series is stored.
  ahead = 0
  for (const key of ['2', '3', '4', '5', '6', '7', '8', '9']) board.see(match(key, false))
  expect(await looked()).toBe(9)
  board.begin({ played: () => Promise.reject(new Error('the worker is gone')) })
  expect(await looked()).toBe(9)
})
