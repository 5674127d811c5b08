import { describe, expect, it } from 'vitest'
import type { GameDefinition } from '../core/index.js'
import { games } from '../games/index.js'
import { isChanceless } from './chance.js'

const chanceless = (definition: GameDefinition): boolean =>
  isChanceless(definition, definition.game.options, Math.max(2, definition.game.seats.min))

describe('whether a game has chance', () => {
  it('follows from its beginning', () => {
    const found = Object.fromEntries(games.map((definition) => [definition.game.id, chanceless(definition)]))
    expect(found).toMatchObject({ samurai: true, gunduel: true, coup: false, negotiate: false })
  })

  it('is not denied where the state is more than plain data', () => {
    const definition = games.find(({ game }) => game.id === 'samurai') as GameDefinition
    const game = { ...definition.game, setup: () => ({ deck: new Map([['luck', 1]]) }) }
    expect(chanceless({ ...definition, game })).toBe(false)
  })
})
