import type { ScoringSpec, Teams } from './contest.js'
import type { Outcome } from './game.js'
import type { GameDefinition } from './definition.js'

/**
 * An ending against the game's own rules: its designer's mistake. The message goes on from "the game ends wrongly: ".
 */
export class OutcomeError extends Error {
  override readonly name = 'OutcomeError'
}

/**
 * How a match of so many seats ended; undefined: it has not. Places left out follow from scores: one more than the
 * seats that scored more. Throws OutcomeError for places, scores or tallies that are not finite, one for each seat and
 * within the game's bounds, for places that are no ranking, and for no scores where matches count by them.
 */
export function outcomeOf(
  { game, scoring }: Pick<GameDefinition, 'game' | 'scoring'>,
  state: unknown,
  seats: number,
): Outcome | undefined {
  const ending = game.outcome(state)
  if (ending === undefined) return undefined
  // JavaScript's designers write null, false or '' for nothing.
  if (typeof (ending as unknown) !== 'object' || (ending as unknown) === null)
    throw new OutcomeError(`it is ${inWords(ending)}, and has to be undefined as long as the game goes on`)
  const { place, score, reason, tally } = ending
  if (typeof reason !== 'string') throw new OutcomeError(`its reason is ${inWords(reason)}, and has to be a text`)
  const scores = score === undefined ? undefined : numbers('score', score, seats)
  if (scores === undefined && scoring?.by === 'score')
    throw new OutcomeError('it has no score, and by the game scores are what counts: outcome() gives a number a seat')
  checkScores(scores, game.scores)
  const places = place === undefined && scores !== undefined ? placesOf(scores) : numbers('place', place, seats)
  for (const one of places) {
    if (!Number.isInteger(one) || one < 1)
      throw new OutcomeError(`the place ${one} is none: places are whole numbers from 1, the best`)
  }
  checkRanking(places)
  checkTeams(game.teams?.(seats), places)
  const tallies = Object.entries(tally ?? {}).map(([name, list]) => [name, tallied(name, list, seats, scores)] as const)
  return {
    place: places,
    ...(scores && { score: scores }),
    reason,
    ...(tally && { tally: Object.fromEntries(tallies) }),
  }
}

/** A tally counts in whole numbers, unless the game has scores. */
function tallied(name: string, list: unknown, seats: number, scores: readonly number[] | undefined): readonly number[] {
  const tally = numbers(`tally ${name}`, list, seats)
  const seat = scores === undefined ? tally.findIndex((value) => !Number.isInteger(value)) : -1
  if (seat < 0) return tally
  throw new OutcomeError(
    `its tally ${name} of seat ${seat} is ${tally[seat]}, and a game without scores tallies in whole numbers`,
  )
}

const placesOf = (scores: readonly number[]): readonly number[] =>
  scores.map((own) => 1 + scores.filter((other) => other > own).length)

/** A place is one more than the seats with a better one: from 1, with gaps behind equals, as in [1, 1, 3]. */
function checkRanking(places: readonly number[]): void {
  const rising = [...places].sort((a, b) => a - b)
  if (rising.every((place, i) => place === (place === rising[i - 1] ? place : i + 1))) return
  const right = places.map((place) => rising.indexOf(place) + 1)
  throw new OutcomeError(
    `its place [${places.join(', ')}] is no ranking: a place is one more than the seats with a better one, as in [${right.join(', ')}]`,
  )
}

const isListOfLists = (value: unknown): boolean =>
  Array.isArray(value) && value.every((one: unknown) => Array.isArray(one))

function checkTeams(teams: readonly (readonly number[])[] | undefined, places: readonly number[]): void {
  if (teams === undefined) return
  if (!isListOfLists(teams))
    throw new OutcomeError(`its teams are ${inWords(teams)}, and have to be lists of seats such as [[0, 2], [1, 3]]`)
  const seats = teams.flat()
  if (seats.length !== places.length || places.some((_, seat) => !seats.includes(seat)))
    throw new OutcomeError(`its teams ${JSON.stringify(teams)} do not have each of the ${places.length} seats once`)
  for (const [first = 0, ...mates] of teams) {
    const torn = mates.find((seat) => places[seat] !== places[first])
    if (torn === undefined) continue
    throw new OutcomeError(
      `the team mates in seats ${first} and ${torn} have the places ${places[first]} and ${places[torn]}, and a team shares its place`,
    )
  }
}

/** A finite number for each seat; no negative zero, as JSON has but one. */
function numbers(what: string, list: unknown, seats: number): readonly number[] {
  if (!Array.isArray(list)) throw new OutcomeError(`its ${what} is ${inWords(list)}, and has to be an array by seat`)
  if (list.length !== seats)
    throw new OutcomeError(
      `its ${what} is of ${list.length} ${list.length === 1 ? 'seat' : 'seats'} and not of ${seats}`,
    )
  // An array with holes is not gone through by `map`.
  return Array.from(list as readonly unknown[], (value, seat) => {
    if (typeof value !== 'number' || !Number.isFinite(value))
      throw new OutcomeError(`its ${what} of seat ${seat} is ${inWords(value)}, and has to be a finite number`)
    return value === 0 ? 0 : value
  })
}

/** Squares of greater scores, and their sums, would be no numbers. */
const GREATEST = 1e100

