import { type ScoringSpec, type Standings, visible } from '../../core/index.js'
import { RoundPoints } from '../../results/index.js'
import { type RatedContest, type RatedField, rateGames, rateScores } from '../../results/ratings.js'
import {
  type Flag,
  GameKinds,
  modelName,
  type Probability,
  type RatedGame,
  type ScoredCompany,
  scoredGameOf,
  ScoredSums,
  type SeatAdvantage,
  SEPARABLE,
} from '../../stats/index.js'
import type { MatchStore, NoteStore, RatingRow, StoredMatch, StoredRun } from '../../store/index.js'
import { chance, type Column, type Doubt, DOUBTS, number, signed } from '../../text/index.js'
import { formatOf } from '../../tournament/index.js'
import type { RunStandings } from '../stored.js'

/** What of a match counts for strengths. */
export type CountedMatch = Pick<StoredMatch, 'seats' | 'outcome' | 'turns' | 'course' | 'luck'>

/** Sums of the matches of some entrants among themselves, who are named by their index in `members`. */
export function playedMatches(members: readonly number[], scoring: ScoringSpec) {
  /** Where scores count, only how many there are and which repeat themselves. */
  const games = new GameKinds(scoring.teams)
  const sums = new ScoredSums()
  const index = new Map(members.map((entrant, i) => [entrant, i]))
  return {
    games,
    sums,
    /** Adds a match of members alone, and returns their places; else undefined. */
    add({ seats: entrants, outcome, turns, course, luck }: CountedMatch): readonly number[] | undefined {
      const seats = entrants.flatMap((entrant) => index.get(entrant) ?? [])
      if (seats.length < entrants.length) return undefined
      const place = (scoring.by === 'score' ? outcome.score : undefined) ?? outcome.place
      games.add({ seats, place, course, luck })
      const scored = scoredGameOf({ seats, outcome, turns }, scoring, luck)
      if (scored !== undefined) sums.add({ ...scored, course })
      return seats
    },
    /** With entrants named by their places among the same members in another order. */
    gamesAmong(order: readonly number[]): readonly RatedGame[] {
      const to = members.map((entrant) => order.indexOf(entrant))
      return games.games().map((game) => ({ ...game, entrants: game.entrants.map((i) => to[i] as number) }))
    },
  }
}

type PlayedMatches = ReturnType<typeof playedMatches>

/** Of each and the next in a table: the probability that the upper is better. */
export type Neighbours = readonly { readonly upper: string; readonly lower: string; readonly superior: number }[]

type EloTable = ReturnType<typeof eloTable>

type ScoreTable = NonNullable<ReturnType<typeof scoreTable>>

export interface Strengths {
  /** Of games of two, where wins count. */
  readonly elo: EloTable | undefined
  readonly scores: ScoreTable | undefined
  /** Names of entrants that played one same game, repeatedly, in each seating; absent: not looked for. */
  readonly repeating?: readonly (readonly string[])[]
}

/** Strengths of those in a run's table by their matches, with the rows that the store keeps. */
export function strengthsOf(
  played: PlayedMatches,
  run: { readonly contest: Omit<RatedContest, 'scores'>; readonly game: Pick<RatedContest, 'scores'> },
  standings: Standings,
): Strengths & { readonly ratings: readonly RatingRow[] } {
  const { format, scoring } = run.contest
  const contest: RatedContest = { format, scoring, scores: run.game.scores }
  const { rows } = standings
  const repeating = played.games
    .repeating()
    .map((members) => members.map((i) => rows[i]?.name ?? ''))
    .sort((a, b) => (a.join() < b.join() ? -1 : 1))
  const none = { elo: undefined, scores: undefined, repeating, ratings: [] }
  if (scoring.by === 'score') return { ...none, scores: scoreTable(standings, played.sums.companies(), contest) }
  const rated = rateGames(played.games.games(), rows.length, contest)
  if (rated === undefined) return none
  const elo = rated.model === modelName(true) ? eloTable(standings, rated) : undefined
  const ratings = rows.map(({ entrant }, i): RatingRow => {
    const value = rated.rating[i] as number
    const [low, high] = rated.interval(i) ?? [value, value]
    return { entrant, kind: rated.model, value, low, high }
  })
  return { ...none, elo, ratings: ratings.sort((a, b) => a.entrant - b.entrant) }
}

function eloTable({ rows }: Standings, rated: RatedField) {
  return {
    /** In the table's order. */
    rows: rows.map(({ name }, i) => {
      const [low, high] = rated.interval(i) ?? []
      return { name, rating: rated.rating[i] as number, low, high, flags: rated.flags[i] ?? [] }
    }),
    neighbours: neighboursIn(rows, rated),
    /** Undefined where nothing tells it from strength. */
    seat: rated.seat,
    /** Why no neighbour is said to be stronger. */
    doubt: rated.doubt,
  }
}

