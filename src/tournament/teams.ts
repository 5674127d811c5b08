import type { Round, Teams, Tournament, TournamentSpec } from '../core/index.js'
import { namesOf, lot, shuffled, FormatError } from './pairs.js'

/*
 * Games that know teams. Either an entrant has all seats of a team (`by = "team"`): its format then sees matches of so many entrants as there
 * are teams. Or each entrant has a seat, and who is whose mate follows from the order of seats, which is drawn so that mates change.
 */

/**
 * A tournament whose entrants have all seats of a team each: `build` makes that of so many entrants as there are teams. Results are those of entrants
 * (`sidesOf`).
 */
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
  const inSeats = (round: Round): Round => ({
    ...round,
    series: round.series.map(({ key, pairings }) => ({
      key,
      pairings: pairings.map((pairing) => ({
        ...pairing,
        seats: (seated.get(pairing.seats.length) ?? []).map((team) => pairing.seats[team] as number),
      })),
    })),
  })
  const rounds = new WeakMap<Round, Round>()
  return {
    ...tournament,
    next(results) {
      const round = tournament.next(results)
      const known = round && (rounds.get(round) ?? inSeats(round))
      if (round && known) rounds.set(round, known)
      return known
    },
  }
}

/** By how many teams there are, the team of each seat in the least match that has so many, if one of them has several seats. */
export function seatingsOf(teams: Teams): ReadonlyMap<number, readonly number[]> {
  const seated = new Map<number, readonly number[]>()
  for (const team of Object.values(teams)) {
    const count = new Set(team).size
    if (count > 1 && count < team.length && !seated.has(count)) seated.set(count, team)
  }
  return seated
}

/** Orders by lot that are compared for a deal. */
const TRIES = 60

/** What a company's deals have come to: their orders, and how often each two were mates, by the lesser and the greater. */
interface Dealt {
  readonly orders: (readonly number[])[]
  readonly mates: Map<string, number>
}

/** By spec and company; later deals depend on those before. */
const dealt = new WeakMap<TournamentSpec, Map<string, Dealt>>()

/**
 * The order of seats in which a company plays that deal, each of whose `rotations` is played. If the game knows teams, of some orders by lot the
 * one after which every two have been mates as evenly as can be; undefined: it knows none.
 */
export function matedOrder(
  spec: TournamentSpec,
  company: readonly number[],
  deal: number,
  rotations: (order: readonly number[]) => readonly (readonly number[])[],
): readonly number[] | undefined {
  const team = spec.scoring.teams?.[company.length]
  if (team === undefined) return undefined
  const known = dealt.get(spec) ?? new Map<string, Dealt>()
  dealt.set(spec, known)
  const names = [...namesOf(spec, company)].sort()
  const key = names.join('\n')
  const own = known.get(key) ?? { orders: [], mates: new Map<string, number>() }
  known.set(key, own)
  while (own.orders.length <= deal) {
    const drawings = Array.from({ length: TRIES }, (_, n) => {
      const drawn = shuffled(lot(spec.seed, 'mates', own.orders.length, n, ...names), names)
      const order = drawn.map((name) => spec.names.indexOf(name))
      const met = rotations(order).flatMap((seats) => matesIn(seats, team))
      // The more often two were mates, the dearer it is that they are mates again.
      return { order, met, cost: met.reduce((sum, two) => sum + (own.mates.get(two) ?? 0), 0) }
    })
    const best = drawings.reduce((a, b) => (b.cost < a.cost ? b : a))
    for (const two of best.met) own.mates.set(two, (own.mates.get(two) ?? 0) + 1)
    own.orders.push(best.order)
  }
  return own.orders[deal]
}

/** Who are mates in these seats. */
function matesIn(seats: readonly number[], team: readonly number[]): readonly string[] {
  return seats.flatMap((a, i) =>
    seats.flatMap((b, j) => (i < j && team[i] === team[j] ? `${Math.min(a, b)} ${Math.max(a, b)}` : [])),
  )
}
