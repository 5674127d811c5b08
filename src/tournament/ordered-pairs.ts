import type { Round, Series, TournamentSpec } from '../core/index.js'
import type { Format } from './format.js'
import { matchKey, playoffPart, seriesKey } from './keys.js'
import { oneRound } from './one-round.js'
import { alternating, namesOf, wantedPairs, type Pair } from './pairs.js'

export const ORDERED_PAIRS: Format = {
  kind: 'ordered-pairs',
  keys: ['self'],
  sizes: 'two',
  deals: 'always',
  unlikeOpponents: false,
  openEnded: false,
  playoff: 'first',
  meetings: 2,
  build: (spec) =>
    // A playoff has both orders too, and its luck goes on where the main round's ended.
    oneRound(spec, orderedPairs(spec), (_, pair, number) =>
      bothOrders(spec, pair, playoffPart(number), 1, spec.format.repetitions + number - 1),
    ),
  blocks: (spec) => ({
    companies: wantedPairs(spec),
    size: 2,
    of: (pair, deal) => bothOrders(spec, pair as Pair, '1', deal + 1, 0).pairings.slice(-2),
  }),
}

/** Everyone against everyone in both orders of seats, `repetitions` times; the matches of two entrants are one sitting. */
function orderedPairs(spec: TournamentSpec): Round {
  const series = wantedPairs(spec).map((pair) => bothOrders(spec, pair, '1', spec.format.repetitions, 0))
  return { label: 'round 1', series }
}

/** Both orders of a pair, `times` times; the two orders share their deal of luck, the first of which is `deal`. */
function bothOrders(spec: TournamentSpec, pair: Pair, round: string, times: number, deal: number): Series {
  const key = seriesKey(round, namesOf(spec, pair))
  const orders = alternating(spec, pair, round, 2 * times)
  // An entrant against itself has one order of seats: the same luck again would be the same match again.
  const size = pair[0] === pair[1] ? 1 : 2
  return {
    key,
    pairings: orders.map((seats, i) => ({ key: matchKey(key, i + 1), seats, deal: deal + Math.floor(i / size) })),
  }
}
