import type { Pairing, Round, Series, TournamentSpec } from '../core/index.js'
import type { Format } from './format.js'
import { matchKey, seriesKey } from './keys.js'
import { oneRound } from './rounds.js'
import { among, everyone, FormatError, inLotOrder, namesOf, refuseSize, seatsText, wantedPairs } from './pairs.js'
import { matedOrder } from './teams.js'

/**
 * Every group of `size` plays `repetitions` Latin squares in one sitting: the rotations of an order drawn by lot
 * (`matedOrder` if the game knows teams), so each sits in each seat once. With `swap` a square's matches are of one
 * deal, else each of its own.
 */
export const GROUPS: Format = {
  kind: 'groups',
  keys: ['size'],
  sizes: 'size',
  deals: 'swapped',
  hint: 'groups of as many as the game takes',
  build(spec) {
    const deals = Array.from({ length: spec.format.repetitions }, (_, deal) => deal)
    const series = groupsOf(spec).map((group): Series => {
      const key = seriesKey('1', namesOf(spec, group))
      return { key, pairings: deals.flatMap((deal) => squareOf(spec, group, deal)) }
    })
    return oneRound(spec, { label: 'round 1', series })
  },
  blocks(spec) {
    const companies = groupsOf(spec)
    return { companies, size: companies[0]?.length ?? 1, of: (group, deal) => squareOf(spec, group, deal) }
  },
}

export const FREE_FOR_ALL: Format = {
  kind: 'free-for-all',
  keys: [],
  sizes: 'all',
  deals: 'swapped',
  hint: 'all in one match',
  build: (spec) => oneRound(spec, freeForAll(spec)),
}

/** The groups to be played. Throws FormatError where they do not fit the game or entrants. */
function groupsOf(spec: TournamentSpec): readonly (readonly number[])[] {
  const size = spec.format.size ?? spec.seats.min
  refuseSize(spec, 'a group', size, spec.names.length)
  return [...combinations(everyone(spec), size)].filter((group) => spec.wanted?.(group) ?? true)
}

export function squareOf(spec: TournamentSpec, group: readonly number[], deal: number): readonly Pairing[] {
  const key = seriesKey('1', namesOf(spec, group))
  const start = matedOrder(spec, group, deal, rotationsOf) ?? inLotOrder(spec, group, 'square', deal)
  return rotationsOf(start).map((seats, turn) => {
    const number = deal * start.length + turn
    return { key: matchKey(key, number + 1), seats, deal: spec.format.swap ? deal : number }
  })
}

/**
 * Everyone in every match: `repetitions` deals, each a sitting. With `swap` a deal is played in all rotations of the contest's order (of
 * `matedOrder`, if the game knows teams), else in that order alone.
 */
function freeForAll(spec: TournamentSpec): Round {
  // Asked by pairs: "these against those" means all of them in one match.
  const seats = spec.wanted?.(everyone(spec)) === false ? among(spec, wantedPairs(spec)) : everyone(spec)
  const { min, max } = spec.seats
  if (seats.length > 0 && (seats.length < min || seats.length > max)) {
    throw new FormatError(
      `free-for-all puts all ${seats.length} entrants into one match, but the game seats ${seatsText(spec.seats)}` +
        (seats.length > max ? '; format "groups" plays them in groups' : ''),
    )
  }
  const { swap, repetitions } = spec.format
  const series = Array.from({ length: seats.length === 0 ? 0 : repetitions }, (_, deal): Series => {
    const key = `1/all/${deal + 1}`
    const order = matedOrder(spec, seats, deal, swap ? rotationsOf : (one) => [one]) ?? seats
    if (!swap) return { key, pairings: [{ key, seats: order, deal }] }
    return {
      key,
      pairings: rotationsOf(order).map((own, turn) => ({ key: matchKey(key, turn + 1), seats: own, deal })),
    }
  })
  return { label: 'round 1', series }
}

/** The rotations of an order of seats, itself first: each sits in each seat once. */
export const rotationsOf = <T>(order: readonly T[]): readonly (readonly T[])[] =>
  order.map((_, turn) => [...order.slice(turn), ...order.slice(0, turn)])

/** Every choice of `size` items, each in their order, in lexicographic order. */
function* combinations<T>(items: readonly T[], size: number): Generator<readonly T[]> {
  if (size === 0) yield []
  for (let i = 0; i + size <= items.length && size > 0; i++) {
    for (const rest of combinations(items.slice(i + 1), size - 1)) yield [items[i] as T, ...rest]
  }
}
