import { describe, expect, it } from 'vitest'
import { describeGame } from '../src/kits/index.js'
import { games } from '../src/games/index.js'

describe('the list of games', () => {
  it('names each game once', () => {
    const ids = games.map((definition) => definition.game.id)
    expect(new Set(ids).size).toBe(ids.length)
  })
})

for (const definition of games) describeGame(definition, { describe, it }, { games: 40 })
