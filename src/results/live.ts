import type { FaultKind, GameDefinition, Standings } from '../core/index.js'
import type { Crosstable } from '../tournament/index.js'
import type { ReportDocument, ReportLeftOut } from '../web/document.js'
import { crosstableIn, documentFrom } from './data.js'
import { type PlayedContest, reportTable } from './sources.js'

/** A run as it stands, perhaps in its middle: what is known of it without any record. */
export interface LiveSource {
  readonly contest: PlayedContest
  readonly standings: Standings
  /** Everything has been played. */
  readonly over: boolean
  readonly leftOut?: readonly ReportLeftOut[]
  readonly crosstable: Crosstable
  /** What was computed last of its ratings and rounds, and on how many matches it rests; undefined: nothing yet. */
  readonly rated: (Pick<ReportDocument, 'ratings' | 'rounds'> & { readonly matches: number }) | undefined
  /** By name. */
  readonly faults: ReadonlyMap<string, Readonly<Partial<Record<FaultKind, number>>>>
  /** Matches that were played, those that do not count included. */
  readonly matches: number
}

/** The document of a report, made without a look at any record: nothing is known of answers' times. */
export function liveDocument(source: LiveSource, definition: GameDefinition): ReportDocument {
  const { contest, over, crosstable, rated, faults, matches, leftOut } = source
  const { entrants } = contest
  const limit = contest.limits['turn']
  const standings = reportTable(contest, source.standings)
  const order = standings.rows.map(({ entrant }) => entrant)
  return documentFrom({ contest, standings, over, leftOut }, definition, {
    crosstable: crosstableIn(crosstable, order),
    ratings: rated?.ratings,
    rounds: rated?.rounds,
    faults: entrants.map(({ name }) => faults.get(name) ?? {}),
    limits: entrants.map(() => limit),
    timing: entrants.map(() => null),
    matches: { total: matches, kept: matches, pack: 1, positions: false, rated: rated?.matches ?? 0 },
  })
}
