import { type Standings, visible } from '../../core/index.js'
import type { RatedContest } from '../../results/ratings.js'
import { type Probability, SEPARABLE } from '../../stats/index.js'
import { DOUBTS, type Doubt, chance } from '../../text/index.js'
import { type EloTable, type Neighbours, eloColumns, eloTable, seatNotes } from './elo-table.js'
import { type Rated, gamesPlayed } from './results-to-games.js'
import { type ScoreTable, hasIntervals, scoreColumns, scoreTable } from './score-table.js'
import { formatOf } from '../../tournament/index.js'

/** Why a table of scores has no intervals. */
const NO_SPREAD =
  'No intervals: nothing tells yet how scores vary. Some entrants have to score differently in two blocks of equal luck at least.'

/** What stands beside the points, by what counts. */
export interface Strengths {
  /** Of games of two, where wins count. */
  readonly elo: EloTable | undefined
  readonly scores: ScoreTable | undefined
  /** Names of entrants that played the same game each time that they sat the same way, and more than once; absent: it was not looked for. */
  readonly repeating?: readonly (readonly string[])[]
}

export function strengthsOf(standings: Standings, results: readonly Rated[], contest: RatedContest): Strengths {
  const repeating = repeatingIn(standings, results)
  return contest.scoring.by === 'score'
    ? { elo: undefined, scores: scoreTable(standings, results, contest), repeating }
    : { elo: eloTable(standings, gamesPlayed(results, contest.scoring), contest), scores: undefined, repeating }
}

/** The matches of some entrants in the same seats. */
interface Seating {
  /** The course and the end of the first of them. */
  readonly game: string
  matches: number
  isSame: boolean
}

/** Who played the same game with the same end in each match of a seating, in every seating at least twice. */
function repeatingIn({ rows }: Standings, results: readonly Rated[]): NonNullable<Strengths['repeating']> {
  const companies = new Map<string, Map<string, Seating>>()
  for (const { seats, course, outcome } of results) {
    const company = [...seats].sort((a, b) => a - b).join()
    const seatings = companies.get(company) ?? new Map<string, Seating>()
    companies.set(company, seatings)
    const game = JSON.stringify([course, outcome])
    const seating = seatings.get(seats.join()) ?? { game, matches: 0, isSame: true }
    seatings.set(seats.join(), seating)
    seating.matches++
    seating.isSame &&= seating.game === game
  }
  const names = new Map(rows.map(({ entrant, name }) => [String(entrant), name]))
  return [...companies]
    .filter(([, seatings]) => [...seatings.values()].every(({ matches, isSame }) => matches > 1 && isSame))
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([company]) => company.split(',').map((entrant) => names.get(entrant) ?? ''))
}

/** The columns of the table. */
export const strengthColumns = ({ elo, scores }: Strengths) => [
  ...(elo ? eloColumns(elo) : []),
  ...(scores ? scoreColumns(scores) : []),
]

/** Notes on the table: where its order is not that of the strengths, and which neighbours are not separated. */
export function strengthNotes(
  { elo, scores, repeating = [] }: Strengths,
  standings: Standings,
  { format }: Pick<RatedContest, 'format'>,
): string[] {
  const neighbours = (elo ?? scores)?.neighbours ?? []
  const contrary = neighbours.filter(({ superior }) => superior < 0.5)
  return [
    ...orderNotes(contrary, standings, format.kind, scores !== undefined),
    ...openNotes(
      neighbours.filter(({ superior }) => superior >= 0.5 && superior < SEPARABLE),
      neighbours.length,
    ),
    ...(elo ? seatNotes(elo) : []),
    ...firstNotes(scores?.rows.map(({ first }) => first) ?? []),
    ...doubtNotes((elo ?? scores)?.doubt),
    ...(elo || (scores && hasIntervals(scores))
      ? ['Each interval holds with 95 % by itself; intervals that hold all at once are wider.']
      : []),
    ...(scores && !hasIntervals(scores) && scores.doubt !== 'rare' ? [NO_SPREAD] : []),
    ...repeatingNotes(repeating),
  ]
}

/** Why no order is called sure. */
export const doubtNotes = (doubt: Doubt | undefined): string[] => (doubt ? [DOUBTS[doubt]] : [])

/** Which pairs repeat themselves: a few by name, of more a count too. */
function repeatingNotes(repeating: NonNullable<Strengths['repeating']>): string[] {
  if (repeating.length === 0) return []
  const named = repeating.slice(0, NAMED).map((names) => names.map(visible).join('–'))
  const more = repeating.length > NAMED ? `, and ${repeating.length - NAMED} more` : ''
  return [`The same game each time that they sat the same way: ${named.join(', ')}${more}. More matches tell no more.`]
}

/** What it means that the first place is between two probabilities. */
export const firstNotes = (first: readonly (Probability | undefined)[]): string[] =>
  first.some((one) => typeof one === 'object')
    ? ['First: between the two, by how far apart the entrants truly are, which these matches do not tell.']
    : []

/** Pairs that are named; of more, so many that are closest. */
const NAMED = 5

/** Which neighbours are not separated: all of a few, of more a count and the closest. */
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

/** Where the table's order is not that of the strengths, said in words. */
function orderNotes(contrary: Neighbours, { rows }: Standings, kind: string, byScore: boolean): string[] {
  const { survival, verb } = formatOf(kind)
  const rank = new Map(rows.map((row) => [row.name, row.rank]))
  const lines = contrary.flatMap(({ upper, lower }) => {
    const [above, below] = [rank.get(upper), rank.get(lower)]
    // Equals stand in the contest's order, which says nothing.
    if (above === below) return []
    const won = survival && above === 1
    const how = won ? 'won the last round' : (verb ?? (byScore ? 'stands higher' : 'has more points'))
    return [`${visible(upper)} ${how}; ${visible(lower)} ${byScore ? 'has the higher mean' : 'is rated higher'}`]
  })
  if (lines.length === 0) return []
  const more = lines.length > NAMED ? `; and so ${lines.length - NAMED} more` : ''
  return [`${lines.slice(0, NAMED).join('. ')}${more}.`]
}
