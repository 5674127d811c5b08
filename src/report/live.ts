import type { FaultKind, GameDefinition, Result, Standings } from '../core/index.js'
import type { ReportDocument, ReportLeftOut } from '../web/document.js'
import { documentFrom, shownByResults } from './data.js'
import { RoundPoints } from './rounds.js'
import { type PlayedContest, reportTable } from './sources.js'

/** A run as it stands, perhaps in its middle: what its results show, without any record. */
export interface LiveSource {
  readonly contest: PlayedContest
  readonly standings: Standings
  readonly leftOut?: readonly ReportLeftOut[]
  /** That count. */
  readonly results: readonly Result[]
  /** By name. */
  readonly faults: ReadonlyMap<string, Readonly<Partial<Record<FaultKind, number>>>>
  /** Matches that were played, those that do not count included. */
  readonly matches: number
}

/**
 * The document of a report, made of results alone. Where no record is read nothing is known of answers' times, and matches of the same
 * deal are taken for independent: intervals are rather too wide than too narrow.
 */
export function liveDocument(source: LiveSource, definition: GameDefinition): ReportDocument {
  const { contest, results, faults, matches } = source
  const rounds = new RoundPoints(contest.scoring, contest.entrants.length)
  for (const result of results) rounds.add(result)
  const limit = contest.limits['turn']
  const standings = reportTable(contest, source.standings)
  const rated = results.map((result) => ({ ...result, course: result.course ?? result.key, luck: result.key }))
  const about = { contest, standings, leftOut: source.leftOut }
  return documentFrom(about, definition, {
    ...shownByResults({ contest, standings }, rated),
    rounds: rounds.rows(),
    faults: contest.entrants.map(({ name }) => faults.get(name) ?? {}),
    limits: contest.entrants.map(() => limit),
    timing: contest.entrants.map(() => null),
    matches: { total: matches, kept: matches, pack: 1, positions: false },
  })
}
