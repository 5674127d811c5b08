import { type FormatSpec, didYouMean } from '../core/index.js'
import { DOUBLE_ELIMINATION, ELIMINATION } from './elimination.js'
import type { Format } from './format.js'
import { GAUNTLET } from './gauntlet.js'
import { FREE_FOR_ALL, GROUPS } from './groups.js'
import { HEATS } from './heats.js'
import { HILL } from './hill.js'
import { LADDER } from './ladder.js'
import { LAST_STANDING } from './last-standing.js'
import { FormatError } from './pairs.js'
import { ORDERED_PAIRS, ROUND_ROBIN } from './round-robin.js'
import { SWISS } from './swiss.js'
import { seatingsOf } from './teams.js'

/** Every kind of tournament, in the order people are told of them. */
export const FORMATS: readonly Format[] = [
  ROUND_ROBIN,
  ORDERED_PAIRS,
  LAST_STANDING,
  FREE_FOR_ALL,
  GROUPS,
  HEATS,
  GAUNTLET,
  SWISS,
  ELIMINATION,
  DOUBLE_ELIMINATION,
  HILL,
  LADDER,
]

export const FORMAT_KINDS: readonly string[] = FORMATS.map(({ kind }) => kind)

/** The record of a kind. Throws FormatError where there is none. */
export function formatOf(kind: string): Format {
  const format = FORMATS.find((one) => one.kind === kind)
  if (format !== undefined) return format
  throw new FormatError(
    `no format is called ${JSON.stringify(kind)}${didYouMean(kind, FORMAT_KINDS)}; there are ${FORMAT_KINDS.join(', ')}`,
  )
}

export const kindsOf = (has: (format: Format) => boolean): readonly string[] =>
  FORMATS.filter(has).map(({ kind }) => kind)

export const kindsWith = (key: keyof FormatSpec): readonly string[] => kindsOf(({ keys }) => keys.includes(key))

/** How many seats a match has. `least`: the game's smallest number of seats; `field`: how many entrants there are. */
export function playersOf(format: FormatSpec, least: number, field: number): number {
  const entrants = entrantsAMatch(format, least, field)
  return format.by === 'team' ? (seatingsOf(format.teams ?? {}).get(entrants)?.length ?? least) : entrants
}

/** How many entrants meet in a match, as of `playersOf`. */
export function entrantsAMatch({ kind, size, by, teams = {} }: FormatSpec, least: number, field: number): number {
  const { sizes } = formatOf(kind)
  if (sizes === undefined || sizes === 'given') return size ?? 2
  const fewest = by === 'team' ? Math.min(...seatingsOf(teams).keys()) : least
  return sizes === 'size' ? (size ?? fewest) : Math.max(fewest, field)
}

/** Whether a format plays a deal of luck in several orders of seats. */
export function sharesDeals({ kind, swap, repetitions, settle }: FormatSpec): boolean {
  const { deals } = formatOf(kind)
  if (deals === 'always') return true
  return swap && (deals === 'swapped' || repetitions > 1 || settle !== undefined)
}
