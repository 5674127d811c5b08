/** What a report shows: the page has the types of what makes it. */
export type {
  ComputedMatch,
  MatchRow,
  PackedMatch,
  ReportCrosstable,
  ReportDocument,
  ReportMeeting,
  ReportPrinted,
  ReportRatings,
  ReportRounds,
  ReportStandings,
  ReportTiming,
} from '../results/index.js'
