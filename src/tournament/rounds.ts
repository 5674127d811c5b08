import type { Pairing, Round, Series, Standings, Tournament, TournamentSpec } from '../core/index.js'
import { among, circle, isPlayed, namesOf, type Pair, pairingsOf, type Results, seatsOf } from './pairs.js'
import { pointsOf, type Score, tally } from './scoring.js'
import { seatNotes } from './seats.js'
import { achievedBy, firstOf, sharedBy, standingsOf } from './standings.js'
import { listed } from '../text/index.js'

/** The last state from the `first`; `after`: behind a played round. Of growing results each round is seen once. */
export function courseFrom<State extends { readonly round?: Round }>(
  first: State,
  after: (state: State, round: Round, results: Results) => State,
): (results: Results) => State {
  const reached = new WeakMap<Results, State>()
  return (results) => {
    let state = reached.get(results) ?? first
    while (state.round && isPlayed(pairingsOf(state.round), results)) state = after(state, state.round, results)
    reached.set(results, state)
    return state
  }
}

/** A tournament of matches known from the start, but for playoffs of `duel`s. */
export function oneRound(spec: TournamentSpec, round: Round, duel?: Duel): Tournament {
  const pairings = pairingsOf(round)
  const entrants = among(spec, seatsOf(pairings))
  const look = (results: Results) => {
    const { scores } = tally(spec.scoring, spec.names.length, pairings, results)
    const table = standingsOf(spec, entrants, scores)
    const complete = isComplete(results)
    const first = firstOf(table.rows)
    const tie = complete && first.length > 1 ? playoffs(spec, first, results, duel) : undefined
    return { table, scores, complete, tie }
  }
  // Counting first saves the look at each match of a round just begun.
  const isComplete = (results: Results): boolean => results.size >= pairings.length && isPlayed(pairings, results)

  return {
    next: (results) => (isComplete(results) ? look(results).tie?.next : round),
    standings(results) {
      const { table, scores, complete, tie } = look(results)
      const notes = complete ? seatNotes(spec.seed, pairings, results) : []
      const standings = { ...table, notes: [...table.notes, ...notes] }
      return tie ? settled(spec, standings, tie, scores) : standings
    },
    total: (results) => pairings.length + (isComplete(results) ? (look(results).tie?.matches ?? 0) : 0),
  }
}

/** What two play in the playoff of this number, from 1: one match, or one in each order of seats. */
type Duel = (pair: Pair, number: number) => Series

interface Playoffs {
  readonly level: readonly number[]
  /** The entrants fallen behind, the latest first; each list shares a place. */
  readonly behind: readonly (readonly number[])[]
  readonly completed: number
  readonly next?: Round
  /** Of the completed playoffs and the due one. */
  readonly matches: number
  /** The last ones repeated those before: more would decide nothing. */
  readonly repeated?: boolean
}

/**
 * Settles a tie for the first place: each of `tied` duels each other, the best go on to the next playoff, until one is
 * left, the format's number of playoffs is reached, or all seatings of the level ones repeat. Without a `duel`, or if
 * some may not meet, nothing is played.
 */
function playoffs(spec: TournamentSpec, tied: readonly number[], results: Results, duel: Duel | undefined): Playoffs {
  let state: Playoffs = { level: tied, behind: [], completed: 0, matches: 0 }
  if (duel === undefined || !circle(tied).every((pair) => spec.wanted?.(pair) ?? true)) return state
  /** The playoffs of those still level. */
  let own: readonly (readonly Pairing[])[] = []
  while (state.completed < spec.format.playoff && state.level.length > 1 && !state.repeated) {
    const { level, behind } = state
    const completed = state.completed + 1
    const series = circle(level).map((pair) => duel(pair, completed))
    const pairings = pairingsOf({ series })
    const matches = state.matches + pairings.length
    if (!isPlayed(pairings, results)) return { ...state, matches, next: { label: `playoff ${completed}`, series } }
    const { scores } = tally(spec.scoring, spec.names.length, pairings, results)
    const points = (entrant: number): number => pointsOf(spec.scoring, scores[entrant] as Score)
    const best = Math.max(...level.map(points))
    const lost = level.filter((entrant) => points(entrant) < best)
    own = lost.length > 0 ? [] : [...own, pairings]
    /** So many playoffs hold every order of seats. */
    const cycle = series[0]?.pairings.length === 2 ? 1 : 2
    state = {
      level: level.filter((entrant) => !lost.includes(entrant)),
      behind: lost.length > 0 ? [lost, ...behind] : behind,
      completed,
      matches,
      repeated: repeats(spec, own.slice(-cycle).flat(), own.slice(-2 * cycle, -cycle).flat(), results),
    }
  }
  return state
}

/** The table in the playoffs' order, and a note that says so. */
function settled(
  spec: TournamentSpec,
  table: Standings,
  { level, behind, completed, next, repeated }: Playoffs,
  scores: readonly Score[],
): Standings {
  const ranks = new Map<number, number>()
  for (const group of [level, ...behind]) {
    const rank = ranks.size + 1
    for (const entrant of group) ranks.set(entrant, rank)
  }
  const rows = table.rows.map((row) => ({ ...row, rank: ranks.get(row.entrant) ?? row.rank }))
  rows.sort((a, b) => a.rank - b.rank || a.entrant - b.entrant)
  const names = listed(namesOf(spec, level))
  const why = repeated ? ', the last of them the same moves again: more would decide nothing' : ''
  const after = completed === 0 ? '' : `, level after ${completed} ${completed === 1 ? 'playoff' : 'playoffs'}${why}`
  const note = next
    ? `${names} are level: ${next.label} is to decide`
    : level.length === 1
      ? `${names} won the playoff`
      : `${sharedBy(spec, level, achievedBy(spec, scores))}${after}`
  return { ...table, rows, notes: [...table.notes, note] }
}

/**
 * Whether more matches decide nothing: each of the last was answered as an earlier one, from the same seats, in a game
 * without chance, by bots that keep nothing in between.
 */
export function repeats(
  { chanceless, shuffled }: TournamentSpec,
  last: readonly Pairing[],
  before: readonly Pairing[],
  results: Results,
): boolean {
  // Bots that live through the tournament may have changed their minds by the next.
  if (!chanceless || shuffled || last.length === 0) return false
  const course = ({ key }: Pairing): string | undefined => results.get(key)?.course
  return last.every((now) => {
    const own = course(now)
    return own !== undefined && before.some((then) => then.seats.join() === now.seats.join() && course(then) === own)
  })
}
