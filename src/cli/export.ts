import { createWriteStream, existsSync } from 'node:fs'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { createGzip } from 'node:zlib'
import type { Command } from 'commander'
import { UserError } from '../core/index.js'
import { checkArchive } from '../app/archive-check.js'
import { archiveOf, readRun, readUnits } from '../archive/file.js'
import { openTold } from '../app/open-store.js'
import { recordGame } from '../contest/index.js'
import { replaceFile } from '../archive/replace-file.js'
import { withRun } from '../app/stored.js'
import { print, tell } from './terminal.js'
import { counted } from '../text/index.js'
import { type StoredFlags, addGameOption, addStoredOptions, addWorkspaceOption, contextOf } from './options.js'

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
      if (existsSync(file)) throw new UserError(`${file} is there already: name a new file, or remove it`)
      await withRun(ref, given.run, contextOf(given), async (store, run) => {
        const bytes = archiveOf(await store.dump(run.id), store.units(run.id))
        await replaceFile(file, (own) => pipeline(Readable.from(bytes), createGzip(), createWriteStream(own)))
        print(`${run.id}: ${counted(run.matches, 'match', 'matches')} in ${file}`)
      })
    })
}

const IMPORT_HELP = `
Nothing in the file is believed: keys, names, hashes, the number of matches and the
digest of the whole are computed again, and each match is judged again from what was
heard. What does not fit is told in one line (exit code 2), and nothing is imported.
A game that does not come with agon is code: it runs only where --game names it.`

export function importCommand(command: Command): void {
  addGameOption(addWorkspaceOption(command))
    .argument('<file>', 'an archive that agon export wrote')
    .addHelpText('after', IMPORT_HELP)
    .action(async (file: string, given: { workspace?: string; game?: string }) => {
      if (!existsSync(file)) throw new UserError(`${file}: no such file`)
      const dump = await readRun(file)
      const kit = await recordGame(dump.run.game, given.game, dump.run.plan.gameFile)
      const unjudged = await checkArchive(file, dump, readUnits(file), kit)
      if (unjudged > 0)
        tell(
          `${counted(unjudged, 'match was', 'matches were')} played by version ${dump.run.version} of ${kit.game.id}, and this agon has version ${kit.game.version}: not judged again, taken as the archive tells`,
        )
      const store = openTold(contextOf(given))
      try {
        await store.load(dump, () => readUnits(file))
        const run = await store.run(dump.run.id)
        print(`${dump.run.id}: ${counted(run?.matches ?? 0, 'match', 'matches')} in ${store.where}`)
      } finally {
        await store.close()
      }
    })
}
