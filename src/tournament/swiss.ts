import type { Pairing, Round, ScoringSpec, Standings, Tournament, TournamentSpec } from '../core/index.js'
import { matchKey, seriesKey } from './keys.js'
import { below } from '../core/index.js'
import { seedsOf } from './bracket.js'
import { type Results, courseFrom, pairingsOf } from './course.js'
import type { Format } from './format.js'
import { allAmong, namesOf, type Pair, lot, refuseCount } from './pairs.js'
import { exact, meanOf, nothing, pointsOf, rounded, type Score, tally, together } from './scoring.js'
import { hasNothing, rowsOf, sharedBy, unscoredLast } from './standings.js'
import { pairUp, type SwissEntrant } from './swiss-pairing.js'

export const SWISS: Format = {
  kind: 'swiss',
  keys: ['rounds', 'seeding'],
  sizes: 'two',
  deals: 'repeated',
  unlikeOpponents: true,
  openEnded: false,
  hint: 'rounds; equals meet',
  build: swiss,
}

/** Where a Swiss tournament stands. */
interface Course {
  readonly players: readonly SwissEntrant[]
  /** Those of the open round included. */
  readonly pairings: readonly Pairing[]
  /** Of the open round, from 1. */
  readonly number: number
  readonly round: Round | undefined
  /** Who has a bye in it. */
  readonly bye: number | undefined
}

/**
 * A Swiss tournament: `rounds` rounds in each of which everybody plays `repetitions` matches against one other of about the same
 * points (see `pairUp`); with an odd field one has a bye, which counts as so many wins. Tie-breaks, in this order: Buchholz,
 * Sonneborn–Berger, direct encounter, those of the contest (see `swissTies`).
 */
function swiss(spec: TournamentSpec): Tournament {
  const entrants = allAmong(spec)
  const { rounds = Math.ceil(Math.log2(Math.max(2, entrants.length))) } = spec.format
  refuseCount('rounds', rounds)
  const seeds = seedsOf(spec, entrants)
  // A round's pairs follow from the players' histories, so they are found once.
  const found = new Map<string, ReturnType<typeof pairUp>>()
  const perRound = Math.floor(entrants.length / 2) * spec.format.repetitions

  const opened = (players: readonly SwissEntrant[], before: readonly Pairing[], number: number): Course => {
    if (number > rounds) return { players, pairings: before, number, round: undefined, bye: undefined }
    const state = JSON.stringify(players)
    const { pairs, bye } = found.get(state) ?? pairUp(players, spec.format.swap)
    found.set(state, { pairs, bye })
    const of = new Map(players.map((player) => [player.entrant, player]))
    const series = pairs.map((pair) => seriesOf(spec, of, pair, number))
    const round = { label: `round ${number}`, series }
    return { players, pairings: [...before, ...pairingsOf(round)], number, round, bye }
  }
  const course = courseFrom(
    () =>
      opened(
        seeds.map((entrant, seed) => ({ entrant, seed, points: 0, met: [], byes: 0, first: 0 })),
        [],
        1,
      ),
    (state, results): Course | undefined => {
      const { round, pairings, number } = state
      if (round === undefined || pairingsOf(round).some(({ key }) => !results.has(key))) return undefined
      return opened(after(spec, state, round, results), pairings, number + 1)
    },
  )

  return {
    next: (results) => course(results).round,
    standings: (results) => table(spec, course(results), results),
    total: () => rounds * perRound,
  }
}

/**
 * Points of an entrant that had so many byes. A bye is worth a win in each match that it stands for; where scores count, the mean of
 * one's own, and before the first that of all.
 */
function pointsWith(
  { scoring, format }: TournamentSpec,
  scores: readonly Score[],
  entrant: number,
  byes: number,
): number {
  const score = scores[entrant] ?? nothing(scoring)
  if (scoring.by !== 'score') return exact(pointsOf(scoring, score) + byes * exact(scoring.win * format.repetitions))
  const all = scores.reduce(together, nothing(scoring))
  const mean = meanOf(score) ?? meanOf(all) ?? 0
  if (scoring.of !== 'total') return byes > 0 || score.scored > 0 ? mean : 0
  return rounded(score.sum + byes * format.repetitions * mean, all.unit)
}

