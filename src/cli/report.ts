import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import type { Command } from 'commander'
import { UserError } from '../core/index.js'
import {
  type ReportData,
  archiveSource,
  builtPage,
  reportCsv,
  reportHtml,
  reportMarkdown,
  reportOf,
  ruledSource,
} from '../report/index.js'
import { judgedFolder } from '../app/judged-folder.js'
import { playedWith } from '../app/played-with.js'
import { recordGame } from '../contest/index.js'
import { gameOf as runGame, standOf, withRun } from '../app/stored.js'
import { counted } from '../text/index.js'
import { print, tell } from './terminal.js'
import { type GamedFlags, addGamedOptions, contextOf } from './options.js'

const HELP = `
The page is one HTML file that loads nothing: standings with intervals, the
crosstable, points by round, faults and times, and every match to be replayed.
The archive of a run has one already, report.html. The report of a contest shows
its table as it stands now, that of an archive folder as it was then: its records
are judged again, and where its table is not theirs, no report is made.

Examples:
  agon report contests/coup.toml --out coup.html
  agon report agon-results/coup-5 --markdown answer.md --csv table.csv`

interface Asked extends GamedFlags {
  readonly out?: string
  readonly markdown?: string
  readonly csv?: string
}

export function reportCommand(command: Command): void {
  addGamedOptions(command)
    .argument('<contest>', 'a contest whose latest run is meant, or an archive folder')
    .option('--out <file>', 'write the page here (default: report.html in the archive)')
    .option('--markdown <file>', 'write the tables as Markdown, for an answer in a forum')
    .option('--csv <file>', 'write the standings with all that is known of each entrant')
    .addHelpText('after', HELP)
    .action(async (ref: string, asked: Asked) => {
      const { folder, data } = existsSync(join(ref, 'contest.json'))
        ? await ofArchive(ref, asked.game)
        : await ofRun(ref, asked)
      const plain = asked.markdown === undefined && asked.csv === undefined
      const page = asked.out ?? (plain ? join(folder, 'report.html') : undefined)
      if (page !== undefined) write(page, reportHtml(data, builtPage()))
      if (asked.markdown !== undefined) write(asked.markdown, reportMarkdown(data))
      if (asked.csv !== undefined) write(asked.csv, reportCsv(data))
      const { kept, total } = data.document.matches
      if (kept < total) tell(`the page holds the newest ${kept} of ${total} matches; the archive has them all`)
    })
}

interface Found {
  readonly folder: string
  readonly data: ReportData
}

async function ofArchive(path: string, file: string | undefined): Promise<Found> {
  const folder = resolve(path)
  const kit = await recordGame(gameOf(folder), file, playedWith(folder))
  const { source, unjudged } = await judgedFolder(folder, archiveSource(folder), kit)
  if (unjudged > 0)
    tell(`${counted(unjudged, 'match', 'matches')} of another version of the rules: shown as their records say`)
  return { folder, data: await reportOf(source, kit) }
}

/** The run that the store knows: the records of its archive, but the table as it stands now, exclusions and rulings applied. */
function ofRun(ref: string, asked: GamedFlags): Promise<Found> {
  return withRun(ref, asked.run, contextOf(asked), async (store, run) => {
    const { standings, exclusions, results } = await standOf(store, run)
    const voided = new Set(exclusions.flatMap(({ name, treatment }) => (treatment === 'void' ? [name] : [])))
    const counting = [...results.values()].filter(
      ({ seats }) => !seats.some((entrant) => voided.has(run.plan.names[entrant] ?? '')),
    )
    const outcomes = new Map(counting.map(({ key, outcome }) => [key, outcome]))
    const source = ruledSource(archiveSource(run.out), standings, outcomes)
    return { folder: run.out, data: await reportOf(source, await runGame(run, asked.game)) }
  })
}

function gameOf(folder: string): string {
  try {
    const { game } = JSON.parse(readFileSync(join(folder, 'contest.json'), 'utf8')) as { game?: string }
    if (game !== undefined) return game
  } catch {
    // Told below.
  }
  throw new UserError(`${folder} holds no finished run: its contest.json is missing or names no game`)
}

function write(file: string, text: string): void {
  mkdirSync(dirname(resolve(file)), { recursive: true })
  writeFileSync(file, text)
  print(file)
}