/** Undefined if strengths were not kept of all in the table. */
function keptElo({ rows }: Standings, kept: readonly RatingRow[]): EloTable | undefined {
  const own = rows.flatMap(({ entrant, name }) => {
    const row = kept.find((one) => one.kind === modelName(true) && one.entrant === entrant)
    return row ? [{ name, rating: row.value, low: row.low, high: row.high, flags: [] }] : []
  })
  return own.length === rows.length ? { rows: own, neighbours: [], seat: undefined, doubt: undefined } : undefined
}

function scoreTable({ rows }: Standings, companies: readonly ScoredCompany[], contest: RatedContest) {
  const rated = rateScores(companies, rows.length, contest, 0)
  if (rated === undefined) return undefined
  const places = rated.places(rows.map(({ rank }) => rank))
  const { unlikeOpponents, partialPoints } = formatOf(contest.format.kind)
  const isSum = contest.scoring.of === 'total' && !contest.format.settle && !partialPoints
  return {
    confidence: rated.confidence,
    /** Points are not these means, and what stands beside them is of the means. Undefined: of the points. */
    means: partialPoints,
    /** Means against unlike opponents are not compared: no first place, no rank, empty `neighbours`. */
    unlike: unlikeOpponents ? true : undefined,
    doubt: rated.doubt,
    /** In the table's order, in units of points; without an interval where nothing tells how scores vary. */
    rows: rows.map(({ name, points }, i) => {
      const value = rated.rating[i] as number
      const mean = Number.isNaN(value) ? null : value
      // Where totals count points are sums, byes included, and intervals as many times as wide.
      const times = !isSum ? 1 : value === 0 ? matchesOf(companies, i) : points / value
      const [low, high] = (mean === null ? undefined : rated.interval(i))?.map((end) => times * end) ?? []
      /** The same interval, if it is by Student's t. */
      const t = low === undefined || rated.doubt === 'rare' ? undefined : [low, high]
      // The probability that its true mean is the greatest, and its possible ranks, if the table goes by means.
      const [first, ranks] = low === undefined ? [] : [places?.first[i], places?.ranks[i]]
      return { name, mean, low, high, t, first, ranks }
    }),
    neighbours: neighboursIn(rows, rated),
  }
}

const matchesOf = (companies: readonly ScoredCompany[], entrant: number): number =>
  companies.reduce((sum, { members, n }) => sum + (members.includes(entrant) ? n : 0), 0)

const neighboursIn = (rows: Standings['rows'], rated: RatedField): Neighbours =>
  rows.slice(1).flatMap(({ name }, i) => {
    const superior = rated.above(i, i + 1)
    return superior === undefined ? [] : [{ upper: rows[i]?.name ?? '', lower: name, superior }]
  })

export const eloDocument = (table: EloTable): object => ({
  ...table,
  rows: table.rows.map((row) => ({ ...row, unbounded: unboundedBy(row.flags) })),
})

/** The ends of an interval that rest on the prior alone. */
export function unboundedBy(flags: readonly Flag[]): readonly string[] | undefined {
  if (flags.includes('unconnected')) return ['low', 'high']
  if (flags.includes('winless')) return ['low']
  return flags.includes('unbeaten') ? ['high'] : undefined
}

/** Most matches that are rated again for each table. */
export const RATED_AGAIN = 50_000

/**
 * What stands beside points: by the matches or, of very many with wins, as kept at the last end if none is out since.
 */
export async function strengthsOfRun(
  store: NoteStore & MatchStore,
  run: StoredRun,
  current: Pick<RunStandings, 'standings' | 'exclusions'>,
): Promise<Strengths> {
  const { standings, exclusions } = current
  if (run.matches <= RATED_AGAIN || run.contest.scoring.by === 'score')
    return strengthsOf((await countMatches(store, run, standings)).played, run, standings)
  const elo = exclusions.length === 0 ? keptElo(standings, await store.ratings(run.id)) : undefined
  return { elo, scores: undefined }
}

export type CountedMatches = Awaited<ReturnType<typeof countMatches>>

/** Reads a run's matches once: sums among the table's entrants, and what they brought by round; `read`: of how many. */
export async function countMatches(
  store: MatchStore,
  { id, contest: { scoring }, entrants }: StoredRun,
  { rows }: Pick<Standings, 'rows'>,
) {
  const members = rows.map(({ entrant }) => entrant)
  const played = playedMatches(members, scoring)
  const rounds = new RoundPoints(scoring, entrants.length)
  let read = 0
  await store.eachMatch(id, (match) => {
    const { key, seats, outcome } = match
    read++
    if (played.add(match)) rounds.add({ key, seats, outcome })
  })
  return { played, rounds, read }
}

const NO_SPREAD =
  'No intervals: nothing tells yet how scores vary. Some entrants have to score differently in two blocks of equal luck at least.'

/** A column if any row has a number. */
export function numbers<Row>(head: string, rows: readonly Row[], text: (row: Row) => string | undefined): Column[] {
  const cells = rows.map(text)
  return cells.every((cell) => cell === undefined)
    ? []
    : [{ head, cells: cells.map((cell) => cell ?? ''), right: true }]
}

