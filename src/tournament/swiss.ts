import type { Pairing, Round, Series, Standings, Tournament, TournamentSpec } from '../core/index.js'
import { seedsOf } from './bracket.js'
import { courseFrom } from './rounds.js'
import type { Format } from './format.js'
import { allAmong, alternating, inTurns, type Pair, pairingsOf, refuseCount, type Results, sitting } from './pairs.js'
import { exact, meanOf, nothing, pointsOf, rounded, type Score, tally, together } from './scoring.js'
import { achievedBy, firstOf, rowsOf, sharedBy, unscoredLast } from './standings.js'
import { pairUp, type SwissEntrant } from './swiss-pairing.js'

export const SWISS: Format = {
  kind: 'swiss',
  keys: ['rounds', 'seeding'],
  unlikeOpponents: true,
  hint: 'rounds; equals meet',
  build: swiss,
}

interface Course {
  readonly players: readonly SwissEntrant[]
  /** Those of the open round included. */
  readonly pairings: readonly Pairing[]
  /** Of the open round, from 1. */
  readonly number: number
  readonly round?: Round
  readonly bye?: number
}

/**
 * A Swiss tournament: `rounds` rounds of `repetitions` matches against one other with about the same points (`pairUp`);
 * in an odd field one has a bye, which counts as so many wins. Tie-breaks: `linesOf`.
 */
function swiss(spec: TournamentSpec): Tournament {
  const entrants = allAmong(spec)
  const { rounds = Math.ceil(Math.log2(Math.max(2, entrants.length))), repetitions, swap } = spec.format
  refuseCount('rounds', rounds)
  // A round's pairs follow from histories: found once.
  const found = new Map<string, ReturnType<typeof pairUp>>()

  const opened = (players: readonly SwissEntrant[], before: readonly Pairing[], number: number): Course => {
    if (number > rounds) return { players, pairings: before, number }
    const state = JSON.stringify(players)
    const { pairs, bye } = found.get(state) ?? pairUp(players, swap)
    found.set(state, { pairs, bye })
    const of = new Map(players.map((player) => [player.entrant, player]))
    const series = pairs.map(([a, b]) => seriesOf(spec, of.get(a) as SwissEntrant, of.get(b) as SwissEntrant, number))
    const round = { label: `round ${number}`, series }
    return { players, pairings: [...before, ...pairingsOf(round)], number, round, bye }
  }
  const fresh = { points: 0, met: [], byes: 0, first: 0 }
  const start = seedsOf(spec, entrants).map((entrant, seed) => ({ ...fresh, entrant, seed }))
  const course = courseFrom(opened(start, [], 1), (state, round, results) =>
    opened(after(spec, state, round, results), state.pairings, state.number + 1),
  )

  return {
    next: (results) => course(results).round,
    standings: (results) => table(spec, course(results), results),
    total: () => rounds * Math.floor(entrants.length / 2) * repetitions,
  }
}

/**
 * A pairing's matches. With `swap`, who sat first less often begins, or a lot decides; without, the earlier in the
 * contest. Entrants that meet again have new luck.
 */
function seriesOf(spec: TournamentSpec, one: SwissEntrant, other: SwissEntrant, number: number): Series {
  const { repetitions, swap } = spec.format
  const lead = swap ? one.first - other.first : one.entrant - other.entrant
  const pair: Pair = lead > 0 ? [other.entrant, one.entrant] : [one.entrant, other.entrant]
  const orders = lead === 0 ? alternating(spec, pair, number, repetitions) : inTurns(pair, repetitions, swap)
  const before = one.met.filter((entrant) => entrant === other.entrant).length * repetitions
  return sitting(spec, String(number), orders, (i) => before + (swap ? Math.floor(i / 2) : i))
}

function after(
  spec: TournamentSpec,
  { players, pairings, bye }: Course,
  round: Round,
  results: Results,
): readonly SwissEntrant[] {
  const points = pointsBy(spec, tally(spec.scoring, spec.names.length, pairings, results).scores)
  const seatings = new Map<number, (readonly number[])[]>(players.map(({ entrant }) => [entrant, []]))
  for (const { seats } of pairingsOf(round)) for (const entrant of seats) seatings.get(entrant)?.push(seats)
  return players.map((player) => {
    const { entrant, met, first } = player
    const byes = player.byes + Number(entrant === bye)
    const seated = seatings.get(entrant) ?? []
    const opponents = seated.slice(0, 1).flatMap((seats) => seats.filter((other) => other !== entrant))
    return {
      ...player,
      byes,
      points: points(entrant, byes),
      met: [...met, ...opponents],
      first: seated.reduce((sum, seats) => sum + (seats[0] === entrant ? 1 : -1), first),
    }
  })
}

