import type { Pairing, Result, Round, Series, Standing, Standings, TournamentSpec } from '../core/index.js'
import { circle, namesOf, type Pair } from './pairs.js'
import { pointsOf, tally } from './scoring.js'
import { listed } from '../text/index.js'
import { sharedBy } from './standings.js'

/** What two play of each other in the playoff of this number, from 1: one match, or one in each order of seats. */
export type Duel = (spec: TournamentSpec, pair: Pair, number: number) => Series

/** How a tie for the first place stands. */
export interface Playoffs {
  /** Those still level. */
  readonly level: readonly number[]
  /** The entrants that fell behind, the latest first; each list shares a place. */
  readonly behind: readonly (readonly number[])[]
  /** How many playoffs are complete. */
  readonly completed: number
  /** The playoff that is due. */
  readonly next?: Round
  /** How many matches the completed playoffs and the due one have. */
  readonly matches: number
  /** The last ones were those before them again: more would decide nothing. */
  readonly repeated?: true
}

/**
 * Settles a tie for the first place between `tied`: each of them duels each other, the best of that go on to the next playoff,
 * until one is left, the format's number of playoffs is reached, or all seatings of those still level repeat. If not all of them are wanted to meet, or the format
 * has no `duel`, nothing is played.
 */
export function playoffs(
  spec: TournamentSpec,
  tied: readonly number[],
  results: ReadonlyMap<string, Result>,
  duel: Duel | undefined,
): Playoffs {
  let level = tied
  const behind: (readonly number[])[] = []
  let matches = 0
  const meet = circle(tied).every((pair) => spec.wanted?.(pair) ?? true)
  const cap = meet && duel ? spec.format.playoff : 0
  /** The playoffs of those still level. */
  let own: (readonly Pairing[])[] = []
  for (let number = 1; number <= cap && duel && level.length > 1; number++) {
    const series = circle(level).map((pair) => duel(spec, pair, number))
    const round = { label: `playoff ${number}`, series }
    const pairings = series.flatMap((duels) => duels.pairings)
    matches += pairings.length
    if (!pairings.every(({ key }) => results.has(key)))
      return { level, behind, completed: number - 1, next: round, matches }
    const { scores } = tally(spec.scoring, spec.names.length, pairings, results)
    const points = (entrant: number): number => {
      const score = scores[entrant]
      return score ? pointsOf(spec.scoring, score) : 0
    }
    const best = Math.max(...level.map(points))
    const lost = level.filter((entrant) => points(entrant) < best)
    level = level.filter((entrant) => points(entrant) === best)
    if (level.length === 1) return { level, behind: [lost, ...behind], completed: number, matches }
    if (lost.length > 0) behind.unshift(lost)
    /** So many playoffs hold every order of seats. */
    const cycle = series[0]?.pairings.length === 2 ? 1 : 2
    own = lost.length > 0 ? [] : [...own, pairings]
    if (repeats(spec, own.slice(-cycle).flat(), own.slice(-2 * cycle, -cycle).flat(), results))
      return { level, behind, completed: number, matches, repeated: true }
  }
  return { level, behind, completed: cap, matches }
}

/**
 * The table with the tied first places set in the order that the playoffs found, and a note that says so; `achieved` tells who has
 * won anything before them.
 */
export function settled(
  spec: TournamentSpec,
  table: Standings,
  { level, behind, completed, next, repeated }: Playoffs,
  achieved: (entrant: number) => boolean,
): Standings {
  const ranks = new Map<number, number>()
  let rank = 1
  for (const group of [level, ...behind]) {
    for (const entrant of group) ranks.set(entrant, rank)
    rank += group.length
  }
  const rows = table.rows.map((row): Standing => ({ ...row, rank: ranks.get(row.entrant) ?? row.rank }))
  rows.sort((a, b) => a.rank - b.rank || a.entrant - b.entrant)
  const names = listed(namesOf(spec, level))
  const why = repeated ? ', the last of them the same moves again: more would decide nothing' : ''
  const after = completed === 0 ? '' : `, level after ${completed} ${completed === 1 ? 'playoff' : 'playoffs'}${why}`
  const note = next
    ? `${names} are level: ${next.label} is to decide`
    : level.length === 1
      ? `${names} won the playoff`
      : `${sharedBy(spec, level, achieved)}${after}`
  return { ...table, rows, notes: [...table.notes, note] }
}

/**
 * Whether more matches of this kind decide nothing: each of the last ones was answered, from the same seats, as one of those before
 * them was, in a game without chance, by bots that keep nothing from one to the next.
 */
export function repeats(
  { chanceless, shuffled }: TournamentSpec,
  last: readonly Pairing[],
  before: readonly Pairing[],
  results: ReadonlyMap<string, Result>,
): boolean {
  // Bots that live through the tournament may have changed their minds by the next one.
  if (!chanceless || shuffled || last.length === 0) return false
  const course = ({ key }: Pairing): string | undefined => results.get(key)?.course
  return last.every((now) => {
    const own = course(now)
    return own !== undefined && before.some((then) => then.seats.join() === now.seats.join() && course(then) === own)
  })
}
