import {
  type FaultKind,
  type GameDefinition,
  type MatchRecord,
  type Outcome,
  type PublishedTable,
  type Standing,
  type Standings,
  entrantFacts,
  wiresOf,
} from '../core/index.js'
import { games } from '../games/index.js'
import { DEFAULT_TURN_MS, limitOf } from '../match/index.js'
import type { RatedGame } from '../stats/index.js'
import { type Crosstable, OPPONENTS, crosstable, gridOf } from '../tournament/index.js'
import { type RatedResult, type ReportRatings, gameRatingsAmong, ratedResult, ratingsAmong } from './ratings.js'
import { type MatchRow, ShownMatches, judgedRecord } from './shown-matches.js'
import { type PlayedContest, type ReportSource, indexOf, reportTable } from './sources.js'
import { EntrantTotals, PrintedTotals, type ReportRounds, type ReportTiming, RoundPoints } from './totals.js'

/** A report as data: its document, the list of matches, and compressed packs of their records. */
export interface ReportData {
  readonly document: ReportDocument
  readonly matches: readonly MatchRow[]
  /** Lines of JSON, each a `PackedMatch`, as gzip in base64. */
  readonly packs: readonly string[]
  /** The table as the contest's author published it; absent: the game has no such form. */
  readonly published?: PublishedTable
}

type FaultsByName = ReadonlyMap<string, Readonly<Partial<Record<FaultKind, number>>>>

/** Sums of a run too large to read its records one by one; keys are entrants' places in the contest's list. */
export interface CountedRun {
  readonly crosstable: Crosstable
  /** Entrants by their places among those in the table, in the contest's order. */
  readonly rated: { readonly games: readonly RatedGame[]; readonly distinct: number }
  readonly rounds: ReportRounds | undefined
  readonly faults: FaultsByName
  /** By name. */
  readonly wires: ReadonlyMap<string, string>
  readonly matches: number
  /** How a match counts; undefined: it is void. */
  outcomeOf(record: MatchRecord): Outcome | undefined
}

/**
 * Gathers a finished run's report, reading its records once; of a counted run only those shown, from which answer times and bots'
 * figures then are. `builtIn`: the page knows the game's rules; else each record brings its positions as text. Records are shown as far
 * as the rules can follow them.
 */
export async function reportData(
  source: ReportSource,
  definition: GameDefinition,
  builtIn = games.includes(definition),
  run?: CountedRun,
): Promise<ReportData> {
  const { contest, standings } = source
  const { entrants } = contest
  const entrantOf = indexOf(contest)
  const totals = new EntrantTotals(definition, contest)
  const printed = new PrintedTotals(entrants.length)
  const shownMatches = new ShownMatches(builtIn)
  const results: RatedResult[] = []
  let total = 0
  for await (const { record, shown } of source.records(run && 'newest')) {
    const seats = record.seats.map(({ entrant }) => entrantOf(entrant))
    const key = record.key ?? `match ${total + 1}`
    total++
    const outcome = run ? run.outcomeOf(record) : source.outcomes ? source.outcomes.get(key) : record.outcome
    if (outcome !== undefined) results.push(ratedResult(record, key, seats, outcome))
    const { faults, positions } = await judgedRecord(definition, record, shown && !builtIn)
    totals.add(record, seats, faults)
    printed.add(record, seats)
    if (shown) shownMatches.add(record, { key, seats, outcome, faults }, positions)
  }
  const document = documentFrom(source, definition, {
    ...(run ? byCounts(source, definition, run) : { ...byResults(source, definition, results), ...totals.judged() }),
    timing: totals.timing(),
    printed: printed.rows(),
    matches: shownMatches.counts(run?.matches ?? total),
  })
  const named = standings.rows.map((row) => ({ ...row, name: entrants[row.entrant]?.name ?? '' }))
  return {
    document,
    ...shownMatches.done(),
    published: publishedTable(definition, contest, standings.columns, named),
  }
}

/** A run's matches added up; lists are by entrant. */
interface Gathered {
  readonly crosstable: ReportCrosstable
  readonly ratings?: ReportRatings
  /** Absent: one round and one repetition. */
  readonly rounds?: ReportRounds
  readonly faults: readonly Partial<Readonly<Record<FaultKind, number>>>[]
  /** Milliseconds that a question may take; undefined: unknown. */
  readonly limits: readonly (number | undefined)[]
  /** null: no time is known. */
  readonly timing: readonly (ReportTiming | null)[]
  /** What bots printed of themselves; undefined: nothing. */
  readonly printed?: ReturnType<PrintedTotals['rows']>
  readonly matches: ReturnType<ShownMatches['counts']> & {
    /** How many of them ratings and rounds rest on, which are computed while matches are played; absent: all. */
    readonly rated?: number
  }
}

