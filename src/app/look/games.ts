import { join } from 'node:path'
import { type GameDefinition, UserError, defaultWire, didYouMean, lookUp, wiresOf } from '../../core/index.js'
import { readPlain } from '../../files/index.js'
import { games } from '../../games/index.js'

/** A game by its name, or by its file, which is run. `next`: the word behind it, in case it is the game. Throws UserError with a guess. */
export async function gameNamed(name: string, next?: string): Promise<GameDefinition> {
  const definition = games.find(({ game }) => game.id === name)
  if (definition !== undefined) return definition
  if (/[./]/.test(name)) {
    // Loading contests would double agon's share of the start of verbs that only need a game of its own.
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

/** The games that come with agon; `name`: this one, or that of a file, which is run. Throws UserError where there is none. */
export async function describeGames(name?: string): Promise<readonly GameFacts[]> {
  return (name === undefined ? games : [await gameNamed(name)]).map(factsOfGame)
}

export type GameFacts = ReturnType<typeof factsOfGame>

/** `wire`: of a command that names none. */
export function factsOfGame(definition: GameDefinition) {
  const { game, title, summary, wire = 'jsonl' } = definition
  const { id, version, seats, options } = game
  return { id, title, summary, version, seats, options, wires: Object.keys(wiresOf(definition, options)), wire }
}

export type HouseBotFacts = Awaited<ReturnType<typeof describeHouse>>[number]

/** Bytes that are read. */
const STRENGTHS_BYTES = 64 * 1024

/**
 * The strongest first, unmeasured ones last. `strength`: points a match of `agon ladder`, by name in
 * bots/strengths.json of agon's own games, as `npm run strengths` measures them.
 */
export async function describeHouse(definition: GameDefinition) {
  const { gameFolder, houseBots } = await import('../../contest/index.js')
  const file = join(gameFolder(definition), 'bots', 'strengths.json')
  const text = games.includes(definition) ? readPlain(file, STRENGTHS_BYTES)?.toString('utf8') : undefined
  const measured = JSON.parse(text ?? '{}') as Readonly<Record<string, number>>
  const bots = houseBots(definition).map(({ spec: { name, language, synopsis } }) => {
    return { name, language, synopsis, strength: lookUp(measured, name) }
  })
  return bots.sort((a, b) => (b.strength ?? -Infinity) - (a.strength ?? -Infinity))
}

export type WireFacts = Awaited<ReturnType<typeof describeWires>>[number]

/** For who writes a bot; the game by name, or by its file, which is run. Throws UserError. */
export async function describeWires(game: string) {
  const definition = await gameNamed(game)
  return Object.entries(wiresOf(definition, definition.game.options)).map(([name, wire]) => {
    const { transport, summary, limits = {}, state, ready } = wire
    return {
      name,
      default: name === defaultWire(definition),
      transport,
      summary,
      /** The longest that a bot may remember. */
      memory: wire.memory ?? (transport === 'turn' && state === undefined ? 'turn' : 'tournament'),
      /** Milliseconds by name. */
      limits,
      /** What makes a bot ready. */
      expects: ready?.expects,
      /** The folder for its files, and the bytes that it may keep there. */
      state,
    }
  })
}
