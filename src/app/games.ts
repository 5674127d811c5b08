import { type GameDefinition, type Options, wiresOf } from '../core/index.js'
import { games } from '../games/index.js'
import { gameNamed } from './game-named.js'

/** What is worth knowing of a game before it is played. */
export interface GameFacts {
  readonly id: string
  readonly title: string
  readonly summary: string
  readonly version: number
  readonly seats: { readonly min: number; readonly max: number }
  /** With their standard values. */
  readonly options: Options
  /** By name. */
  readonly wires: readonly string[]
  /** Of a command that names none. */
  readonly wire: string
}

/** The games that come with agon; `name`: this one, or that of a file, which is run. Throws UserError where there is none. */
export async function describeGames(name?: string): Promise<readonly GameFacts[]> {
  return (name === undefined ? games : [await gameNamed(name)]).map(factsOfGame)
}

/** What is worth knowing of one. */
export const factsOfGame = (definition: GameDefinition): GameFacts => ({
  id: definition.game.id,
  title: definition.title,
  summary: definition.summary,
  version: definition.game.version,
  seats: definition.game.seats,
  options: definition.game.options,
  wires: Object.keys(wiresOf(definition, definition.game.options)),
  wire: definition.wire ?? 'jsonl',
})
