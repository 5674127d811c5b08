/** Reports on a finished run: one HTML file, Markdown for an answer in a forum, CSV. */
import { join } from 'node:path'
import type { GameDefinition } from '../core/index.js'
import { games } from '../games/index.js'
import { replaceText } from './replace-file.js'
import { type CountedRun, countedReport } from './counted.js'
import { type ReportData, reportData } from './data.js'
import { reportHtml, builtPage } from './html.js'
import type { ReportSource } from './sources.js'

export { reportCsv } from './csv.js'
export type { ComputedMatch, ReportDocument } from '../web/document.js'
export { computedPart, computing, joinedParts, partFrom } from './computed-match.js'
export { type CountedRun } from './counted.js'
export { type ReportData, reportData, publishedTable } from './data.js'
export { reportHtml, builtPage } from './html.js'
export { liveDocument } from './live.js'
export { reportMarkdown } from './markdown.js'
export { type RatedResult, gameRatingsAmong, membersOf, ratingsAmong } from './ratings.js'
export { RoundPoints } from './rounds.js'
export {
  type ReportSource,
  folderSource,
  indexOf,
  readPart,
  recordsSource,
  ruledSource,
  watchedSource,
  withTable,
} from './sources.js'

/** The report on a run; its records bring their positions along where the game does not come with agon. */
export function reportOf(source: ReportSource, definition: GameDefinition): Promise<ReportData> {
  return reportData(source, definition, games.includes(definition))
}

/** The same of a run of very many matches, by what was counted of them. */
export function reportOfCounted(
  source: ReportSource,
  run: CountedRun,
  definition: GameDefinition,
): Promise<ReportData> {
  return countedReport(source, run, definition, games.includes(definition))
}

/** Writes report.html into a results folder, through no link, and returns its path. */
export function writeReport(folder: string, data: ReportData): string {
  const file = join(folder, 'report.html')
  replaceText(file, reportHtml(data, builtPage()))
  return file
}
