import { describe, expect, it } from 'vitest'
import type { GameKit } from '../core/index.js'
import { games } from '../games/index.js'
import { isChanceless } from './chance.js'

const chanceless = (kit: GameKit): boolean => isChanceless(kit, kit.game.options, Math.max(2, kit.game.seats.min))

describe('whether a game has chance', () => {
  it('follows from its beginning', () => {
    const told = Object.fromEntries(games.map((kit) => [kit.game.id, chanceless(kit)]))
    expect(told).toMatchObject({ samurai: true, gunduel: true, coup: false, negotiate: false })
  })

  it('is not denied where the state is more than plain data', () => {
    const kit = games.find(({ game }) => game.id === 'samurai') as GameKit
    const game = { ...kit.game, setup: () => ({ deck: new Map([['luck', 1]]) }) }
    expect(chanceless({ ...kit, game })).toBe(false)
  })
})
