import { type GameKit, type Options, wiresOf } from '../core/index.js'
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
  return (name === undefined ? games : [await gameNamed(name)]).map(factsOf)
}

const factsOf = (kit: GameKit): GameFacts => ({
  id: kit.game.id,
  title: kit.title,
  summary: kit.summary,
  version: kit.game.version,
  seats: kit.game.seats,
  options: kit.game.options,
  wires: Object.keys(wiresOf(kit, kit.game.options)),
  wire: kit.wire ?? 'jsonl',
})
