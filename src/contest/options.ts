import {
  type GameDefinition,
  type Options,
  type OptionValue,
  UserError,
  didYouMean,
  message,
  option,
  wiresOf,
} from '../core/index.js'
import { quote } from './explain.js'
import { DEFAULT_LIMITS } from '../sandbox/index.js'

/** What is wrong with this value of an option of the game, for a person; undefined: nothing. */
export function refuseOption(definition: GameDefinition, name: string, value: unknown): string | undefined {
  const { options, id } = definition.game
  const known = Object.keys(options)
  const standard = Object.hasOwn(options, name) ? options[name] : undefined
  if (standard === undefined) {
    const list = known.length === 0 ? `${id} has none` : `${id} has ${known.join(', ')}`
    return `unknown option ${quote(name)}${didYouMean(name, known)}; ${list}`
  }
  return fits(value, standard)
    ? undefined
    : `option ${name} = ${quote(value)} must be ${kind(standard)}, such as ${quote(standard)}`
}

/** Changes of the game's options, as `name=value` (arrays as JSON or with commas). Throws a UserError for what does not fit. */
export function optionChanges(definition: GameDefinition, changes: readonly string[]): Options {
  const options: Record<string, OptionValue> = {}
  for (const change of changes) {
    const [, name = change, text] = /^\s*([^=]+?)\s*=\s*(.*?)\s*$/.exec(change) ?? []
    if (text === undefined)
      throw new UserError(message`${option('option', change)}: give a name and a value, such as ${example(definition)}`)
    const value = readValue(text, definition.game.options[name])
    const why = refuseOption(definition, name, value)
    if (why !== undefined) throw new UserError(message`${option('option', change)}: ${why}`)
    options[name] = value
  }
  return options
}

function readValue(text: string, standard: OptionValue | undefined): OptionValue {
  if (typeof standard === 'string') return text
  if (Array.isArray(standard) && !text.startsWith('[')) {
    return text === ''
      ? []
      : text
          .split(',')
          .map((item) => readValue(item.trim(), (standard as readonly OptionValue[])[0]) as number | string | boolean)
  }
  try {
    return JSON.parse(text) as OptionValue
  } catch {
    return text
  }
}

function fits(value: unknown, standard: OptionValue): boolean {
  if (Array.isArray(standard)) {
    const [first] = standard as readonly OptionValue[]
    return Array.isArray(value) && value.every((item) => (first === undefined ? isScalar(item) : fits(item, first)))
  }
  if (typeof standard === 'number')
    return typeof value === 'number' && (Number.isInteger(value) || !Number.isInteger(standard))
  return typeof value === typeof standard
}

/** Whether a record can keep a value as an option: a number, a text, true or false, or a list of these. */
export const isOptionValue = (value: unknown): value is OptionValue =>
  isScalar(value) || (Array.isArray(value) && value.every(isScalar))

const isScalar = (value: unknown): value is number | string | boolean =>
  typeof value === 'string' || typeof value === 'boolean' || (typeof value === 'number' && Number.isFinite(value))

function kind(standard: OptionValue): string {
  if (Array.isArray(standard)) return standard.length === 0 ? 'a list of numbers, texts, true or false' : 'a list'
  if (typeof standard === 'number') return Number.isInteger(standard) ? 'a whole number' : 'a number'
  return typeof standard === 'boolean' ? 'true or false' : 'a text'
}

function example(definition: GameDefinition): string {
  const [[name, value] = ['turns', 20]] = Object.entries(definition.game.options)
  return `${name}=${typeof value === 'string' ? value : quote(value)}`
}

/** What limits can be kept; milliseconds, which are not named here, go up to a day. */
const BOUNDS: Readonly<Record<string, readonly [least: number, most: number]>> = {
  output: [1, 64 * 1024 ** 2],
  source: [1, 2 ** 40],
  errors: [0, 64 * 1024 ** 2],
  disk: [1, 2 ** 40],
  memory: [1024 ** 2, 2 ** 50],
  processes: [1, 2 ** 22],
  files: [16, 2 ** 20],
}

/** A limit as written: a number, or of `late` how many late answers of a match are forgiven. Else why it is none. */
export function limitIn(name: string, written: number | string): number | { readonly refused: string } {
  if (name === 'late') {
    const found = /^(?:fault|forgive:([1-9]\d{0,5}))$/.exec(String(written))
    return found
      ? Number(found[1] ?? 0)
      : { refused: `late = ${written} must be "fault" or "forgive:3", for three late answers of a match` }
  }
  const number = typeof written === 'string' && written.trim() === '' ? NaN : Number(written)
  return number > 0 ? number : { refused: `${name} = ${written} must be a number above 0` }
}

/** What is wrong with a limit, for a person; undefined: nothing. For contest files and the command line alike. */
export function refuseLimit(
  definition: GameDefinition,
  limits: Readonly<Record<string, number>>,
  name: string,
): string | undefined {
  const value = limits[name] ?? NaN
  const wires = Object.values(wiresOf(definition, definition.game.options))
  const bytes = ['output', 'source', ...Object.keys(DEFAULT_LIMITS)]
  const times = ['turn', 'bank', 'increment', 'late', 'network', ...(definition.program ? ['game'] : [])]
  const known = [...new Set([...times, ...wires.flatMap((wire) => Object.keys(wire.limits ?? {})), ...bytes])]
  if (!known.includes(name))
    return `unknown limit ${quote(name)}${didYouMean(name, known)}; ${definition.game.id} has ${known.join(', ')}`
  if (name === 'increment' && limits['bank'] === undefined)
    return `${name} = ${value} is added to a bank, and there is none: set bank, too`
  const [least, most] = Object.hasOwn(BOUNDS, name) ? (BOUNDS[name] ?? DAY) : DAY
  if (!(value >= least && value <= most)) return `${name} = ${value} must be from ${least} to ${most}`
  if (!bytes.includes(name) || Number.isInteger(value)) return undefined
  return `${name} = ${value} must be a whole number${name === 'processes' || name === 'files' ? '' : ' of bytes'}`
}

/** Milliseconds. */
const DAY = [0, 24 * 3600_000] as const
