import type { Pairing, Series } from '../core/index.js'
import { lot, shuffled } from './lots.js'

/**
 * The matches of all pairs as single ones, for bots that remember each of them: in cycles, in each of which every pair that has a match
 * left plays one. A cycle is a round robin by the circle method: rounds in which everybody plays once, or waits once in an odd field.
 * The places in the circle, the order of its rounds and which of its matches a pair plays are drawn by lot for each cycle. So
 * no bot can tell who comes next, all have played as many matches but for one or two, and half of the field can play at once, where an order
 * without rounds leaves most matches waiting for another. `pairs`: a series for each; an entrant that is in none of them waits.
 */
export function inCycles(
  seed: string,
  round: number,
  entrants: readonly number[],
  pairs: readonly Series[],
): readonly Pairing[] {
  const left = new Map<string, Pairing[]>()
  for (const { key, pairings } of pairs)
    left.set(pairKey(pairings[0]?.seats ?? []), [...shuffled(lot(seed, 'cycle', round, key), pairings)])
  const cycles = Math.max(0, ...pairs.map(({ pairings }) => pairings.length))
  return Array.from({ length: cycles }, (_, cycle) => {
    const circle = shuffled(lot(seed, 'circle', round, cycle), entrants)
    const rounds = shuffled(lot(seed, 'rounds', round, cycle), roundsOf(circle))
    return rounds.flat().flatMap((pair) => left.get(pairKey(pair))?.pop() ?? [])
  }).flat()
}

/** The rounds of a round robin: the last one stays at its place, the others move on by one. An odd field has an empty place. */
function roundsOf(circle: readonly number[]): readonly (readonly (readonly [number, number])[])[] {
  const places = circle.length % 2 === 0 ? circle : [...circle, undefined]
  const moving = places.length - 1
  const at = (place: number, round: number) => (place === moving ? places[moving] : places[(place + round) % moving])
  return Array.from({ length: Math.max(0, moving) }, (_, round) =>
    Array.from({ length: places.length / 2 }, (_, i) => [at(i, round), at(moving - i, round)] as const).flatMap(
      ([one, other]) => (one === undefined || other === undefined ? [] : [[one, other] as const]),
    ),
  )
}

const pairKey = (pair: readonly number[]): string => [...pair].sort((a, b) => a - b).join()
