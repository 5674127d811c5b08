import {
  type FaultKind,
  type GameDefinition,
  type MatchRecord,
  type Outcome,
  type PublishedTable,
  type Result,
  type ScoringSpec,
  isFault,
} from '../core/index.js'
import { DEFAULT_TURN_MS, walk } from '../match/index.js'
import { crosstable } from '../tournament/index.js'
import type { MatchRow, PackedMatch, ReportCrosstable, ReportDocument, ReportRounds } from '../web/document.js'
import { computedMatch } from './computed-match.js'
import { Packs } from './packs.js'
import { PrintedTotals } from './printed.js'
import { publishedTable } from './published.js'
import { type RatedResult, ratedResult, ratingsAmong } from './ratings.js'
import { RoundPoints } from './rounds.js'
import { type ContestFacts, type ReportSource, indexOf } from './sources.js'
import { EntrantTotals } from './totals.js'

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
  const matches: MatchRow[] = []
  const packs = new Packs()
  let total = 0

  for await (const { record, shown } of source.records()) {
    const seats = record.seats.map(({ entrant }) => entrantOf(entrant))
    const key = record.key ?? `match ${total + 1}`
    total++
    const outcome = source.outcomes ? source.outcomes.get(key) : record.outcome
    if (outcome !== undefined) {
      const counting = [key, ...(source.repeated?.[key] ?? [])]
      for (const one of counting) {
        const result = ratedResult(record, one, seats, outcome)
        results.push(one === key ? result : { ...result, luck: one, repeats: key })
        rounds.add(result)
      }
    }
    const faults = judgedFaults(definition, record)
    totals.add(record, seats, faults)
    printed.add(record, seats)
    if (!shown) continue
    matches.push(matchRow(record, key, seats, outcome, faults))
    const packed: PackedMatch = builtIn ? { record } : { record, positions: computedMatch(definition, record) }
    packs.add(JSON.stringify(packed))
  }

  const counts = { total, kept: matches.length, pack: packs.size, positions: !builtIn }
  const { faults, limits } = totals
  const gathered = {
    results,
    rounds: rounds.rows(),
    faults,
    limits,
    timing: totals.timing(),
    printed: printed.rows(),
    matches: counts,
  }
  const document = documentFrom(source, definition, gathered)
  const { columns, rows } = document.standings
  const named = rows.map((row) => ({ ...row, name: contest.entrants[row.entrant]?.name ?? '' }))
  const published = publishedTable(definition, contest, columns, named)
  return { document, matches, packs: packs.done(), ...(published && { published }) }
}

/** A match of the list; `outcome`: undefined where the match is void. */
function matchRow(
  record: MatchRecord,
  key: string,
  seats: readonly number[],
  outcome: Outcome | undefined,
  faults: readonly (readonly FaultKind[])[],
): MatchRow {
  const { place, reason } = outcome ?? { ...record.outcome, reason: `${record.outcome.reason} (void)` }
  const row = [key, seats, place, reason, record.steps.length] as const
  const faulted = faults.map((kinds) => kinds.length)
  return faulted.some((n) => n > 0) ? [...row, faulted] : row
}

/** What the matches of a run come to; lists are by entrant. */
interface Gathered {
  readonly results: readonly RatedResult[]
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
  source: Pick<ReportSource, 'contest' | 'standings' | 'leftOut' | 'exploitability'>,
  definition: GameDefinition,
  gathered: Gathered,
): ReportDocument {
  const { contest, standings, leftOut, exploitability } = source
  const { results, rounds, faults, limits, timing, printed, matches } = gathered
  const { entrants } = contest
  const order = standings.rows.map(({ entrant }) => entrant)
  const scoring = { ...contest.scoring, ties: contest.scoring.ties ?? [] }
  const rated = [...order].sort((a, b) => a - b)
  const ratings = ratingsAmong(results, entrants.length, rated, { ...contest, scoring })
  return {
    report: 1,
    agon: contest.agon,
    title: contest.title,
    game: { id: definition.game.id, title: definition.title, summary: definition.summary },
    seed: contest.seed,
    options: contest.options,
    format: contest.format,
    scoring,
    entrants: entrants.map(({ name, language, author, synopsis }, entrant) => ({
      name,
      ...(language !== undefined && { language }),
      ...(author !== undefined && { author }),
      ...(synopsis !== undefined && { synopsis }),
      limit: limits[entrant] ?? DEFAULT_TURN_MS,
    })),
    standings,
    crosstable: crosstableOf(entrants, scoring, results, order),
    ...(rounds && { rounds }),
    ...(ratings && { ratings }),
    ...(exploitability && { exploitability }),
    faults,
    ...(leftOut && { leftOut }),
    timing,
    ...(printed && { printed }),
    matches,
  }
}

/** `order`: entrants from the first of the standings to the last. */
function crosstableOf(
  entrants: ContestFacts['entrants'],
  scoring: ScoringSpec,
  results: readonly Result[],
  order: readonly number[],
): ReportCrosstable {
  const names = entrants.map(({ name }) => name)
  const { ahead, scores, meetings } = crosstable(names, scoring, results, order)
  return {
    order,
    ahead,
    ...(scores && { scores }),
    meetings: meetings.map((row) => row.map((meeting) => meeting ?? null)),
  }
}

/** By seat: the faults of a match, as the rules judge it. */
function judgedFaults(definition: GameDefinition, record: MatchRecord): readonly FaultKind[][] {
  const faults = record.seats.map((): FaultKind[] => [])
  try {
    for (const { moves } of walk(definition, record)) {
      moves.forEach((move, seat) => isFault(move) && faults[seat]?.push(move.fault))
    }
  } catch {
    // A record of other rules: what was judged so far counts, and the replay says where it ends.
  }
  return faults
}
