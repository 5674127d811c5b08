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
  const kit = guarded(asKit((loaded as { default?: unknown }).default, display(file)), file)
  files.set(kit, file)
  return kit
}

/** The same kit, whose game and wires tell what they throw as the mistake of their file that it is. */
function guarded(kit: GameKit, file: string): GameKit {
  const wires = Object.entries(kit.wires ?? {}).map(([name, wire]) => [name, guard(wire, file)] as const)
  return { ...kit, game: guard(kit.game, file), ...(kit.wires && { wires: Object.fromEntries(wires) }) }
}

function guard<T extends object>(owner: T, file: string): T {
  const made = Object.create(owner) as Record<string, unknown>
  for (const [name, part] of Object.entries(owner)) {
    if (typeof part !== 'function') made[name] = part
    else {
      made[name] = (...words: unknown[]): unknown => {
        try {
          return (part as (...all: unknown[]) => unknown).apply(owner, words)
        } catch (error) {
          throw error instanceof UserError ? error : thrownBy(file, name, error)
        }
      }
    }
  }
  return made as T
}

function thrownBy(file: string, part: string, error: unknown): UserError {
  const known = error instanceof Error ? error : new Error(String(error))
  const line = known.stack?.split('\n').find((text) => text.includes(file))
  const place = line === undefined ? undefined : /:(\d+):\d+\)?$/.exec(line)?.[1]
  const where = `${display(file)}${place === undefined ? '' : `:${place}`}`
  return new UserError(`${where}: ${part}() threw ${known.name}: ${known.message}`)
}

/** The file of a game that did not ship with agon. */
export function gameFile(kit: GameKit): string | undefined {
  return files.get(kit)
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
  if (!whole) return bare
  const kit = { ...bare, ...(exported as unknown as GameKit) }
  const wires = Object.entries(kit.wires ?? {})
  for (const [name, wire] of wires) {
    const why = lackOf(wire)
    if (why !== undefined) throw refuse(`its wire ${JSON.stringify(name)} ${why}`)
  }
  const own = wires.map(([name]) => name)
  if (kit.wire !== undefined && !['jsonl', 'module', ...own].includes(kit.wire))
    throw refuse(`wire = ${JSON.stringify(kit.wire)} is none of its wires${didYouMean(kit.wire, own)}`)
  // A command that names no wire speaks the game's own, where it has one.
  const [first] = own
  return kit.wire === undefined && first !== undefined ? { ...kit, wire: first } : kit
}

const TRANSPORTS = ['turn', 'lines', 'module']

/** What a wire lacks; undefined: nothing. */
function lackOf(wire: unknown): string | undefined {
  if (!isTable(wire)) return 'is no object'
  if (typeof wire['summary'] !== 'string') return 'lacks summary, a line that says what the protocol is'
  const { transport } = wire
  if (typeof transport !== 'string' || !TRANSPORTS.includes(transport)) {
    const guess = typeof transport === 'string' ? didYouMean(transport, TRANSPORTS) : ''
    return `has transport ${JSON.stringify(transport)}${guess}: it is one of ${TRANSPORTS.join(', ')}`
  }
  const lacking = ['ask', 'read'].filter((part) => typeof wire[part] !== 'function')
  return lacking.length === 0 ? undefined : `lacks ${lacking.map((part) => `${part}()`).join(' and ')}`
}

function isTable(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null
}
