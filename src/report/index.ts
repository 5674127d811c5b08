/** Reports on a finished run: one HTML file, Markdown for an answer in a forum, CSV. */
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { GameKit } from '../core/index.js'
import { games } from '../games/index.js'
import { type ReportData, reportData } from './data.js'
import { reportHtml } from './html.js'
import { builtPage } from './page.js'
import { type ReportSource, archiveSource } from './sources.js'

export { reportCsv } from './csv.js'
export { type ReportData, reportData } from './data.js'
export { reportHtml } from './html.js'
export { reportMarkdown } from './markdown.js'
export { builtPage } from './page.js'
export { type ReportSource, archiveSource, ruledSource } from './sources.js'

/** The report on a run; its records bring their positions along where the game does not come with agon. */
export function reportOf(source: ReportSource, kit: GameKit): Promise<ReportData> {
  return reportData(source, kit, games.includes(kit))
}

/** Writes report.html into an archive folder and returns its path. */
export async function writeReport(folder: string, kit: GameKit): Promise<string> {
  const file = join(folder, 'report.html')
  writeFileSync(file, reportHtml(await reportOf(archiveSource(folder), kit), builtPage()))
  return file
}
