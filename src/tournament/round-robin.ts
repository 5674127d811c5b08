import type { Round, Series, TournamentSpec } from '../core/index.js'
import type { Blocks, Format } from './format.js'
import { playoffPart } from './keys.js'
import { oneRound } from './rounds.js'
import { alternating, inTurns, sitting, wantedPairs, type Pair } from './pairs.js'

export const ROUND_ROBIN: Format = {
  kind: 'round-robin',
  keys: ['self'],
  hint: 'everyone meets everyone',
  playoff: 'first',
  meetings: 1,
  build: (spec) =>
    // Who sits first is drawn by lot for the first playoff, then alternates.
    oneRound(spec, roundRobin(spec), (pair, number) => {
      const seats = alternating(spec, pair, 'playoff', 2)[(number - 1) % 2] ?? pair
      return sitting(spec, playoffPart(number), [seats], () => dealsOf(spec) + number - 1)
    }),
  blocks: blocksOf,
}

/** Everyone against everyone in both orders of seats, `repetitions` times; playoffs too. */
export const ORDERED_PAIRS: Format = {
  kind: 'ordered-pairs',
  keys: ['self'],
  deals: 'always',
  playoff: 'first',
  meetings: 2,
  build(spec) {
    const both = inBothOrders(spec)
    return oneRound(both, roundRobin(both), (pair, number) =>
      pairSeries(both, pair, { round: playoffPart(number), deal: dealsOf(both) + number - 1, matches: 2 }),
    )
  },
  blocks: (spec) => blocksOf(inBothOrders(spec)),
}

const inBothOrders = (spec: TournamentSpec): TournamentSpec => ({
  ...spec,
  format: { ...spec.format, swap: true, repetitions: 2 * spec.format.repetitions },
})

/**
 * Everyone against everyone: `repetitions` matches a pair in one sitting. With `swap` the seats alternate, and both orders share a deal of
 * luck; without, the earlier in the contest sits first.
 */
export const roundRobin = (spec: TournamentSpec): Round => ({
  label: 'round 1',
  series: wantedPairs(spec).map((pair) => pairSeries(spec, pair)),
})

/** How many deals of luck a pair's matches use. A playoff's come after them. */
export function dealsOf({ format }: TournamentSpec): number {
  return format.swap ? Math.ceil(format.repetitions / 2) : format.repetitions
}

/** A pair's matches of a round in one sitting, `repetitions` unless said; `deal`: the number of the first deal of luck. */
export function pairSeries(
  spec: TournamentSpec,
  pair: Pair,
  { round = '1', deal = 0, matches = spec.format.repetitions } = {},
): Series {
  // An entrant against itself has one order of seats: the same luck again would be the same match.
  const mirrored = spec.format.swap && pair[0] !== pair[1]
  const orders = mirrored ? alternating(spec, pair, round, matches) : inTurns(pair, matches, false)
  return sitting(spec, round, orders, (i) => deal + (mirrored ? Math.floor(i / 2) : i))
}

function blocksOf(spec: TournamentSpec): Blocks {
  const size = spec.format.swap ? 2 : 1
  return {
    companies: wantedPairs(spec),
    size,
    of: (pair, deal) => pairSeries(spec, pair as Pair, { matches: (deal + 1) * size }).pairings.slice(-size),
  }
}
