import type { Round, Series, TournamentSpec } from '../core/index.js'
import type { Format } from './format.js'
import { rotationsOf } from './groups.js'
import { matchKey } from './keys.js'
import { oneRound } from './one-round.js'
import { among, everyone, seatsText, wantedPairs, FormatError } from './pairs.js'
import { matedOrder } from './teams.js'

export const FREE_FOR_ALL: Format = {
  kind: 'free-for-all',
  keys: [],
  sizes: 'all',
  deals: 'swapped',
  unlikeOpponents: false,
  openEnded: false,
  hint: 'all in one match',
  build: (spec) => oneRound(spec, freeForAll(spec)),
}

/**
 * Everyone in every match: `repetitions` deals, each a sitting of its own. With `swap` a deal is played in all rotations of the contest's
 * order (of `matedOrder`, if the game knows teams), without in that order alone.
 */
function freeForAll(spec: TournamentSpec): Round {
  // Asked for by pairs, so that "these against those" means all of them in one match.
  const seats = spec.wanted?.(everyone(spec)) === false ? among(spec, wantedPairs(spec)) : everyone(spec)
  const { min, max } = spec.seats
  if (seats.length > 0 && (seats.length < min || seats.length > max)) {
    throw new FormatError(
      `free-for-all puts all ${seats.length} entrants into one match, but the game seats ${seatsText(spec.seats)}` +
        (seats.length > max ? '; format "groups" plays them in groups' : ''),
    )
  }
  const series = Array.from({ length: seats.length === 0 ? 0 : spec.format.repetitions }, (_, deal): Series => {
    const key = `1/all/${deal + 1}`
    const { swap } = spec.format
    const order = matedOrder(spec, seats, deal, swap ? rotationsOf : (one) => [one]) ?? seats
    if (!swap) return { key, pairings: [{ key, seats: order, deal }] }
    return {
      key,
      pairings: rotationsOf(order).map((own, turn) => ({ key: matchKey(key, turn + 1), seats: own, deal })),
    }
  })
  return { label: 'round 1', series }
}