/**
 * The matches of a pairing. With `swap`, who has sat first less often sits first in the first of them, and a lot decides between
 * equals; without, the earlier in the contest always sits first.
 */
function seriesOf(
  spec: TournamentSpec,
  players: ReadonlyMap<number, SwissEntrant>,
  [a, b]: Pair,
  number: number,
): Round['series'][number] {
  const { repetitions, swap } = spec.format
  const names = namesOf(spec, [a, b])
  const key = seriesKey(String(number), names)
  const lead = (players.get(a)?.first ?? 0) - (players.get(b)?.first ?? 0)
  const [low = ''] = [...names].sort()
  const lowFirst = below(2, lot(spec.seed, 'first', number, ...[...names].sort())) === 0
  const aFirst = swap ? lead < 0 || (lead === 0 && lowFirst === (spec.names[a] === low)) : a < b
  const order: Pair = aFirst ? [a, b] : [b, a]
  const other: Pair = [order[1], order[0]]
  // Entrants that meet again go on with new luck.
  const before = (players.get(a)?.met.filter((e) => e === b).length ?? 0) * repetitions
  return {
    key,
    pairings: Array.from({ length: repetitions }, (_, i) => ({
      key: matchKey(key, i + 1),
      seats: swap && i % 2 === 1 ? other : order,
      deal: before + (swap ? Math.floor(i / 2) : i),
    })),
  }
}

/** The players with a complete round behind them. */
function after(
  spec: TournamentSpec,
  { players, pairings, bye }: Course,
  round: Round,
  results: Results,
): readonly SwissEntrant[] {
  const { scores } = tally(spec.scoring, spec.names.length, pairings, results)
  const seated = new Map<number, Pairing[]>(players.map(({ entrant }) => [entrant, []]))
  for (const pairing of pairingsOf(round)) for (const entrant of pairing.seats) seated.get(entrant)?.push(pairing)
  return players.map((player) => {
    const { entrant } = player
    const byes = player.byes + (entrant === bye ? 1 : 0)
    const points = pointsWith(spec, scores, entrant, byes)
    if (entrant === bye) return { ...player, points, byes }
    const mine = seated.get(entrant) ?? []
    const opponent = mine[0]?.seats.find((e) => e !== entrant)
    const sat = mine.reduce((sum, { seats }) => sum + (seats[0] === entrant ? 1 : -1), 0)
    return {
      ...player,
      points,
      met: opponent === undefined ? player.met : [...player.met, opponent],
      first: player.first + sat,
    }
  })
}

/** What decides between equal points; who was beaten is nothing where scores count. */
const columnsOf = ({ by }: ScoringSpec) => [
  { name: 'Buchholz', applies: true },
  { name: 'S–B', applies: by !== 'score' },
  { name: 'Direct', applies: by !== 'score' },
]

