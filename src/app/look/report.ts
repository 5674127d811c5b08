import { existsSync, mkdirSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { UserError, message, option } from '../../core/index.js'
import { playedWith } from '../../results/folder-files.js'
import { holdsResultsOf } from '../../results/write.js'
import { recordGame } from '../../contest/index.js'
import { builtPage, folderSource, reportHtml, reportData, writeReport } from '../../results/index.js'
import { counted } from '../../text/index.js'
import type { Context } from '../context.js'
import { judgedFolder } from './judged-records.js'
import { type OnReport, type ReportProgress, reportOfRun, watched } from './report-of-run.js'
import { type PlayedRunRef, gameOf as runGame, standingsOfRun, withRun } from '../stored.js'

export { writeNamed } from '../../results/folder-files.js'
export { writeTranscripts } from '../run/transcripts.js'
export { reportCsv, reportMarkdown } from '../../results/index.js'

/** `isOwn`: its folder is there, or it is the workspace's own. */
type RunReport = Awaited<ReturnType<typeof ofArchive>>

/**
 * Gathers the report of a contest's run, with its table as it stands now, or of an archive's folder, with its table as it was, judged again. Throws
 * UserError if there is neither, a record cannot be read, or the table is not that of its records.
 */
export function reportOnRun(ref: PlayedRunRef, context: Context, on: OnReport = () => undefined): Promise<RunReport> {
  return existsSync(join(ref.contest, 'contest.json')) ? ofArchive(ref, context, on) : ofRun(ref, context, on)
}

/** The report as one HTML file that loads nothing. */
export const reportPage = ({ data }: RunReport): string => reportHtml(data, builtPage())

/** Writes the page into the run's own folder, whatever lies under its name there; returns its path. */
export async function writeOwnPage({ folder, data, isOwn }: RunReport): Promise<string> {
  if (!isOwn) throw new UserError(message`${folder} is not there any more: name a file with ${option('out')}`)
  mkdirSync(folder, { recursive: true })
  return writeReport(folder, data)
}

async function ofArchive({ contest, gameFile }: PlayedRunRef, { notice }: Context, on: OnReport) {
  const folder = resolve(contest)
  const whole = folderSource(folder)
  const definition = await recordGame(whole.contest.game, gameFile, playedWith(folder))
  let doing: ReportProgress['doing'] = 'judging its matches'
  const files = watched(whole, () => doing, on)
  const { source, unjudged } = await judgedFolder(folder, files, definition)
  doing = 'report'
  if (unjudged > 0)
    notice(`${counted(unjudged, 'match', 'matches')} of another version of the rules: shown as their records say`)
  return { folder, isOwn: true, source, definition, data: await reportData(source, definition) }
}

function ofRun({ contest, run: id, gameFile }: PlayedRunRef, context: Context, on: OnReport): Promise<RunReport> {
  return withRun(contest, id, context, async (store, run) => {
    // An archive names a stranger's choice of folder: no page is written over that of another run.
    const isSites = dirname(run.out) === join(context.workspace, 'contests')
    if (existsSync(run.out) && !isSites && !holdsResultsOf(run.out, run.seed))
      throw new UserError(`${run.out} does not hold the results of the run ${run.id}: give the folder that does`)
    const definition = await runGame(run, gameFile)
    const current = await standingsOfRun(store, run)
    const { source, data } = await reportOfRun({ store, run, definition, current }, on)
    return { folder: run.out, isOwn: isSites || existsSync(run.out), source, definition, data }
  })
}
