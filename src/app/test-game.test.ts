import { expect, it } from 'vitest'
import type { GameDefinition } from '../core/index.js'
import { games } from '../games/index.js'
import { testGame } from './test-game.js'

const samurai = games.find(({ game }) => game.id === 'samurai') as GameDefinition
const OPTIONS = { seed: '1', games: 5, steps: 1000, ms: 60_000 }

it('holds a game to its contract, with other options too', () => {
  const tested = testGame(samurai, 'samurai.ts', { ...OPTIONS, options: { turns: 4 } })
  expect(tested).toMatchObject({ ok: true, game: 'samurai', games: 5, lines: [] })
  // A match has four turns at most.
  expect(tested.steps / tested.games).toBeLessThanOrEqual(4)
  expect(tested.speed).toBeGreaterThan(0)
})

it('names the file, what is not kept, and the seed of a game that shows it', () => {
  const broken: GameDefinition = {
    ...samurai,
    game: Object.assign(Object.create(samurai.game) as GameDefinition['game'], { legal: () => [] }),
  }
  const { ok, lines } = testGame(broken, 'broken.ts', OPTIONS)
  expect(ok).toBe(false)
  expect(String(lines[0])).toMatch(/^broken\.ts: .*legal.*\(2 seats, .*seed/)
})

it('stops at its time, and reports how many games were left out', () => {
  const { games: played, notes } = testGame(samurai, 'samurai.ts', { ...OPTIONS, games: 1_000_000, ms: 1 })
  expect(played).toBeLessThan(1_000_000)
  expect(notes.join()).toContain(`${1_000_000 - played} more games were left out`)
})