function checkScores(scores: readonly number[] = [], bounds: GameDefinition['game']['scores']): void {
  for (const [seat, score] of scores.entries()) {
    const wrong = (who: string, min: number, max: number): OutcomeError =>
      new OutcomeError(`its score of seat ${seat} is ${score}, and ${who}scores lie from ${min} to ${max}`)
    if (Math.abs(score) > GREATEST) throw wrong('', -GREATEST, GREATEST)
    if (bounds !== undefined && (score < bounds.min || score > bounds.max))
      throw wrong('the game says that ', bounds.min, bounds.max)
  }
}

const inWords = (value: unknown): string =>
  value === undefined ? 'missing' : typeof value === 'number' ? String(value) : (JSON.stringify(value) ?? typeof value)

/** What of a scoring says which scores count. */
type CountedBy = Pick<ScoringSpec, 'by' | 'per' | 'points' | 'teams'>

/**
 * By seat what a match counts by scores: its place's points, the score, or the score a turn. `turns`: the match's
 * steps. Undefined: wins count, or no scores: it was not played, and counts as lost.
 */
export function countedScores(
  { by, per, points, teams }: CountedBy,
  { outcome, turns = 1 }: { readonly outcome: Outcome; readonly turns?: number },
): readonly number[] | undefined {
  if (points !== undefined) return placePoints(points, outcome.place, teams)
  if (by !== 'score' || outcome.score === undefined) return undefined
  return per === 'turn' ? outcome.score.map((score) => score / Math.max(1, turns)) : outcome.score
}

/** By seat its team's place's points; teams that share a place share them. A seat without team plays alone. */
function placePoints(points: readonly number[], place: readonly number[], teams: Teams = {}): readonly number[] {
  const teamOf = teams[place.length] ?? place.map((_, seat) => seat)
  const own = [...new Set(teamOf)].map((team) => place[teamOf.indexOf(team)] as number)
  return place.map((rank) => {
    const above = own.filter((other) => other < rank).length
    const equal = own.filter((other) => other === rank).length
    return points.slice(above, above + equal).reduce((sum, one) => sum + one, 0) / equal
  })
}

/** How many share the first place: seats, or teams if `team` gives each seat's. */
export function firstPlaces(place: readonly number[], team?: readonly number[]): number {
  if (team !== undefined) return new Set(team.filter((_, seat) => place[seat] === 1)).size
  let firsts = 0
  for (const one of place) if (one === 1) firsts++
  return firsts
}

/** By number of seats, by seat its team; undefined: no teams. */
export function teamsOf(game: GameDefinition['game']): Teams | undefined {
  const { seats } = game
  const known: Record<number, readonly number[]> = {}
  for (let count = seats.min; count <= Math.min(seats.max, seats.min + MOST_SIZES); count++) {
    const list = game.teams?.(count)
    if (list !== undefined && isListOfLists(list))
      known[count] = Array.from({ length: count }, (_, seat) => list.findIndex((team) => team.includes(seat)))
  }
  return Object.keys(known).length === 0 ? undefined : known
}

/** Sizes of matches whose teams are asked for. */
const MOST_SIZES = 100

/** An entrant's seats, in matches of more than two, as one: their place, mean score and sums of tallies. */
export function sidesOf<M extends { readonly seats: readonly number[]; readonly outcome: Outcome }>(match: M): M {
  const { seats, outcome } = match
  if (seats.length <= 2) return match
  const sides = [...new Set(seats)]
  if (sides.length === seats.length) return match
  // What was ruled of it is by side.
  if (outcome.place.length === sides.length) return { ...match, seats: sides }
  const held = sides.map((entrant) => seats.flatMap((other, seat) => (other === entrant ? [seat] : [])))
  const sum = (list: readonly number[], own: readonly number[]): number =>
    own.reduce((all, seat) => all + (list[seat] ?? 0), 0)
  const places = held.map(([first = 0]) => outcome.place[first] as number)
  const { score, tally, reason } = outcome
  return {
    ...match,
    seats: sides,
    outcome: {
      place: places.map((own) => 1 + places.filter((other) => other < own).length),
      ...(score && { score: held.map((own) => sum(score, own) / own.length) }),
      reason,
      ...(tally && {
        tally: Object.fromEntries(
          Object.entries(tally).map(([name, list]) => [name, held.map((own) => sum(list, own))]),
        ),
      }),
    },
  }
}

/** Bounds of what a match counts, for scores within `scores`. A score a turn comes as near to 0 as turns allow. */
export function countedBounds(
  { per, points }: Pick<ScoringSpec, 'per' | 'points'>,
  scores: GameDefinition['game']['scores'],
): GameDefinition['game']['scores'] {
  if (points !== undefined) return { min: Math.min(0, ...points), max: Math.max(0, ...points) }
  return scores && per === 'turn' ? { min: Math.min(0, scores.min), max: Math.max(0, scores.max) } : scores
}

/** What a match counted for an entrant, its seats' mean if it met itself; undefined as for `countedScores`. */
export function scoreOf(
  scoring: CountedBy,
  match: { readonly seats: readonly number[]; readonly outcome: Outcome; readonly turns?: number },
  entrant: number,
): number | undefined {
  const own = countedScores(scoring, match)?.filter((_, seat) => match.seats[seat] === entrant)
  return own === undefined || own.length === 0 ? undefined : own.reduce((a, b) => a + b, 0) / own.length
}

/** Whether an entrant meets itself: only in games of two. */
export const isAlone = (seats: readonly number[]): boolean => seats.length === 2 && seats[0] === seats[1]
