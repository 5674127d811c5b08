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
  const jobs = () => []
  board.begin({ played: async () => ahead, jobs })
  const looked = async (): Promise<number> => {
    await board.look()
    return board.state.done
  }
  expect(await looked()).toBe(8)
  // The series is stored.
  ahead = 0
  for (const key of ['2', '3', '4', '5', '6', '7', '8', '9']) board.see(match(key, false))
  expect(await looked()).toBe(9)
  board.begin({ played: () => Promise.reject(new Error('the worker is gone')), jobs })
  expect(await looked()).toBe(9)
  board.begin({ played: () => new Promise(() => undefined), jobs })
  expect(await looked(), 'a worker that does not answer').toBe(9)
})

it('tells series that are under way from the matches of a deal', () => {
  const board = new RunBoard('Friday', () => ({ columns: [], rows: [], notes: [] }))
  expect(board.series).toBe(0)
  const job = (key: string, ...keys: readonly string[]) => ({
    job: { key, pairings: keys.map((one) => ({ key: one, seats: [0, 1], deal: 1 })) },
    began: 0,
  })
  const jobs = () => [job('1/A-B', '1/A-B/1', '1/A-B/2'), job('1/A-C/1', '1/A-C/1', '1/A-C/2'), job('1/B-C', '1/B-C')]
  board.begin({ played: async () => 0, jobs })
  expect(board.series).toBe(1)
})
