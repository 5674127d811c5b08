import type { Pairing, Round, Series, TournamentSpec } from '../core/index.js'
import type { Format } from './format.js'
import { matchKey, seriesKey } from './keys.js'
import { oneRound } from './one-round.js'
import { everyone, namesOf, lot, refuseSize, shuffled } from './pairs.js'
import { matedOrder } from './teams.js'

export const GROUPS: Format = {
  kind: 'groups',
  keys: ['size'],
  sizes: 'size',
  deals: 'swapped',
  unlikeOpponents: false,
  openEnded: false,
  hint: 'groups of as many as the game takes',
  build: (spec) => oneRound(spec, groups(spec)),
  blocks(spec) {
    const companies = groupsOf(spec)
    return { companies, size: companies[0]?.length ?? 1, of: (group, deal) => squareOf(spec, group, deal) }
  },
}

/**
 * Every group of `size` entrants plays `repetitions` Latin squares in one sitting: the `size` rotations of an order drawn by
 * lot (`matedOrder` if the game knows teams), so that each of them sits in each seat once. With `swap` the matches of a square are of one deal, without each is of its own.
 */
function groups(spec: TournamentSpec): Round {
  return { label: 'round 1', series: groupsOf(spec).map((group) => squares(spec, group)) }
}

/** The groups that are to be played. Throws a FormatError where they do not fit the game or the entrants. */
function groupsOf(spec: TournamentSpec): readonly (readonly number[])[] {
  const size = spec.format.size ?? spec.seats.min
  refuseSize(spec, 'a group', size, spec.names.length)
  return [...combinations(everyone(spec), size)].filter((group) => spec.wanted?.(group) ?? true)
}

function squares(spec: TournamentSpec, group: readonly number[]): Series {
  const pairings = Array.from({ length: spec.format.repetitions }, (_, deal) => squareOf(spec, group, deal))
  return { key: seriesKey('1', namesOf(spec, group)), pairings: pairings.flat() }
}

/** The Latin square of a group that has this number. */
export function squareOf(spec: TournamentSpec, group: readonly number[], deal: number): readonly Pairing[] {
  const byName = namesOf(spec, group)
    .map((name, i) => ({ name, entrant: group[i] ?? 0 }))
    .sort((a, b) => (a.name < b.name ? -1 : 1))
  const names = byName.map(({ name }) => name)
  const key = seriesKey('1', names)
  const start =
    matedOrder(spec, group, deal, rotationsOf) ??
    shuffled(lot(spec.seed, 'square', deal, ...names), byName).map(({ entrant }) => entrant)
  return rotationsOf(start).map((seats, turn) => {
    const number = deal * start.length + turn
    return { key: matchKey(key, number + 1), seats, deal: spec.format.swap ? deal : number }
  })
}

/** The rotations of an order of seats, itself the first: each of them sits in each seat once. */
export const rotationsOf = <T>(order: readonly T[]): readonly (readonly T[])[] =>
  order.map((_, turn) => [...order.slice(turn), ...order.slice(0, turn)])

/** Every choice of `size` of the items, each in the items' order, in lexicographic order. */
function* combinations<T>(items: readonly T[], size: number): Generator<readonly T[]> {
  if (size === 0) yield []
  for (let i = 0; i + size <= items.length && size > 0; i++) {
    for (const rest of combinations(items.slice(i + 1), size - 1)) yield [items[i] as T, ...rest]
  }
}
