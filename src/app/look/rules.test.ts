import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { expect, it } from 'vitest'
import { UserError } from '../../core/index.js'
import { games } from '../../games/index.js'
import { rulesNamed, rulesOf } from './rules.js'

it.each(games)('gives the text of the file beside the rules of $game.id', (definition) => {
  const file = fileURLToPath(new URL(`../../games/${definition.game.id}/RULES.md`, import.meta.url))
  expect(rulesNamed(definition)).toBe(readFileSync(file, 'utf8'))
})

it.each(games.slice(0, 1))('finds none for a game without RULES.md, and says where to put it', (definition) => {
  const own = { ...definition, game: { ...definition.game, id: 'own' } }
  expect(rulesOf(own)).toBeUndefined()
  expect(() => rulesNamed(own)).toThrow(UserError)
  expect(() => rulesNamed(own)).toThrow('own has no rules to print: put a RULES.md beside the game')
})
