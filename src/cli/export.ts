import type { Command } from 'commander'
import { exportRun } from '../app/manage/export.js'
import { importRun } from '../app/manage/import.js'
import { visible } from '../core/index.js'
import { counted } from '../text/index.js'
import {
  type StoreFlags,
  type StoredFlags,
  addGameOption,
  addStoredOptions,
  addWorkspaceOption,
  contextOf,
  runOf,
} from './options.js'
import { print } from './terminal.js'

const HELP = `
The file is a gzip-compressed tar file (tar xzf FILE) with a README, the run as JSON,
matches and faults as CSV, and every record. It holds everything that the store knows
about the run. agon import restores the run elsewhere; no match is played again there.`

export function exportCommand(command: Command): void {
  addStoredOptions(command)
    .argument('<contest>', 'a contest file (.toml), or the name of a game')
    .argument('<file>', 'the archive to write')
    .addHelpText('after', HELP)
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