function table(spec: TournamentSpec, { players, pairings, round }: Course, results: Results): Standings {
  const { scores } = tally(spec.scoring, spec.names.length, pairings, results)
  // The bye of a round that is still open is not yet earned.
  const byes = new Map(players.flatMap(({ entrant, byes: n }) => (n > 0 ? [[entrant, n]] : [])))
  const lines = players.map(({ entrant }) => ({
    entrant,
    points: pointsWith(spec, scores, entrant, byes.get(entrant) ?? 0),
    byes: (byes.get(entrant) ?? 0) * spec.format.repetitions,
    scored: (scores[entrant] as Score).scored + (byes.get(entrant) ?? 0),
    ties: (scores[entrant] as Score).ties,
  }))
  const { unit } = scores.reduce(together, nothing(spec.scoring))
  const tidy = spec.scoring.by === 'score' ? (sum: number) => rounded(sum, unit) : exact
  const cells = swissTies(lines, pairings, results, tidy)
  const shown = columnsOf(spec.scoring)
  const cellsOf = (entrant: number): readonly (number | null)[] =>
    (cells.get(entrant) ?? []).filter((_, i) => shown[i]?.applies ?? true)
  type Line = (typeof lines)[number]
  const better = (a: Line, b: Line): number =>
    unscoredLast(spec.scoring, a, b) ||
    b.points - a.points ||
    cellsOf(a.entrant)
      .map((mine, i) => (cellsOf(b.entrant)[i] ?? 0) - (mine ?? 0))
      .find((lead) => lead !== 0) ||
    0
  const rows = rowsOf(
    spec,
    lines.map((line) => ({ ...line, cells: cellsOf(line.entrant) })),
    better,
  )
  const achieved = (entrant: number): boolean =>
    byes.has(entrant) || !hasNothing(spec.scoring, scores[entrant] as Score)
  const first = rows.filter(({ rank }) => rank === 1).map(({ entrant }) => entrant)
  const none = round === undefined && first.length > 1 && !first.some(achieved)
  return {
    columns: [...shown, ...spec.scoring.ties].flatMap((column) =>
      'applies' in column && !column.applies ? [] : column.name,
    ),
    rows,
    notes: none ? [sharedBy(spec, first, achieved)] : [],
  }
}

/** How an entrant stands. */
interface Line {
  readonly entrant: number
  readonly points: number
  /** The matches that its byes stood for. */
  readonly byes: number
  /** Sums of the contest's own tie-breaks. */
  readonly ties: readonly number[]
}

/**
 * By entrant, what decides between equal points, more being better:
 *
 * - Buchholz: the sum of the points of one's opponents, once for each match;
 * - Sonneborn–Berger: the same for matches won, half of it for those drawn;
 * - direct encounter: what one scored (a win 1, a draw ½) against the others that are level in all of this; null where there are none;
 * - the contest's own.
 *
 * A bye is a match won of a dummy opponent who has as many points as oneself (FIDE Handbook C.07, article 16, 2023).
 * `tidy` takes the dust of binary fractions off a sum of points.
 */
function swissTies(
  lines: readonly Line[],
  pairings: readonly Pairing[],
  results: Results,
  tidy: (sum: number) => number = exact,
): ReadonlyMap<number, readonly (number | null)[]> {
  const points = new Map(lines.map((line) => [line.entrant, line.points]))
  /** By entrant: matches as its opponent and its score, 1, ½ or 0. */
  const matches = new Map<number, { readonly opponent: number; readonly score: number }[]>(
    lines.map((line) => [line.entrant, []]),
  )
  for (const { key, seats } of pairings) {
    const place = results.get(key)?.outcome.place
    if (!place) continue
    seats.forEach((entrant, seat) => {
      const lead = (place[1 - seat] ?? 0) - (place[seat] ?? 0)
      const score = lead > 0 ? 1 : lead === 0 ? 0.5 : 0
      matches.get(entrant)?.push({ opponent: seats[1 - seat] ?? -1, score })
    })
  }
  const sum = (entrant: number, worth: (opponent: number, score: number) => number): number =>
    tidy((matches.get(entrant) ?? []).reduce((total, { opponent, score }) => total + worth(opponent, score), 0))
  const known = lines.map((line) => ({
    ...line,
    buchholz: tidy(sum(line.entrant, (opponent) => points.get(opponent) ?? 0) + line.byes * line.points),
    berger: tidy(sum(line.entrant, (opponent, score) => score * (points.get(opponent) ?? 0)) + line.byes * line.points),
  }))
  const levels = new Map<string, Set<number>>()
  const keyOf = (line: (typeof known)[number]): string => [line.points, line.buchholz, line.berger].join()
  for (const line of known) levels.set(keyOf(line), (levels.get(keyOf(line)) ?? new Set()).add(line.entrant))
  return new Map(
    known.map((line) => {
      const level = levels.get(keyOf(line)) ?? new Set()
      const direct = level.size === 1 ? null : sum(line.entrant, (opponent, score) => (level.has(opponent) ? score : 0))
      return [line.entrant, [line.buchholz, line.berger, direct, ...line.ties]]
    }),
  )
}
