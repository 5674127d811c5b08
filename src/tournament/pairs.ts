import type { Pairing, Result, Round, Series, TournamentSpec } from '../core/index.js'
import { below, derive, UserError } from '../core/index.js'
import { inAnyOrder } from '../stats/index.js'
import { matchKey, seriesKey } from './keys.js'

/** A format that does not fit its game or entrants; the message says what to change. */
export class FormatError extends UserError {}

export type Pair = readonly [number, number]

/** How matches ended, by pairings' keys; more come as a tournament is played, none changes. */
export type Results = ReadonlyMap<string, Result>

export const pairingsOf = ({ series }: Pick<Round, 'series'>): readonly Pairing[] =>
  series.flatMap(({ pairings }) => pairings)

export const seatsOf = (pairings: readonly Pairing[]): readonly (readonly number[])[] =>
  pairings.map(({ seats }) => seats)

export const isPlayed = (pairings: readonly Pairing[], results: Results): boolean =>
  pairings.every(({ key }) => results.has(key))

/** Matches of the same entrants in one sitting, by seat; `dealOf` gives each one's deal of luck by its index. */
export function sitting(
  spec: TournamentSpec,
  round: string,
  orders: readonly (readonly number[])[],
  dealOf: (i: number) => number,
): Series {
  const key = seriesKey(round, namesOf(spec, orders[0] ?? []))
  return { key, pairings: orders.map((seats, i) => ({ key: matchKey(key, i + 1), seats, deal: dealOf(i) })) }
}

/** Every pair once, smaller index first, by the circle method: neighbours share no entrant, so go at once. */
export const circle = (entrants: readonly number[]): readonly Pair[] =>
  turnsOf(entrants.length % 2 === 0 ? entrants : [...entrants, undefined]).flat()

/** The circle method's turns, for an even number of positions: who is opposite an empty one waits. */
export function turnsOf(positions: readonly (number | undefined)[]): readonly (readonly Pair[])[] {
  const ring = [...positions]
  return Array.from({ length: Math.max(0, ring.length - 1) }, () => {
    const pairs: Pair[] = []
    for (let i = 0; i < ring.length / 2; i++) {
      const a = ring[i]
      const b = ring[ring.length - 1 - i]
      if (a !== undefined && b !== undefined) pairs.push(a < b ? [a, b] : [b, a])
    }
    // The first stays, the others move on by one.
    ring.splice(1, 0, ring.pop())
    return pairs
  })
}

/** The pairs to be played, of these entrants or all; where entrants meet themselves, those last. */
export function wantedPairs(spec: TournamentSpec, entrants: readonly number[] = everyone(spec)): readonly Pair[] {
  const alone = spec.format.self ? entrants.map((entrant): Pair => [entrant, entrant]) : []
  return [...circle(entrants), ...alone].filter((pair) => spec.wanted?.(pair) ?? true)
}

/** All entrants, where results say who meets whom. Throws FormatError where some two are not to meet. */
export function allAmong(spec: TournamentSpec): readonly number[] {
  if (!spec.wanted) return everyone(spec)
  const pairs = wantedPairs(spec)
  const entrants = among(spec, pairs)
  if (pairs.length < (entrants.length * (entrants.length - 1)) / 2) {
    throw new FormatError(
      `${spec.format.kind} pairs by results, so any two may meet: it cannot be played against some of them only`,
    )
  }
  return entrants
}

/** '2', '2 to 6': how many a game seats. */
export const seatsText = ({ min, max }: TournamentSpec['seats']): string =>
  min === max ? `${min}` : `${min} to ${max}`

/** Throws FormatError for a match size that the game does not seat, or the entrants are too few for. */
export function refuseSize({ seats }: TournamentSpec, what: string, size: number, entrants: number): void {
  const { min, max } = seats
  if (!Number.isInteger(size) || size < Math.max(2, min) || size > max)
    throw new FormatError(`${what} of ${size}: the game seats ${min === max ? 'exactly ' : ''}${seatsText(seats)}`)
  if (entrants < size)
    throw new FormatError(`${what} of ${size} needs at least ${size} entrants, and there are ${entrants}`)
}

/** Throws FormatError if a format's key is no whole number within these bounds. */
export function refuseCount(key: string, value: number, least = 1, most = Infinity): void {
  if (Number.isInteger(value) && value >= least && value <= most) return
  throw new FormatError(`${key}: ${value} is not a whole number from ${least}${value > most ? ` to ${most}` : ''}`)
}

export function everyone(spec: TournamentSpec): readonly number[] {
  return spec.names.map((_, entrant) => entrant)
}

/** In the contest's order. */
export function among(spec: TournamentSpec, matches: readonly (readonly number[])[]): readonly number[] {
  const seen = new Set<number>()
  for (const seats of matches) for (const entrant of seats) seen.add(entrant)
  return everyone(spec).filter((entrant) => seen.has(entrant))
}

export function namesOf(spec: TournamentSpec, entrants: readonly number[]): readonly string[] {
  return entrants.map((entrant) => spec.names[entrant] ?? '')
}

/** Who sits where in so many matches of a pair: seats alternate, a lot decides the first. */
export function alternating(
  spec: TournamentSpec,
  [a, b]: Pair,
  round: string | number,
  count: number,
): readonly Pair[] {
  const [low = '', high = ''] = [...namesOf(spec, [a, b])].sort()
  const lowFirst = below(2, lot(spec.seed, 'first', round, low, high)) === 0
  return inTurns(lowFirst === (spec.names[a] === low) ? [a, b] : [b, a], count)
}

/** A pair's seats in so many matches, this being the first: with `swap` they alternate. */
export const inTurns = ([a, b]: Pair, count: number, swap = true): readonly Pair[] =>
  Array.from({ length: count }, (_, i) => (swap && i % 2 === 1 ? [b, a] : [a, b]))

/** A text that no other drawing of this tournament shares. All its chance starts here. */
export function lot(seed: string, ...parts: readonly (string | number)[]): string {
  return derive('tournament', seed, ...parts)
}

export const shuffled = <T>(drawn: string, items: readonly T[]): readonly T[] =>
  inAnyOrder(items, (n) => below(n, `${drawn}/${n - 1}`))

/** The entrants in an order drawn by lot, independent of their own order. */
export function inLotOrder(
  spec: TournamentSpec,
  entrants: readonly number[],
  ...parts: readonly (string | number)[]
): readonly number[] {
  const names = [...namesOf(spec, entrants)].sort()
  return shuffled(lot(spec.seed, ...parts, ...names), names).map((name) => spec.names.indexOf(name))
}

/** Of so many drawings the first that is least uneven. */
export function evenest<T extends { readonly uneven: number }>(tries: number, draw: (attempt: number) => T): T {
  let best = draw(0)
  for (let attempt = 1; attempt < tries && best.uneven > 0; attempt++) {
    const next = draw(attempt)
    if (next.uneven < best.uneven) best = next
  }
  return best
}
