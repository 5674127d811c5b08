import { didYouMean, type GameDefinition, wiresOf } from '../core/index.js'
import { DEFAULT_LIMITS } from '../sandbox/index.js'
import { quote } from './explain.js'

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

/** What is wrong with a limit of this value, for a person; undefined: nothing. A contest file and the command line hold to it alike. */
export function refuseLimit(definition: GameDefinition, name: string, value: number): string | undefined {
  const wires = Object.values(wiresOf(definition, definition.game.options))
  const bytes = ['output', 'source', ...Object.keys(DEFAULT_LIMITS)]
  const known = [...new Set(['turn', ...wires.flatMap((wire) => Object.keys(wire.limits ?? {})), ...bytes])]
  if (!known.includes(name))
    return `unknown limit ${quote(name)}${didYouMean(name, known)}; ${definition.game.id} has ${known.join(', ')}`
  const [least, most] = Object.hasOwn(BOUNDS, name) ? (BOUNDS[name] ?? DAY) : DAY
  if (!(value >= least && value <= most)) return `${name} = ${value} must be from ${least} to ${most}`
  if (!bytes.includes(name) || Number.isInteger(value)) return undefined
  return `${name} = ${value} must be a whole number${name === 'processes' || name === 'files' ? '' : ' of bytes'}`
}

/** Milliseconds. */
const DAY = [0, 24 * 3600_000] as const
