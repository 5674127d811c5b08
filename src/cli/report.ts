import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import type { Command } from 'commander'
import { UserError } from '../core/index.js'
import { resolveContest } from '../contest/index.js'
import { archiveReport, builtPage, reportCsv, reportHtml, reportMarkdown } from '../report/index.js'
import { openStore } from '../store/index.js'
import { VERSION } from './manifest.js'
import { recordGame } from './record-game.js'
import { print, tell } from './terminal.js'
import { workspaceFolder } from './workspace.js'

const HELP = `
The page is one HTML file that loads nothing: standings with intervals, the
crosstable, points by round, faults and times, and every match to be replayed. The
archive of a run has one already, report.html.

Examples:
  agon report contests/coup.toml --out coup.html
  agon report agon-results/coup-5 --markdown answer.md --csv table.csv`

interface Asked {
  readonly out?: string
  readonly markdown?: string
  readonly csv?: string
}

export function reportCommand(command: Command): void {
  command
    .argument('<contest>', 'a contest whose latest finished run is meant, or an archive folder')
    .option('--out <file>', 'write the page here (default: report.html in the archive)')
    .option('--markdown <file>', 'write the tables as Markdown, for an answer in a forum')
    .option('--csv <file>', 'write the standings with all that is known of each entrant')
    .addHelpText('after', HELP)
    .action(async (ref: string, asked: Asked) => {
      const folder = await archiveOf(ref)
      const kit = await recordGame(gameOf(folder), folder, undefined)
      const data = await archiveReport(folder, kit)
      const page =
        asked.out ?? (asked.markdown === undefined && asked.csv === undefined ? join(folder, 'report.html') : undefined)
      if (page !== undefined) write(page, reportHtml(data, builtPage()))
      if (asked.markdown !== undefined) write(asked.markdown, reportMarkdown(data))
      if (asked.csv !== undefined) write(asked.csv, reportCsv(data))
      const { kept, total } = data.document.matches
      if (kept < total) tell(`the page holds the newest ${kept} of ${total} matches; the archive has them all`)
    })
}

/** The archive folder that is meant: itself, or that of the contest's latest finished run. Throws UserError where there is none. */
async function archiveOf(ref: string): Promise<string> {
  if (existsSync(join(ref, 'contest.json'))) return resolve(ref)
  const { file } = await resolveContest(ref)
  const store = openStore(workspaceFolder(), VERSION)
  try {
    const run = (await store.runs()).find(({ contest, state }) => contest === file && state === 'finished')
    if (run) return run.out
    throw new UserError(`${store.where} holds no finished run of ${ref}: agon run ${ref} plays one`)
  } finally {
    await store.close()
  }
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
