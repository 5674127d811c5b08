import { type GameDefinition, type Options, newLuck, canonical } from '../core/index.js'

/**
 * Whether a match has no chance: its beginning is the same whatever the luck, which a game that draws later must hold in its
 * state. Only plain data is looked into: other states may have chance.
 */
export function isChanceless({ game }: GameDefinition, options: Options, seats: number): boolean {
  const [one, another] = ['one', 'another'].map((seed) => game.setup(seats, options, newLuck(seed)))
  return isData(one) && isData(another) && canonical(one) === canonical(another)
}

function isData(value: unknown): boolean {
  if (typeof value === 'function' || typeof value === 'symbol' || typeof value === 'bigint') return false
  if (typeof value !== 'object' || value === null) return true
  if (Array.isArray(value)) return value.every(isData)
  const proto: unknown = Object.getPrototypeOf(value)
  return (proto === Object.prototype || proto === null) && Object.values(value).every(isData)
}

export type SealReason = 'hidden' | 'chance'

/**
 * Why nothing is shown of a match under way; undefined: nothing is secret. A game that deals its hidden part anew (`resample`) hides
 * something, and all matches of a deal have the same chance.
 */
export function sealOf(
  definition: GameDefinition,
  { options, seats }: { readonly options: Options; readonly seats: readonly unknown[] },
): SealReason | undefined {
  if (definition.game.resample !== undefined) return 'hidden'
  return isChanceless(definition, options, seats.length) ? undefined : 'chance'
}
