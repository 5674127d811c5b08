import type { Teams, Tournament, TournamentSpec } from '../core/index.js'
import { evenest, FormatError, inLotOrder } from './pairs.js'

/*
 * Games that know teams. Either an entrant has all seats of a team (`by = "team"`): its format then sees matches of as many entrants as
 * teams. Or each has a seat, and who is whose mate follows from the order of seats, drawn so that mates change.
 */

/** A tournament whose entrants have whole teams; `build` makes that of its sides, with their results (`sidesOf`). */
export function byTeam(spec: TournamentSpec, build: (spec: TournamentSpec) => Tournament): Tournament {
  const { teams = {}, self } = spec.format
  const seated = seatingsOf(teams)
  if (seated.size === 0) throw new FormatError('by = "team": the game knows no teams of several seats: leave "by" out')
  if (self) throw new FormatError('self = true: with by = "team" nobody meets itself: leave one of them out')
  if (spec.shuffled)
    throw new FormatError(
      'by = "team": a bot whose memory is "tournament" has one life, and cannot sit in all seats of a team',
    )
  const counts = [...seated.keys()]
  const tournament = build({ ...spec, seats: { min: Math.min(...counts), max: Math.max(...counts) } })
  return {
    ...tournament,
    next(results) {
      const round = tournament.next(results)
      const seatsOf = (sides: readonly number[]): readonly number[] =>
        (seated.get(sides.length) ?? []).map((team) => sides[team] as number)
      const series = round?.series.map(({ key, pairings }) => ({
        key,
        pairings: pairings.map((pairing) => ({ ...pairing, seats: seatsOf(pairing.seats) })),
      }))
      return round && series && { ...round, series }
    },
  }
}

/** By number of teams, each seat's team in the least match with so many, if one has several seats. */
export function seatingsOf(teams: Teams): ReadonlyMap<number, readonly number[]> {
  const seated = new Map<number, readonly number[]>()
  for (const team of Object.values(teams)) {
    const count = new Set(team).size
    if (count > 1 && count < team.length && !seated.has(count)) seated.set(count, team)
  }
  return seated
}

const ORDERS_COMPARED = 60

/** By spec and company: its deals' orders, of which later depend on earlier ones, and how often two were mates. */
type Dealt = Map<string, { readonly orders: (readonly number[])[]; readonly mates: Map<string, number> }>
const dealt = new WeakMap<TournamentSpec, Dealt>()

/**
 * The order of seats in which a company plays that deal, in all `rotations`. If the game knows teams, of some orders by
 * lot the one after which every two were mates most evenly; undefined: it knows none.
 */
export function matedOrder(
  spec: TournamentSpec,
  company: readonly number[],
  deal: number,
  rotations: (order: readonly number[]) => readonly (readonly number[])[],
): readonly number[] | undefined {
  const team = spec.scoring.teams?.[company.length]
  if (team === undefined) return undefined
  const companies = dealt.get(spec) ?? (new Map() as Dealt)
  dealt.set(spec, companies)
  const key = [...company].sort((a, b) => a - b).join()
  const { orders, mates } = companies.get(key) ?? { orders: [], mates: new Map<string, number>() }
  companies.set(key, { orders, mates })
  while (orders.length <= deal) {
    const { order, met } = evenest(ORDERS_COMPARED, (attempt) => {
      const seats = inLotOrder(spec, company, 'mates', orders.length, attempt)
      const pairs = rotations(seats).flatMap((rotated) => matesIn(rotated, team))
      // The more often two were mates, the dearer it is again.
      return { order: seats, met: pairs, uneven: pairs.reduce((sum, two) => sum + (mates.get(two) ?? 0), 0) }
    })
    for (const two of met) mates.set(two, (mates.get(two) ?? 0) + 1)
    orders.push(order)
  }
  return orders[deal]
}

function matesIn(seats: readonly number[], team: readonly number[]): readonly string[] {
  return seats.flatMap((a, i) =>
    seats.flatMap((b, j) => (i < j && team[i] === team[j] ? `${Math.min(a, b)} ${Math.max(a, b)}` : [])),
  )
}
