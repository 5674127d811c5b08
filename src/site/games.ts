import { z } from '@hono/zod-openapi'
import type { GameDefinition } from '../core/index.js'
import { houseBots } from '../contest/entries.js'
import { factsOfGame } from '../app/look/games.js'
import type { SiteContext } from './context.js'
import { type ApiRoute, type Infer, get, list, paged, pages, said } from './http/route.js'

const gameSchema = z
  .strictObject({
    id: z.string(),
    title: z.string(),
    summary: z.string(),
    version: z.int(),
    seats: z.strictObject({ min: z.int(), max: z.int() }),
    options: z.record(z.string(), z.unknown()),
    wires: z.array(z.string()),
    wire: said(z.string(), 'of a command that names none'),
    house: said(z.array(z.string()), 'the bots that come with it'),
    actions: said(z.record(z.string(), z.string()), 'what each action means'),
  })
  .openapi('Game')
export type Game = Infer<typeof gameSchema>

const known = new WeakMap<GameDefinition, Game>()

function gameOf(definition: GameDefinition): Game {
  const house = (): string[] => houseBots(definition).map(({ spec }) => spec.name)
  const game = known.get(definition) ?? {
    ...factsOfGame(definition),
    house: house(),
    actions: definition.actions ?? {},
  }
  known.set(definition, game)
  return game
}

/** The games that can be played on the site. */
export const gameRoutes = ({ games }: SiteContext): readonly ApiRoute[] => [
  get('/games', 'The games that can be played here', { query: pages, answer: list(gameSchema, 'Games') }, ({ query }) =>
    paged(games.map(gameOf), query),
  ),
]
