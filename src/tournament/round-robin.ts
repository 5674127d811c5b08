import type { Round, Series, TournamentSpec } from '../core/index.js'
import type { Format } from './format.js'
import { matchKey, playoffPart, seriesKey } from './keys.js'
import { oneRound } from './one-round.js'
import { alternating, namesOf, wantedPairs, type Pair } from './pairs.js'

export const ROUND_ROBIN: Format = {
  kind: 'round-robin',
  keys: ['self'],
  sizes: 'two',
  deals: 'repeated',
  unlikeOpponents: false,
  openEnded: false,
  hint: 'everyone meets everyone',
  playoff: 'first',
  meetings: 1,
  build: (spec) => oneRound(spec, roundRobin(spec), duel),
  blocks(spec) {
    const size = spec.format.swap ? 2 : 1
    return {
      companies: wantedPairs(spec),
      size,
      of: (pair, deal) => pairSeries(spec, pair as Pair, '1', 0, (deal + 1) * size).pairings.slice(-size),
    }
  },
}

/**
 * Everyone against everyone: `repetitions` matches a pair in one sitting. With `swap` the seats alternate, and the two orders
 * share their deal of luck; without, the earlier in the contest sits first.
 */
export const roundRobin = (spec: TournamentSpec): Round => ({
  label: 'round 1',
  series: wantedPairs(spec).map((pair) => pairSeries(spec, pair, '1', 0)),
})

/** How many deals of luck the matches of a pair use. */
export function dealsOf({ format }: TournamentSpec): number {
  return format.swap ? Math.ceil(format.repetitions / 2) : format.repetitions
}

/** A pair's matches of a round in one sitting, `repetitions` of them; `deal` is the number of its first deal of luck. */
export function pairSeries(
  spec: TournamentSpec,
  pair: Pair,
  round: string,
  deal: number,
  repetitions = spec.format.repetitions,
): Series {
  const { swap } = spec.format
  const key = seriesKey(round, namesOf(spec, pair))
  // An entrant against itself has one order of seats: the same luck again would be the same match again.
  const mirrored = swap && pair[0] !== pair[1]
  const orders = mirrored ? alternating(spec, pair, round, repetitions) : Array<Pair>(repetitions).fill(pair)
  return {
    key,
    pairings: orders.map((seats, i) => ({
      key: matchKey(key, i + 1),
      seats,
      deal: deal + (mirrored ? Math.floor(i / 2) : i),
    })),
  }
}

/** A match of a playoff. Who sits first is drawn by lot for the first one, and changes from one to the next. The luck goes on where the main round's ended. */
function duel(spec: TournamentSpec, pair: Pair, number: number): Series {
  const key = seriesKey(playoffPart(number), namesOf(spec, pair))
  const seats = alternating(spec, pair, 'playoff', 2)[(number - 1) % 2] ?? pair
  return { key, pairings: [{ key: matchKey(key, 1), seats, deal: dealsOf(spec) + number - 1 }] }
}
