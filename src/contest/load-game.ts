import { existsSync } from 'node:fs'
import { dirname, isAbsolute, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { type AnyGame, didYouMean, type GameKit, UserError } from '../core/index.js'
import { games } from '../games/index.js'
import { importFresh } from './load-module.js'
import { display } from './toml-file.js'

/** The files of the games that did not ship with agon. */
const files = new WeakMap<GameKit, string>()

/**
 * The game of this id, or of a file (relative to `base`) whose default export is a GameKit or a bare Game; of a bare one the id
 * is the title. Throws a UserError for an unknown id, a file that is not there or does not load, and for what it lacks.
 */
export async function loadGame(ref: string, base: string): Promise<GameKit> {
  const known = games.find((kit) => kit.game.id === ref)
  if (known !== undefined) return known
  if (!isFile(ref)) {
    const ids = games.map((kit) => kit.game.id)
    throw new UserError(
      `unknown game ${JSON.stringify(ref)}${didYouMean(ref, ids)}; known: ${ids.join(', ')}, or a file such as ./mygame.ts`,
    )
  }
  const file = isAbsolute(ref) ? ref : resolve(base, ref)
  if (!existsSync(file))
    throw new UserError(
      `there is no file ${display(file)} for the game ${JSON.stringify(ref)}: its path is relative to the contest file`,
    )
  let loaded: unknown
  try {
    loaded = await importFresh(file, 'game')
  } catch (error) {
    const why = error instanceof Error ? `${error.name}: ${error.message}` : String(error)
    throw new UserError(`${display(file)} does not load: ${why.replace(/\s+/g, ' ')}`)
  }
  const kit = asKit((loaded as { default?: unknown }).default, display(file))
  files.set(kit, file)
  return kit
}

/** The folder of a game's own files, with its bots/ and the shims its wires name. */
export function gameFolder(kit: GameKit): string {
  const file = files.get(kit)
  return file === undefined ? fileURLToPath(new URL(`../games/${kit.game.id}`, import.meta.url)) : dirname(file)
}

const isFile = (ref: string): boolean => /[\\/]|\.[cm]?[jt]s$/.test(ref)

/** What a game must have, and its type. */
const PARTS = {
  id: 'string',
  version: 'number',
  seats: 'object',
  options: 'object',
  setup: 'function',
  toMove: 'function',
  view: 'function',
  legal: 'function',
  play: 'function',
  outcome: 'function',
} as const satisfies Partial<Record<keyof AnyGame, string>>

function asKit(exported: unknown, shown: string): GameKit {
  const refuse = (why: string): UserError =>
    new UserError(`${shown} is no game: ${why} (docs/new-game.md shows a whole one)`)
  if (!isTable(exported)) throw refuse('it has no default export that is a Game or a GameKit')
  const whole = isTable(exported['game'])
  const game = whole ? (exported['game'] as Record<string, unknown>) : exported
  const lacking = Object.entries(PARTS).filter(([part, type]) => typeof game[part] !== type || game[part] === null)
  if (lacking.length > 0) {
    const parts = lacking.map(([part, type]) =>
      type === 'function' ? `${part}()` : `${part} (${type === 'object' ? 'an object' : `a ${type}`})`,
    )
    throw refuse(`its default export lacks ${parts.join(', ')}`)
  }
  const { id, seats } = game as unknown as AnyGame
  if (!/^[a-z0-9][a-z0-9-]*$/.test(id))
    throw refuse(`its id ${JSON.stringify(id)} must consist of lower-case letters, digits and dashes`)
  if (games.some((kit) => kit.game.id === id))
    throw refuse(`its id ${JSON.stringify(id)} is that of a game which ships with agon`)
  if (!(Number.isInteger(seats.min) && seats.min >= 1 && seats.max >= seats.min)) {
    throw refuse(`its seats ${JSON.stringify(seats)} must be { min, max } with 1 ≤ min ≤ max`)
  }
  const bare = { game: game as unknown as AnyGame, title: id, summary: '' }
  return whole ? { ...bare, ...(exported as unknown as GameKit) } : bare
}

function isTable(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null
}
