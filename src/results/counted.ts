import { type FaultKind, type GameDefinition, type MatchRecord, type Outcome, wiresOf } from '../core/index.js'
import { limitOf } from '../match/index.js'
import type { RatedGame } from '../stats/index.js'
import type { Crosstable } from '../tournament/index.js'
import type { ReportRounds } from '../web/document.js'
import { type ReportData, crosstableIn, reportFrom } from './data.js'
import { gameRatingsAmong } from './ratings.js'
import { ShownMatches, judgedRecord } from './shown-matches.js'
import { type ReportSource, indexOf } from './sources.js'
import { EntrantTotals, PrintedTotals } from './totals.js'

/** What is counted of a run of very many matches, whose records are not read one by one; keys are the entrants' places in the contest's list. */
export interface CountedRun {
  readonly crosstable: Crosstable
  /** Entrants are named by their places among those in the table, in the contest's order. */
  readonly rated: { readonly games: readonly RatedGame[]; readonly distinct: number }
  readonly rounds: ReportRounds | undefined
  /** By name. */
  readonly faults: ReadonlyMap<string, Readonly<Partial<Record<FaultKind, number>>>>
  /** By name. */
  readonly wires: ReadonlyMap<string, string>
  readonly matches: number
  /** How a match counts; undefined: it is void. */
  outcomeOf(record: MatchRecord): Outcome | undefined
}

/**
 * Gathers a report from what was counted of a run. Of its records only those are read that the page shows: times of answers, and what bots
 * printed of themselves, are of these. `builtIn`: the page knows the game's rules.
 */
export async function countedReport(
  source: ReportSource,
  run: CountedRun,
  definition: GameDefinition,
  builtIn: boolean,
): Promise<ReportData> {
  const { contest, standings } = source
  const { entrants } = contest
  const entrantOf = indexOf(contest)
  const totals = new EntrantTotals(definition, contest)
  const printed = new PrintedTotals(entrants.length)
  const shown = new ShownMatches(builtIn)
  for await (const record of source.newest()) {
    const seats = record.seats.map(({ entrant }) => entrantOf(entrant))
    printed.add(record, seats)
    const { faults, positions } = await judgedRecord(definition, record, { positions: !builtIn })
    totals.add(record, seats, faults)
    shown.add(record, { key: record.key ?? '', seats, outcome: run.outcomeOf(record), faults }, positions)
  }
  const wires = wiresOf(definition, contest.options)
  const order = standings.rows.map(({ entrant }) => entrant)
  const gathered = {
    crosstable: crosstableIn(run.crosstable, order),
    ratings: gameRatingsAmong(run.rated, entrants.length, standings, contest),
    rounds: run.rounds,
    faults: entrants.map(({ name }) => run.faults.get(name) ?? {}),
    limits: entrants.map(({ name }) => limitOf(contest.limits, wires[run.wires.get(name) ?? ''], 'turn')),
    timing: totals.timing(),
    printed: printed.rows(),
    matches: shown.counts(run.matches),
  }
  return reportFrom(source, definition, gathered, shown)
}