/**
 * A report's JSON document. Entrants are named by index in `entrants`, in the contest's order; matches travel beside it.
 */
export type ReportDocument = ReturnType<typeof documentFrom>

function documentFrom(
  { contest, standings, over, leftOut }: Pick<ReportSource, 'contest' | 'standings' | 'over' | 'leftOut'>,
  definition: GameDefinition,
  { limits, ...shown }: Gathered,
) {
  const { agon, title, seed, options, format, entrants } = contest
  return {
    report: 1,
    agon,
    title,
    game: { id: definition.game.id, title: definition.title, summary: definition.summary },
    seed,
    over,
    options,
    format,
    scoring: scoringOf(contest),
    entrants: entrants.map((one, entrant) => ({
      ...entrantFacts(one),
      name: one.name,
      remote: one.remote,
      limit: limits[entrant] ?? DEFAULT_TURN_MS,
    })),
    standings,
    leftOut,
    ...shown,
  }
}

const scoringOf = ({ scoring }: PlayedContest) => ({ ...scoring, ties: scoring.ties ?? [] })

function byResults(
  { contest, standings }: ReportSource,
  { game: { scores } }: GameDefinition,
  results: readonly RatedResult[],
): Pick<Gathered, 'crosstable' | 'ratings' | 'rounds'> {
  const { entrants } = contest
  const scoring = scoringOf(contest)
  const order = standings.rows.map(({ entrant }) => entrant)
  const names = entrants.map(({ name }) => name)
  const rounds = new RoundPoints(contest.scoring, entrants.length)
  for (const result of results) rounds.add(result)
  return {
    crosstable: crosstableIn(crosstable(names, scoring, results, order), order),
    ratings: ratingsAmong(results, entrants.length, standings, { ...contest, scoring, scores }),
    rounds: rounds.rows(),
  }
}

function byCounts(
  { contest, standings }: ReportSource,
  definition: GameDefinition,
  run: CountedRun,
): Pick<Gathered, 'crosstable' | 'ratings' | 'rounds' | 'faults' | 'limits'> {
  const { entrants, limits } = contest
  const wires = wiresOf(definition, contest.options)
  return {
    crosstable: crosstableIn(
      run.crosstable,
      standings.rows.map(({ entrant }) => entrant),
    ),
    ratings: gameRatingsAmong(run.rated, entrants.length, standings, contest),
    rounds: run.rounds,
    faults: entrants.map(({ name }) => run.faults.get(name) ?? {}),
    limits: entrants.map(({ name }) => limitOf(limits, wires[run.wires.get(name) ?? ''], 'turn')),
  }
}

export type ReportCrosstable = ReturnType<typeof crosstableIn>
export type ReportMeeting = NonNullable<ReportCrosstable['meetings'][number][number]>

/** `order`: entrants by standing; the table has the first `OPPONENTS` of them. */
const crosstableIn = (table: Crosstable, order: readonly number[]) => ({
  order: order.slice(0, OPPONENTS),
  /** Matches of more than two: points are how often one finished ahead, a draw for a half. */
  ahead: table.ahead,
  /** Scores count: points are mean scores. */
  scores: table.scores,
  /** By row and column of `order`; null: the two have not met. */
  meetings: gridOf(table, OPPONENTS).map((row) => row.map((meeting) => meeting ?? null)),
})

/** A run as it stands, perhaps half played: what is known without records. */
interface LiveSource extends Pick<ReportSource, 'contest' | 'over' | 'leftOut'> {
  readonly standings: Standings
  readonly crosstable: Crosstable
  /** Its last computed ratings and rounds, and the matches they rest on; undefined: none yet. */
  readonly rated: (Pick<Gathered, 'ratings' | 'rounds'> & { readonly matches: number }) | undefined
  readonly faults: FaultsByName
  /** Matches played, those that do not count included. */
  readonly matches: number
}

/** A report's document without any record: answers' times are unknown. */
export function liveDocument(source: LiveSource, definition: GameDefinition): ReportDocument {
  const { contest, rated, faults, matches } = source
  const standings = reportTable(contest, source.standings)
  const order = standings.rows.map(({ entrant }) => entrant)
  return documentFrom({ ...source, standings }, definition, {
    crosstable: crosstableIn(source.crosstable, order),
    ratings: rated?.ratings,
    rounds: rated?.rounds,
    faults: contest.entrants.map(({ name }) => faults.get(name) ?? {}),
    limits: contest.entrants.map(() => contest.limits['turn']),
    timing: contest.entrants.map(() => null),
    matches: { total: matches, kept: matches, pack: 1, positions: false, drawn: undefined, rated: rated?.matches ?? 0 },
  })
}

/** A run's table as its contest's author published it; undefined: the game has no such form. */
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
