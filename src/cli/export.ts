import type { Command } from 'commander'
import { exportRun } from '../app/export.js'
import { importRun } from '../app/import.js'
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
The file is a tar in gzip (tar xzf FILE) with a README, the run as JSON, matches
and faults as CSV, and every record. It holds all that the store knows of the run;
agon import rebuilds it elsewhere, and nothing of it is played again there.`

export function exportCommand(command: Command): void {
  addStoredOptions(command)
    .argument('<contest>', 'a contest file (.toml), or the name of a game')
    .argument('<file>', 'the archive to be written')
    .addHelpText('after', HELP)
    .action(async (ref: string, file: string, given: StoredFlags) => {
      const { run, matches } = await exportRun(runOf(ref, given), file, contextOf(given))
      print(`${run}: ${counted(matches, 'match', 'matches')} in ${file}`)
    })
}

const IMPORT_HELP = `
Nothing in the file is believed: keys, names, hashes, the number of matches and the
digest of the whole are computed again, and each match is judged again from its
outputs. What does not fit is reported in one line (exit code 2), and nothing is
imported.
A game that does not come with agon is code: it runs only where --game names it.`

export function importCommand(command: Command): void {
  addGameOption(addWorkspaceOption(command))
    .argument('<file>', 'an archive that agon export wrote')
    .addHelpText('after', IMPORT_HELP)
    .action(async (file: string, { game, ...given }: StoreFlags & { game?: string }) => {
      const { run, matches, store } = await importRun(file, game, contextOf(given))
      print(`${run}: ${counted(matches, 'match', 'matches')} in ${store}`)
    })
}
