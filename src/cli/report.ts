import type { Command } from 'commander'
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
import { Progress } from './progress.js'
import { type GamedFlags, addGamedOptions, contextOf, runOf } from './options.js'
import { print, notify } from './terminal.js'

const HELP = `
The page is one HTML file that loads nothing: standings with intervals, the
crosstable, points by round, faults and times, and a replay of every match.
The results folder of a run has one already, report.html. The report of a contest
shows its current table; the report of a results folder shows the table of that time.
agon judges the folder's records again, and makes no report if its table differs.

Examples:
  agon report contests/coup.toml --out coup.html
  agon report agon-results/coup-5 --markdown answer.md --csv table.csv`

interface ReportFlags extends GamedFlags {
  readonly out?: string
  readonly markdown?: string
  readonly csv?: string
  readonly transcripts?: string
}

export function reportCommand(command: Command): void {
  addGamedOptions(command, 'a contest whose latest run is meant, or a results folder')
    .option('--out <file>', 'write the page here (default: report.html in the results folder)')
    .option('--markdown <file>', 'write the tables as Markdown, for an answer in a forum')
    .option('--csv <file>', 'write the standings with all facts about each entrant')
    .option('--transcripts <folder>', "write one file per match in the notation of the game's own contest")
    .addHelpText('after', HELP)
    .action(async (ref: string, asked: ReportFlags) => {
      const progress = new Progress()
      const context = { ...contextOf(asked), notice: (text: string) => progress.note(text) }
      const report = await reportOnRun(runOf(ref, asked), context, (now) => progress.see(now.doing, now)).finally(() =>
        progress.end(),
      )
      const plain = asked.markdown === undefined && asked.csv === undefined && asked.transcripts === undefined
      if (asked.out !== undefined) write(asked.out, reportPage(report))
      else if (plain) print(writeOwnPage(report))
      if (asked.markdown !== undefined) write(asked.markdown, reportMarkdown(report.data))
      if (asked.csv !== undefined) write(asked.csv, reportCsv(report.data))
      if (asked.transcripts !== undefined) {
        const written = await writeTranscripts(asked.transcripts, report.source, report.definition)
        print(`${visible(asked.transcripts)}: ${counted(written, 'transcript')}`)
      }
      const { kept, total } = report.data.document.matches
      if (kept < total) notify(`the page holds the newest ${kept} of ${total} matches; the results folder has them all`)
    })
}

function write(file: string, text: string): void {
  writeNamed(file, text)
  print(visible(file))
}
