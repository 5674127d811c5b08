import type { BrowseFilter, MatchFilter, StoredFault, StoredMatch } from './data.js'
import { keyOf } from './segment.js'

/** Whether a match is one of those that a filter means. */
export const isMeant = ({ seats, outcome }: StoredMatch, { entrant, lost }: MatchFilter): boolean =>
  (entrant === undefined || seats.includes(entrant)) &&
  (!lost || seats.some((who, seat) => (entrant ?? who) === who && (outcome.place[seat] ?? 1) > 1))

/** Matches that one page looks at, at most, so that a filter which few pass answers as soon as one that all do. */
const SCANNED = 40_000

/** The same where each has to be looked up among the faults, or one alone is looked for. */
const LOOKED_UP = 5000

/** How many one page looks at with this filter. */
export const lookedAt = ({ fault, key }: BrowseFilter): number =>
  fault === undefined && key === undefined ? SCANNED : LOOKED_UP

/** Faults aside. With an entrant, the result is its own; without one, that of the match. */
export function passes(game: StoredMatch, filter: BrowseFilter): boolean {
  const { seats, outcome, turns } = game
  const { entrant, opponent, result, least = 0, most = Infinity, key } = filter
  if (key !== undefined && !`${keyOf(game)}/`.startsWith(`${key}/`)) return false
  const seat = entrant === undefined ? undefined : seats.indexOf(entrant)
  if (seat === -1 || turns < least || turns > most) return false
  if (opponent !== undefined && !seats.some((one, at) => one === opponent && at !== seat)) return false
  if (result !== undefined) {
    const firsts = outcome.place.filter((place) => place === 1).length
    const own = seat === undefined || outcome.place[seat] === 1 ? (firsts > 1 ? 'draw' : 'win') : 'loss'
    if (own !== result) return false
  }
  return true
}

/** Whether one of a match's faults is such as the filter asks for: the entrant's, or, where none is named, any entrant's. */
export function hasFault(
  faults: readonly StoredFault[],
  { seats }: StoredMatch,
  { entrant, fault }: BrowseFilter,
): boolean {
  const seat = entrant === undefined ? undefined : seats.indexOf(entrant)
  return faults.some((one) => (seat === undefined || one.seat === seat) && (fault === 'any' || one.fault === fault))
}
