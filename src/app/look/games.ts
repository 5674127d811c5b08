import { join } from 'node:path'
import {
  type GameDefinition,
  type Options,
  wiresOf,
  UserError,
  didYouMean,
  type AnyWire,
  defaultWire,
  lookUp,
} from '../../core/index.js'
import { readPlain } from '../../files/index.js'
import { games } from '../../games/index.js'

/** A game by its name, or by its file, which is run. `next`: the word behind it, in case it is the game. Throws UserError with a guess. */
export async function gameNamed(name: string, next?: string): Promise<GameDefinition> {
  const definition = games.find(({ game }) => game.id === name)
  if (definition !== undefined) return definition
  if (/[./]/.test(name)) {
    // Contests and all that reads them would double what agon adds to the start of verbs that only need a game that comes with agon.
    const { loadGame } = await import('../../contest/load-game.js')
    return loadGame(name, process.cwd())
  }
  const ids = games.map(({ game }) => game.id)
  if (next !== undefined && ids.includes(next))
    throw new UserError(`no game "${name}"; ${next} is one, and the game comes first: ${next} ${name}`)
  throw new UserError(
    `no game "${name}"${didYouMean(name, ids)}; there are ${ids.join(', ')}, or give the file of a game`,
  )
}

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

/** What is worth knowing of a house bot before one plays against it. */
export interface HouseBotFacts {
  readonly name: string
  readonly language: string | undefined
  readonly synopsis: string | undefined
  /** Points for a match of the game's ladder; undefined: it was not measured. */
  readonly strength: number | undefined
}

/** Bytes of a file of strengths that are read. */
const STRENGTHS_BYTES = 64 * 1024

/**
 * The house bots of a game: the strongest first, those that were not measured last. Games that come with agon have their strengths in
 * bots/strengths.json, by name: points for a match of `agon ladder`, as `npm run strengths` measures them.
 */
export async function describeHouse(definition: GameDefinition): Promise<readonly HouseBotFacts[]> {
  const { gameFolder, houseBots } = await import('../../contest/index.js')
  const file = join(gameFolder(definition), 'bots', 'strengths.json')
  const text = games.includes(definition) ? readPlain(file, STRENGTHS_BYTES)?.toString('utf8') : undefined
  const measured = JSON.parse(text ?? '{}') as Readonly<Record<string, number>>
  const bots = houseBots(definition).map(({ spec: { name, language, synopsis } }) => {
    return { name, language, synopsis, strength: lookUp(measured, name) }
  })
  return bots.sort((a, b) => (b.strength ?? -Infinity) - (a.strength ?? -Infinity))
}

/** What is worth knowing of a wire before a bot is written for it. */
export interface WireFacts {
  readonly name: string
  /** Of a command that names none. */
  readonly default: boolean
  readonly transport: AnyWire['transport']
  readonly summary: string
  /** The longest that a bot may remember. */
  readonly memory: string
  /** Milliseconds by name. */
  readonly limits: Readonly<Record<string, number>>
  /** What a bot has to do to be ready. */
  readonly expects?: string
  /** The folder in which it may keep files, and the bytes that it may keep there. */
  readonly state?: NonNullable<AnyWire['state']>
}

/** The wires of a game: by its name, or by its file, which is run. Throws UserError where there is none. */
export async function describeWires(game: string): Promise<readonly WireFacts[]> {
  const definition = await gameNamed(game)
  return Object.entries(wiresOf(definition, definition.game.options)).map(([name, wire]) =>
    factsOf(name, wire, defaultWire(definition)),
  )
}

const factsOf = (name: string, wire: AnyWire, standard: string): WireFacts => ({
  name,
  default: name === standard,
  transport: wire.transport,
  summary: wire.summary,
  memory: longestMemory(wire),
  limits: wire.limits ?? {},
  expects: wire.ready?.expects,
  state: wire.state,
})

/** The longest that a bot may remember, where the wire itself does not say. */
function longestMemory({ memory, transport, state }: AnyWire): string {
  return memory ?? (transport === 'turn' && state === undefined ? 'turn' : 'tournament')
}