export const intervals = (
  rows: readonly { readonly low?: number; readonly high?: number }[],
  text: (end: number) => string,
): Column[] =>
  numbers('95 % interval', rows, ({ low, high }) =>
    low === undefined || high === undefined ? undefined : `${text(low)} … ${text(high)}`,
  )

const hasIntervals = ({ rows }: Pick<ScoreTable, 'rows'>): boolean => rows.some(({ low }) => low !== undefined)

export function strengthColumns({ elo, scores }: Pick<Strengths, 'elo' | 'scores'>): Column[] {
  if (elo) return [...numbers('Elo', elo.rows, ({ rating }) => signed(rating)), ...intervals(elo.rows, signed)]
  if (!scores || !hasIntervals(scores)) return []
  const { rows, means } = scores
  return [
    ...numbers('Mean', rows, ({ mean }) => (!means || mean === null ? undefined : number(mean))),
    ...intervals(rows, number),
    ...numbers('First', rows, ({ first }) => (first === undefined ? undefined : chance(first))),
  ]
}

export function strengthNotes(
  { elo, scores, repeating = [] }: Strengths,
  standings: Standings,
  { format }: { readonly format: { readonly kind: string } },
): string[] {
  const neighbours = (elo ?? scores)?.neighbours ?? []
  const contrary = neighbours.filter(({ superior }) => superior < 0.5)
  const open = neighbours.filter(({ superior }) => superior >= 0.5 && superior < SEPARABLE)
  return [
    ...orderNotes(contrary, standings, format.kind, scores !== undefined),
    ...openNotes(open, neighbours.length),
    ...seatNotes(elo?.seat),
    ...firstNotes(scores?.rows.map(({ first }) => first) ?? []),
    ...doubtNotes((elo ?? scores)?.doubt),
    ...(elo || (scores && hasIntervals(scores))
      ? ['Each interval holds with 95 % by itself; intervals that hold all at once are wider.']
      : []),
    ...(scores && !hasIntervals(scores) && scores.doubt !== 'rare' ? [NO_SPREAD] : []),
    ...repeatingNotes(repeating),
  ]
}

export const doubtNotes = (doubt: Doubt | undefined): string[] => (doubt ? [DOUBTS[doubt]] : [])

/** What the first seat is worth, if certainly something. */
export const seatNotes = (seat: SeatAdvantage | undefined): string[] =>
  seat === undefined || (seat.low <= 0 && seat.high >= 0)
    ? []
    : [`To sit first is worth ${signed(seat.value)} Elo (95 % interval ${signed(seat.low)} … ${signed(seat.high)}).`]

/** What it means that the first place is between two probabilities. */
export const firstNotes = (first: readonly (Probability | undefined)[]): string[] =>
  first.some((one) => typeof one === 'object')
    ? ['First: between the two, by how far apart the entrants truly are, which these matches do not tell.']
    : []

/** Pairs that are named; of more, a count too. */
const NAMED = 5

function repeatingNotes(repeating: NonNullable<Strengths['repeating']>): string[] {
  if (repeating.length === 0) return []
  const named = repeating.slice(0, NAMED).map((names) => names.map(visible).join('–'))
  const more = repeating.length > NAMED ? `, and ${repeating.length - NAMED} more` : ''
  return [`The same game each time that they sat the same way: ${named.join(', ')}${more}. More matches tell no more.`]
}

/** Neighbours that are not separated: of many a count and the closest. */
export function openNotes(open: Neighbours, all: number): string[] {
  if (open.length === 0) return []
  const text = ({ upper, lower, superior }: Neighbours[number]): string =>
    `${visible(upper)} over ${visible(lower)} (${chance(superior)})`
  if (open.length <= NAMED) return [`Less than ${100 * SEPARABLE} % sure: ${open.map(text).join('; ')}.`]
  const closest = [...open].sort((a, b) => a.superior - b.superior).slice(0, NAMED)
  const named = closest.map(text).join('; ')
  return [
    `Less than ${100 * SEPARABLE} % sure of ${open.length} of the ${all} neighbours in the table; the closest: ${named}.`,
  ]
}

function orderNotes(contrary: Neighbours, { rows }: Standings, kind: string, byScore: boolean): string[] {
  const { survival, verb } = formatOf(kind)
  const rank = new Map(rows.map((row) => [row.name, row.rank]))
  const lines = contrary.flatMap(({ upper, lower }) => {
    const [above, below] = [rank.get(upper), rank.get(lower)]
    // The order of equals says nothing.
    if (above === below) return []
    const won = survival && above === 1
    const how = won ? 'won the last round' : (verb ?? (byScore ? 'stands higher' : 'has more points'))
    return [`${visible(upper)} ${how}; ${visible(lower)} ${byScore ? 'has the higher mean' : 'is rated higher'}`]
  })
  if (lines.length === 0) return []
  const more = lines.length > NAMED ? `; and so ${lines.length - NAMED} more` : ''
  return [`${lines.slice(0, NAMED).join('. ')}${more}.`]
}