/** A bye is worth its number of wins; where scores count, one's own mean, or before one's first that of all. */
function pointsBy({ scoring, format }: TournamentSpec, scores: readonly Score[]) {
  const all = scores.reduce(together, nothing(scoring))
  return (entrant: number, byes: number): number => {
    const score = scores[entrant] as Score
    if (scoring.by !== 'score') return exact(pointsOf(scoring, score) + byes * exact(scoring.win * format.repetitions))
    const mean = meanOf(score) ?? meanOf(all) ?? 0
    if (scoring.of !== 'total') return byes > 0 || score.scored > 0 ? mean : 0
    return rounded(score.sum + byes * format.repetitions * mean, all.unit)
  }
}

function table(spec: TournamentSpec, course: Course, results: Results): Standings {
  const { scoring } = spec
  const { scores } = tally(scoring, spec.names.length, course.pairings, results)
  const rows = rowsOf(
    spec,
    linesOf(spec, course, scores, results),
    (a, b) =>
      unscoredLast(scoring, a, b) ||
      b.points - a.points ||
      a.cells.map((mine, i) => (b.cells[i] ?? 0) - (mine ?? 0)).find((lead) => lead !== 0) ||
      0,
  )
  const achieved = achievedBy(spec, scores)
  const byes = new Set(course.players.flatMap(({ entrant, byes: n }) => (n > 0 ? [entrant] : [])))
  const first = firstOf(rows)
  const none = first.length > 1 && !first.some((entrant) => byes.has(entrant) || achieved(entrant))
  return {
    // Who was beaten is nothing where scores count.
    columns: [
      'Buchholz',
      ...(scoring.by === 'score' ? [] : ['S–B', 'Direct']),
      ...scoring.ties.map(({ name }) => name),
    ],
    rows,
    notes: none && course.round === undefined ? [sharedBy(spec, first, () => false)] : [],
  }
}

/**
 * The table's lines, each with what decides between equal points, more being better:
 *
 * - Buchholz: the sum of one's opponents' points, once a match;
 * - Sonneborn–Berger: the same for matches won, half for those drawn;
 * - direct encounter: what one scored (a win 1, a draw ½) against the others level in all of this; null: none;
 * - the contest's own.
 *
 * A bye is a win over a dummy opponent with as many points as oneself (FIDE Handbook C.07, article 16, 2023); an open
 * round's bye is not yet earned.
 */
function linesOf(spec: TournamentSpec, { players, pairings }: Course, scores: readonly Score[], results: Results) {
  const byScore = spec.scoring.by === 'score'
  const { unit } = scores.reduce(together, nothing(spec.scoring))
  const tidy = (sum: number): number => (byScore ? rounded(sum, unit) : exact(sum))
  const pointsWith = pointsBy(spec, scores)
  const points = spec.names.map(() => 0)
  for (const { entrant, byes } of players) points[entrant] = pointsWith(entrant, byes)
  /** By entrant: matches as opponent and score, 1, ½ or 0. */
  const matches = spec.names.map((): { readonly opponent: number; readonly score: number }[] => [])
  for (const { key, seats } of pairings) {
    const place = results.get(key)?.outcome.place
    if (!place) continue
    seats.forEach((entrant, seat) => {
      const lead = (place[1 - seat] ?? 0) - (place[seat] ?? 0)
      const score = lead > 0 ? 1 : lead === 0 ? 0.5 : 0
      matches[entrant]?.push({ opponent: seats[1 - seat] ?? -1, score })
    })
  }
  const sum = (entrant: number, worth: (opponent: number, score: number) => number): number =>
    tidy((matches[entrant] ?? []).reduce((total, { opponent, score }) => total + worth(opponent, score), 0))
  const known = players.map(({ entrant, byes }) => {
    const own = points[entrant] as number
    const dummies = byes * spec.format.repetitions * own
    const buchholz = tidy(sum(entrant, (opponent) => points[opponent] ?? 0) + dummies)
    const berger = tidy(sum(entrant, (opponent, score) => score * (points[opponent] ?? 0)) + dummies)
    return { entrant, byes, points: own, buchholz, berger, key: [own, buchholz, berger].join() }
  })
  const levels = new Map<string, Set<number>>()
  for (const { key, entrant } of known) levels.set(key, (levels.get(key) ?? new Set()).add(entrant))
  return known.map(({ entrant, byes, points: own, buchholz, berger, key }) => {
    const level = levels.get(key) ?? new Set()
    const direct = level.size === 1 ? null : sum(entrant, (opponent, score) => (level.has(opponent) ? score : 0))
    const { scored, ties } = scores[entrant] as Score
    return {
      entrant,
      points: own,
      scored: scored + byes,
      cells: [buchholz, ...(byScore ? [] : [berger, direct]), ...ties],
    }
  })
}
