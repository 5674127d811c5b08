import type { Command } from 'commander'
import { checkWorkspace, checkStoreText } from '../app/manage/check-store.js'
import { counted } from '../text/index.js'
import { flagOf } from '../app/flag.js'
import { exportRun, importRun } from '../app/manage/archive.js'
import { visible } from '../core/index.js'
import { verifyRecords } from '../app/look/judged-records.js'
import {
  type StoreFlags,
  addGameOption,
  addWorkspaceOption,
  contextOf,
  type StoredFlags,
  addStoredOptions,
  runOf,
} from './options.js'
import { Progress } from './progress.js'
import { print, printJson, notify } from './terminal.js'

const CHECK_HELP = `
agon compares every match with its record, and judges the record again. It compares
runs, entrants, notes and the files of bots with their checksums, and SQLite checks
a file. --mend removes the jobs that are damaged, after a file was copied: then
agon run --resume plays them again. It mends nothing else.
Exit code 2: something is damaged, even if it has just been mended.

Examples:
  agon store check
  agon store check friday.toml --json
  agon store check --mend`

interface CheckFlags extends StoreFlags {
  readonly game?: string
  readonly json?: boolean
  readonly mend?: boolean
}

export function storeCommand(command: Command): void {
  const check = command.command('check').description('compare the store with its records, and remove damaged jobs')
  addGameOption(addWorkspaceOption(check))
    .argument('[contest]', 'only the runs of this contest file (.toml) or game (default: all)')
    .option('--mend', 'remove damaged jobs, to be played again; a file is copied first')
    .option('--json', 'one JSON document on standard output')
    .addHelpText('after', CHECK_HELP)
    .action(async (contest: string | undefined, { game, mend = false, ...given }: CheckFlags) => {
      const request = { contest, gameFile: game, mend }
      const progress = new Progress()
      const see = (done: number, total: number): void => progress.see('checked', { done, total })
      const checked = await checkWorkspace(request, contextOf(given), see).finally(() => progress.end())
      if (given.json) printJson(checked)
      else print(checkStoreText(checked, flagOf))
      if (checked.findings.length > 0) process.exitCode = 2
    })
}

const EXPORT_HELP = `
The file is a gzip-compressed tar file (tar xzf FILE) with a README, the run as JSON,
matches and faults as CSV, and every record. It holds everything that the store knows
about the run. agon import restores the run elsewhere; no match is played again there.`

export function exportCommand(command: Command): void {
  addStoredOptions(command)
    .argument('<file>', 'the archive to write')
    .addHelpText('after', EXPORT_HELP)
    .action(async (ref: string, file: string, given: StoredFlags) => {
      const { run, matches } = await exportRun(runOf(ref, given), file, contextOf(given))
      print(visible(`${run}: ${counted(matches, 'match', 'matches')} in ${file}`))
    })
}

const IMPORT_HELP = `
The file is not trusted: agon computes its keys, names, hashes, number of matches and
digest again, and judges each match again from its outputs. It reports a difference
in one line (exit code 2), and then imports nothing.
A game that does not come with agon is code: it runs only where --game names it.`

export function importCommand(command: Command): void {
  addGameOption(addWorkspaceOption(command))
    .argument('<file>', 'an archive that agon export wrote')
    .addHelpText('after', IMPORT_HELP)
    .action(async (file: string, { game, ...given }: StoreFlags & { game?: string }) => {
      const { run, matches, store } = await importRun(file, game, contextOf(given))
      print(visible(`${run}: ${counted(matches, 'match', 'matches')} in ${store}`))
    })
}

const VERIFY_HELP = `
agon replays each record by the rules, from the bots' answers. A match does not
agree if it is in a file twice or, in a results folder, if its luck or entrants are
not those of contest.json. The last line is a digest of everything except times; it
does not depend on the order of the records. A game that does not come with agon is
code: it runs only if --game names it.
Exit code 1: a record does not agree; 2: a file or a line cannot be read.

Examples:
  agon verify agon-results/gunduel-7
  agon verify a/records.jsonl b/records.jsonl.gz`

export function verifyCommand(command: Command): void {
  addGameOption(command)
    .argument('<records...>', 'files of match records, one JSON object per line (.gz too), or results folders')
    .addHelpText('after', VERIFY_HELP)
    .action(async (paths: string[], { game }: { game?: string }) => {
      const options = { spell: flagOf, gameFile: game }
      const found = await verifyRecords(paths, options, ({ type, where, why }) => {
        if (type === 'unreadable') notify(visible(`agon: ${where}: ${why}`))
        else print(visible(`${where}: ${why}`))
      })
      const { agree, differ, unreadable, contradicted, digest } = found
      const unread = unreadable > 0 ? `; ${counted(unreadable, 'line')} could not be read` : ''
      print(`${agree} of ${counted(agree + differ, 'record')} agree${unread}`)
      print(`digest ${digest}`)
      process.exitCode = unreadable > 0 ? 2 : differ + contradicted > 0 ? 1 : 0
    })
}
