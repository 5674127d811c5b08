import { existsSync, statSync } from 'node:fs'
import { dirname, isAbsolute, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import {
  type AnyGame,
  type AnyWire,
  didYouMean,
  type GameDefinition,
  GameMistake,
  UserError,
  isTapeEnd,
  message,
  option,
} from '../core/index.js'
import { games } from '../games/index.js'
import { marked, markedLoading, watchGame } from './game-calls.js'
import { importFresh } from './load-module.js'
import { isOptionValue } from './options.js'
import { display } from './toml-file.js'

/** The files of the games that did not ship with agon. */
const files = new WeakMap<GameDefinition, string>()

/**
 * The game of this id, or of a file (relative to `base`) with a GameDefinition or a bare Game as default export; a bare
 * one's title is its id. Another file is a program that answers over a pipe within `answerMs` milliseconds. Throws
 * UserError for an unknown id, a file that is absent or does not load, and what it lacks.
 */
export async function loadGame(ref: string, base: string, answerMs?: number): Promise<GameDefinition> {
  const known = games.find((definition) => definition.game.id === ref)
  if (known !== undefined) return known
  if (!/[\\/.]/.test(ref)) {
    const ids = games.map((definition) => definition.game.id)
    throw new UserError(
      `unknown game ${JSON.stringify(ref)}${didYouMean(ref, ids)}; known: ${ids.join(', ')}, or a file such as ./mygame.ts`,
    )
  }
  const file = isAbsolute(ref) ? ref : resolve(base, ref)
  if (!existsSync(file))
    throw new UserError(
      `there is no file ${display(file)} for the game ${JSON.stringify(ref)}: its path is relative to the contest file`,
    )
  if (!statSync(file).isFile())
    throw new UserError(
      `${display(file)} is not a game's file: give the .ts or .js file whose default export is the game, or a program's`,
    )
  ;(await import('./patterns.js')).readPatterns()
  if (!/\.[cm]?[jt]sx?$/.test(file)) return loadProgram(file, answerMs)
  watchGame(display(file))
  let loaded: unknown
  try {
    loaded = await markedLoading(display(file), () => importFresh(file, 'game'))
  } catch (error) {
    if (error instanceof UserError) throw error
    const why = error instanceof Error ? `${error.name}: ${error.message}` : String(error)
    throw new UserError(`${display(file)} does not load: ${why.replace(/\s+/g, ' ')}`)
  }
  const definition = guarded(asDefinition((loaded as { default?: unknown }).default, display(file)), file)
  files.set(definition, file)
  return definition
}

async function loadProgram(file: string, answerMs: number | undefined): Promise<GameDefinition> {
  const { gameOfContest } = await import('./program-source.js')
  const game = file.endsWith('.toml') ? gameOfContest(file) : undefined
  if (typeof game === 'string') return loadGame(game, dirname(file), answerMs)
  const { programGame } = await import('./program-game.js')
  const definition = asDefinition(await programGame(file, display(file), answerMs), display(file))
  files.set(definition, file)
  return definition
}

/** The same definition, whose functions report what they throw as a mistake of their file. */
function guarded(definition: GameDefinition, file: string): GameDefinition {
  const wires = Object.entries(definition.wires ?? {}).map(([name, wire]): [string, AnyWire] => {
    const made = guard(wire, file)
    return [name, wire.ready ? Object.assign(made, { ready: guard(wire.ready, file, 'ready.') }) : made]
  })
  return {
    ...guard(definition, file),
    game: guard(definition.game, file),
    wires: definition.wires ? Object.fromEntries(wires) : undefined,
  }
}

/** `within`: what stands before the names of its functions. */
function guard<T extends object>(owner: T, file: string, within = ''): T {
  const made = Object.create(owner) as Record<string, unknown>
  for (const [key, part] of partsOf(owner)) {
    const name = `${within}${key}`
    // What a class has takes the place of what its parents have.
    if (Object.hasOwn(made, key)) continue
    if (typeof part !== 'function') made[key] = part
    else {
      made[key] = marked(name, (...words): unknown => {
        try {
          return (part as (...all: unknown[]) => unknown).apply(owner, [...words])
        } catch (error) {
          throw error instanceof UserError || isTapeEnd(error) ? error : thrownBy(file, name, error)
        }
      })
    }
  }
  return made as T
}

/** What an object has of its own, and the methods of its class. */
function* partsOf(owner: object): Generator<readonly [string, unknown]> {
  yield* Object.entries(owner)
  for (let of = Object.getPrototypeOf(owner) as object | null; of !== null && of !== Object.prototype;) {
    for (const [key, { value }] of Object.entries(Object.getOwnPropertyDescriptors(of)))
      if (typeof value === 'function' && key !== 'constructor') yield [key, value]
    of = Object.getPrototypeOf(of) as object | null
  }
}

function thrownBy(file: string, part: string, error: unknown): GameMistake {
  const known = error instanceof Error ? error : new Error(String(error))
  const line = known.stack?.split('\n').find((text) => text.includes(file))
  const place = line === undefined ? undefined : /:(\d+):\d+\)?$/.exec(line)?.[1]
  const where = `${display(file)}${place === undefined ? '' : `:${place}`}`
  return new GameMistake(`${where}: ${part}() threw ${known.name}: ${known.message}`)
}

