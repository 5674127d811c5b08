import { type GameDefinition, UserError, didYouMean, message, option } from '../../core/index.js'
import { games } from '../../games/index.js'

/**
 * Replays recorded games, a line of JSON each, by a game's rules and wires (docs/conformance.md). A game that was cut off does not agree, and
 * `cutOff` says why; lines count from 1. Throws UserError if not one line could be read.
 */
export async function conform(definition: GameDefinition, lines: AsyncIterable<string>) {
  const found = { games: 0, agreeing: 0, differences: [] as { line: number; what: string }[] }
  let number = 0
  try {
    for await (const line of lines) {
      number++
      if (line.trim() === '') continue
      found.games++
      const differences = differencesIn(line, definition)
      if (differences.length === 0) found.agreeing++
      for (const what of differences) found.differences.push({ line: number, what })
    }
  } catch (error) {
    // A compressed file that was cut off: what could be read is reported all the same.
    if (number === 0 || !(error instanceof UserError)) throw error
    return { ...found, games: found.games + 1, cutOff: { after: number, why: error.message } }
  }
  return { ...found, cutOff: undefined }
}

/** The game that recorded games are of: of this id; else the one that their file's name holds as a word. Throws UserError. */
export function conformingGame(file: string, id: string = named(file)): GameDefinition {
  const definition = games.find(({ game }) => game.id === id)
  const ids = games.map(({ game }) => game.id)
  const which = message`; give ${option('game')} with one of ${ids.join(', ')}`
  if (definition === undefined) throw new UserError(message`no game "${id}"${didYouMean(id, ids)}${which}`)
  if (definition.conform === undefined) throw new UserError(`${id} has no format for recorded games`)
  return definition
}

/** The game that a file's name holds as a word; else what stands before its first dot. */
function named(file: string): string {
  const words = file.toLowerCase().split(/[^a-z0-9]+/)
  return games.find(({ game }) => words.includes(game.id))?.game.id ?? file.split('.')[0] ?? ''
}

function differencesIn(line: string, definition: GameDefinition): readonly string[] {
  let data: unknown
  try {
    data = JSON.parse(line)
  } catch {
    return ['not a line of JSON']
  }
  return definition.conform?.(data) ?? []
}
