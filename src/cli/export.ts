import { createWriteStream, existsSync } from 'node:fs'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { createGzip } from 'node:zlib'
import type { Command } from 'commander'
import { UserError } from '../core/index.js'
import { openStore } from '../store/index.js'
import { archiveOf, readRun, readUnits } from './archive-file.js'
import { VERSION } from './manifest.js'
import { replaceFile } from './replace-file.js'
import { type StoredOptions, addStoredOptions, addWorkspaceOption, withRun } from './stored.js'
import { counted, print } from './terminal.js'
import { workspaceFolder } from './workspace.js'

const HELP = `
The file is a tar in gzip (tar xzf FILE) with a README, the run as JSON, matches
and faults as CSV, and every record. It holds all that the store knows of the run;
agon import rebuilds it elsewhere, and nothing of it is played again there.`

export function exportCommand(command: Command): void {
  addStoredOptions(command)
    .argument('<contest>', 'a contest file (.toml), or the name of a game')
    .argument('<file>', 'the archive to be written')
    .addHelpText('after', HELP)
    .action(async (ref: string, file: string, given: StoredOptions) => {
      if (existsSync(file)) throw new UserError(`${file} is there already: name a new file, or remove it`)
      await withRun(ref, given, async (store, run) => {
        const bytes = archiveOf(await store.dump(run.id), store.units(run.id))
        await replaceFile(file, (own) => pipeline(Readable.from(bytes), createGzip(), createWriteStream(own)))
        print(`${run.id}: ${counted(run.matches, 'match', 'matches')} in ${file}`)
      })
    })
}

export function importCommand(command: Command): void {
  addWorkspaceOption(command)
    .argument('<file>', 'an archive that agon export wrote')
    .action(async (file: string, given: { workspace?: string }) => {
      if (!existsSync(file)) throw new UserError(`${file}: no such file`)
      const dump = await readRun(file)
      const store = openStore(workspaceFolder(given.workspace), VERSION)
      try {
        await store.load(dump, () => readUnits(file))
        const run = await store.run(dump.run.id)
        print(`${dump.run.id}: ${counted(run?.matches ?? 0, 'match', 'matches')} in ${store.where}`)
      } finally {
        await store.close()
      }
    })
}
