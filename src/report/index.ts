/** Reports on a finished run: one HTML file, Markdown for an answer in a forum, CSV. */
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { GameKit } from '../core/index.js'
import { games } from '../games/index.js'
import { type ReportData, reportData } from './data.js'
import { reportHtml } from './html.js'
import { builtPage } from './page.js'
import { archiveSource } from './sources.js'

export { reportCsv } from './csv.js'
export { type ReportData, reportData } from './data.js'
export { reportHtml } from './html.js'
export { reportMarkdown } from './markdown.js'
export { builtPage } from './page.js'
export { archiveSource } from './sources.js'

/** The report on the run that an archive folder holds. Throws UserError where the folder holds none. */
export function archiveReport(folder: string, kit: GameKit): Promise<ReportData> {
  return reportData(archiveSource(folder), kit, games.includes(kit))
}

/** Writes report.html into an archive folder and returns its path. */
export async function writeReport(folder: string, kit: GameKit): Promise<string> {
  const file = join(folder, 'report.html')
  writeFileSync(file, reportHtml(await archiveReport(folder, kit), builtPage()))
  return file
}
