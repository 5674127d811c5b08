import {
  reportCsv,
  reportMarkdown,
  reportOnRun,
  reportPage,
  writeNamed,
  writeOwnPage,
  writeTranscripts,
} from '../app/look/report.js'
import { visible } from '../core/index.js'
import { counted } from '../text/index.js'
import { GAMED, contextOf, runOf } from './options.js'
import { Progress } from './progress.js'
import { print, notify } from './terminal.js'
import { value, verb } from './verb.js'

export const reportCommand = verb({
  takes: [['<contest>', 'a contest whose latest run is meant, or a results folder']],
  options: {
    ...GAMED,
    out: value('<file>', 'write the page here (default: report.html in the results folder)'),
    markdown: value('<file>', 'write the tables as Markdown, for an answer in a forum'),
    csv: value('<file>', 'write the standings with all facts about each entrant'),
    transcripts: value('<folder>', "write one file per match in the notation of the game's own contest"),
  },
  help: `
The page is one HTML file that loads nothing: standings with intervals, the
crosstable, points by round, faults and times, and a replay of every match.
The results folder of a run has one already, report.html. The report of a contest
shows its current table; the report of a results folder shows the table of that time.
agon judges the folder's records again, and makes no report if its table differs.

Examples:
  agon report contests/coup.toml --out coup.html
  agon report agon-results/coup-5 --markdown answer.md --csv table.csv`,
  async run(given, ref: string) {
    const { out, markdown, csv, transcripts } = given
    const progress = new Progress()
    const context = { ...contextOf(given), notice: (text: string) => progress.note(text) }
    const see = (now: { readonly doing: string; readonly done: number; readonly total: number }) =>
      progress.follow(now.doing, () => now)
    const report = await reportOnRun(runOf(ref, given), context, see).finally(() => progress.end())
    if (out !== undefined) await write(out, reportPage(report))
    else if (markdown === undefined && csv === undefined && transcripts === undefined) print(await writeOwnPage(report))
    if (markdown !== undefined) await write(markdown, reportMarkdown(report.data))
    if (csv !== undefined) await write(csv, reportCsv(report.data))
    if (transcripts !== undefined) {
      const written = await writeTranscripts(transcripts, report.source, report.definition)
      print(`${visible(transcripts)}: ${counted(written, 'transcript')}`)
    }
    const { kept, total } = report.data.document.matches
    if (kept < total) notify(`the page holds the newest ${kept} of ${total} matches; the results folder has them all`)
  },
})

async function write(file: string, text: string): Promise<void> {
  await writeNamed(file, text)
  print(visible(file))
}
