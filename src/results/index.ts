/** Reports on a finished run: one HTML file, Markdown for an answer in a forum, CSV. */
import { join } from 'node:path'
import type { ReportData } from './data.js'
import { builtPage, reportHtml } from './html.js'
import { replaceText } from './folder-files.js'

export { reportCsv } from './csv.js'
export { type ComputedMatch, FollowedMatch, computing } from './computed-match.js'
export {
  type CountedRun,
  type ReportCrosstable,
  type ReportData,
  type ReportDocument,
  type ReportMeeting,
  liveDocument,
  reportData,
  publishedTable,
} from './data.js'
export { reportHtml, builtPage } from './html.js'
export { reportMarkdown } from './markdown.js'
export { type ReportRatings, gameRatingsAmong } from './ratings.js'
export { type ReportRounds, RoundPoints, Spread } from './totals.js'
export type { MatchRow, PackedMatch } from './shown-matches.js'
export {
  type ReportSource,
  type ReportStandings,
  folderSource,
  readPart,
  recordsSource,
  ruledSource,
  watchedSource,
  withTable,
} from './sources.js'
export type { ReportPrinted, ReportTiming } from './totals.js'

/** Writes report.html into a results folder, through no link, and returns its path. */
export async function writeReport(folder: string, data: ReportData): Promise<string> {
  const file = join(folder, 'report.html')
  await replaceText(file, reportHtml(data, builtPage()))
  return file
}
