import { type GameDefinition, type PublishedTable, type Standing, entrantFacts } from '../core/index.js'
import { DEFAULT_TURN_MS } from '../match/index.js'
import { type Crosstable, OPPONENTS, crosstable, gridOf } from '../tournament/index.js'
import type { MatchRow, ReportCrosstable, ReportDocument, ReportRatings, ReportRounds } from '../web/document.js'
import { type RatedResult, ratedResult, ratingsAmong } from './ratings.js'
import { RoundPoints } from './rounds.js'
import { ShownMatches, judgedRecord } from './shown-matches.js'
import { type PlayedContest, type ReportSource, indexOf } from './sources.js'
import { EntrantTotals, PrintedTotals } from './totals.js'

/** A report as data: its document, the list of matches, and their records in compressed packs. */
export interface ReportData {
  readonly document: ReportDocument
  readonly matches: readonly MatchRow[]
  /** Lines of JSON, each a `PackedMatch`, as gzip in base64. */
  readonly packs: readonly string[]
  /** The table as the contest's author published it; absent: the game has no such form. */
  readonly published?: PublishedTable
}

/**
 * Gathers a report from a finished run, reading its records once. `builtIn`: the page knows the game's rules; otherwise each
 * record brings its positions along as text. What of a record the rules cannot follow is shown as far as it goes.
 */
export async function reportData(
  source: ReportSource,
  definition: GameDefinition,
  builtIn: boolean,
): Promise<ReportData> {
  const { contest } = source
  const entrantOf = indexOf(contest)
  const totals = new EntrantTotals(definition, contest)
  const rounds = new RoundPoints(contest.scoring, contest.entrants.length)
  const printed = new PrintedTotals(contest.entrants.length)
  const results: RatedResult[] = []
  const shownMatches = new ShownMatches(builtIn)
  let total = 0

  for await (const { record, shown } of source.records()) {
    const seats = record.seats.map(({ entrant }) => entrantOf(entrant))
    const key = record.key ?? `match ${total + 1}`
    total++
    const outcome = source.outcomes ? source.outcomes.get(key) : record.outcome
    if (outcome !== undefined) {
      const result = ratedResult(record, key, seats, outcome)
      results.push(result)
      rounds.add(result)
    }
    const { faults, positions } = await judgedRecord(definition, record, { positions: shown && !builtIn })
    totals.add(record, seats, faults)
    printed.add(record, seats)
    if (shown) shownMatches.add(record, { key, seats, outcome, faults }, positions)
  }

  const { faults, limits } = totals
  const gathered = {
    ...shownByResults(source, results, definition.game.scores),
    rounds: rounds.rows(),
    faults,
    limits,
    timing: totals.timing(),
    printed: printed.rows(),
    matches: shownMatches.counts(total),
  }
  return reportFrom(source, definition, gathered, shownMatches)
}

/** The report of what was gathered. */
export function reportFrom(
  source: Pick<ReportSource, 'contest' | 'standings' | 'over' | 'leftOut'>,
  definition: GameDefinition,
  gathered: Gathered,
  shown: ShownMatches,
): ReportData {
  const { contest } = source
  const document = documentFrom(source, definition, gathered)
  const { columns, rows } = document.standings
  const named = rows.map((row) => ({ ...row, name: contest.entrants[row.entrant]?.name ?? '' }))
  const published = publishedTable(definition, contest, columns, named)
  return { document, ...shown.done(), published }
}

/** What the matches of a run come to; lists are by entrant. */
export interface Gathered {
  readonly crosstable: ReportCrosstable
  readonly ratings: ReportRatings | undefined
  readonly rounds: ReportRounds | undefined
  readonly faults: ReportDocument['faults']
  /** Milliseconds that a question may take; undefined: it is not known. */
  readonly limits: readonly (number | undefined)[]
  readonly timing: ReportDocument['timing']
  readonly printed?: ReportDocument['printed'] | undefined
  readonly matches: ReportDocument['matches']
}

/** The document of a report from what was gathered. */
export function documentFrom(
  source: Pick<ReportSource, 'contest' | 'standings' | 'over' | 'leftOut'>,
  definition: GameDefinition,
  gathered: Gathered,
): ReportDocument {
  const { contest, standings, over, leftOut } = source
  const { ratings, rounds, faults, limits, timing, printed, matches } = gathered
  const { entrants } = contest
  return {
    report: 1,
    agon: contest.agon,
    title: contest.title,
    game: { id: definition.game.id, title: definition.title, summary: definition.summary },
    seed: contest.seed,
    over,
    options: contest.options,
    format: contest.format,
    scoring: scoringOf(contest),
    entrants: entrants.map((one, entrant) => ({
      ...entrantFacts(one),
      name: one.name,
      remote: one.remote,
      limit: limits[entrant] ?? DEFAULT_TURN_MS,
    })),
    standings,
    crosstable: gathered.crosstable,
    rounds,
    ratings,
    faults,
    leftOut,
    timing,
    printed,
    matches,
  }
}

const scoringOf = ({ scoring }: Pick<PlayedContest, 'scoring'>) => ({ ...scoring, ties: scoring.ties ?? [] })

/** What results show by themselves. */
function shownByResults(
  { contest, standings }: Pick<ReportSource, 'contest' | 'standings'>,
  results: readonly RatedResult[],
  scores: GameDefinition['game']['scores'],
): Pick<Gathered, 'crosstable' | 'ratings'> {
  const { entrants } = contest
  const scoring = scoringOf(contest)
  const order = standings.rows.map(({ entrant }) => entrant)
  const names = entrants.map(({ name }) => name)
  return {
    crosstable: crosstableIn(crosstable(names, scoring, results, order), order),
    ratings: ratingsAmong(results, entrants.length, standings, { ...contest, scoring, scores }),
  }
}

/** `order`: entrants from the first of the standings to the last; the table has the first `OPPONENTS` of them. */
export const crosstableIn = (table: Crosstable, order: readonly number[]): ReportCrosstable => ({
  order: order.slice(0, OPPONENTS),
  ahead: table.ahead,
  scores: table.scores,
  meetings: gridOf(table, OPPONENTS).map((row) => row.map((meeting) => meeting ?? null)),
})

/** A run's table as the author of its contest published it; undefined: the game has no such form. */
export function publishedTable(
  definition: GameDefinition,
  { entrants }: Pick<PlayedContest, 'entrants'>,
  columns: readonly string[],
  rows: readonly Pick<Standing, 'name' | 'points' | 'cells'>[],
): PublishedTable | undefined {
  const known = new Map(entrants.map((entrant) => [entrant.name, entrant]))
  return definition.published?.({
    columns,
    rows: rows.map(({ name, points, cells }) => {
      const { language = '', command } = known.get(name) ?? {}
      return { name, points, cells, language, command: command?.join(' ') ?? name }
    }),
  })
}