/** The file of a game that did not ship with agon. */
export function gameFile(definition: GameDefinition): string | undefined {
  return files.get(definition)
}

/** The folder of a game's own files, with its bots/ and the shims its wires name. */
export function gameFolder(definition: GameDefinition): string {
  const file = files.get(definition)
  return file === undefined ? fileURLToPath(new URL(`../games/${definition.game.id}`, import.meta.url)) : dirname(file)
}

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

/** What would be overlooked in the game itself. */
const BESIDE = ['scoring', 'wires', 'wire', 'board'] as const satisfies readonly (keyof GameDefinition)[]

function asDefinition(exported: unknown, shown: string): GameDefinition {
  const refuse = (why: string): UserError =>
    new UserError(`${shown} is no game: ${why} (docs/new-game.md shows a whole one)`)
  if (!isTable(exported)) throw refuse('it has no default export that is a Game or a GameDefinition')
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
  if (games.some((definition) => definition.game.id === id))
    throw refuse(`its id ${JSON.stringify(id)} is that of a game which ships with agon`)
  if (!(Number.isInteger(seats.min) && seats.min >= 1 && seats.max >= seats.min)) {
    throw refuse(`its seats ${JSON.stringify(seats)} must be { min, max } with 1 ≤ min ≤ max`)
  }
  const odd = Object.entries(game['options'] as object).find(([, value]) => !isOptionValue(value))
  if (odd !== undefined)
    throw refuse(
      `its option ${odd[0]} = ${JSON.stringify(odd[1])} must be a number, a text, true or false, or a list of these`,
    )
  const unbounded = lackOfBounds(game['scores'])
  if (unbounded !== undefined) throw refuse(unbounded)
  const bare = { game: game as unknown as AnyGame, title: id, summary: '' }
  if (!whole) {
    const misplaced = BESIDE.filter((part) => exported[part] !== undefined)
    if (misplaced.length === 0) return bare
    throw refuse(
      `${misplaced.join(', ')} ${misplaced.length === 1 ? 'stands' : 'stand'} beside the game: export { game, ${misplaced.join(', ')} }`,
    )
  }
  const definition = { ...bare, ...(exported as unknown as GameDefinition) }
  const unscored = lackOfScoring(definition.scoring)
  if (unscored !== undefined) throw refuse(unscored)
  const wires = Object.entries(definition.wires ?? {})
  for (const [name, wire] of wires) {
    const why = lackOf(wire)
    if (why !== undefined) throw refuse(`its wire ${JSON.stringify(name)} ${why}`)
  }
  const own = wires.map(([name]) => name)
  if (definition.wire !== undefined && !['jsonl', 'module', ...own].includes(definition.wire))
    throw refuse(`wire = ${JSON.stringify(definition.wire)} is none of its wires${didYouMean(definition.wire, own)}`)
  // A command that names no wire speaks the game's own, where it has one.
  const [first] = own
  return definition.wire === undefined && first !== undefined ? { ...definition, wire: first } : definition
}

/** What is wrong with the bounds of a game's scores; undefined: nothing. */
function lackOfBounds(scores: unknown): string | undefined {
  if (scores === undefined) return undefined
  const { min, max } = isTable(scores) ? scores : {}
  if (Number.isFinite(min) && Number.isFinite(max) && Number(min) < Number(max)) return undefined
  return `its scores ${JSON.stringify(scores)} must be { min, max }, finite numbers with min < max`
}

/** The words that a game's scoring knows, each with the values that it takes. */
const SCORING = { by: ['wins', 'score'], per: ['match', 'turn'], of: ['mean', 'total'] } as const

/** What is wrong with a game's scoring; undefined: nothing. */
function lackOfScoring(scoring: unknown): string | undefined {
  if (scoring === undefined) return undefined
  if (!isTable(scoring)) return `its scoring ${JSON.stringify(scoring)} must be an object such as { by: 'score' }`
  for (const [key, known] of Object.entries(SCORING)) {
    const value = scoring[key]
    if (value === undefined || (known as readonly unknown[]).includes(value)) continue
    return `its scoring has ${key}: ${JSON.stringify(value)}${typeof value === 'string' ? didYouMean(value, known) : ''}, which is one of ${known.join(', ')}`
  }
  const worth = ['win', 'draw', 'loss'].find((key) => scoring[key] !== undefined && !Number.isFinite(scoring[key]))
  return worth && `its scoring has ${worth}: ${JSON.stringify(scoring[worth])}, which has to be a number`
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

/**
 * A record's or run's game: one of agon's, or that of the file the user named. `played`: the file that the archive or
 * run names; it is named in the error, never run. Throws UserError where there is none.
 */
export async function recordGame(
  id: string,
  file: string | undefined,
  played?: string,
  answerMs?: number,
): Promise<GameDefinition> {
  const definition =
    games.find(({ game }) => game.id === id) ?? (file && (await loadGame(file, process.cwd(), answerMs)))
  if (definition && definition.game.id === id) return definition
  const other = definition ? `, and ${file} is the game "${definition.game.id}"` : ''
  const was = played === undefined ? 'FILE' : played
  const known = played === undefined ? '' : ' if you trust that file'
  throw new UserError(
    message`the game "${id}" does not come with agon${other}; it is code: name its file with ${option('game', was)}${known}`,
  )
}
