import type { Command } from 'commander'
import { visible } from '../core/index.js'
import { when } from './runs.js'
import { withRun } from '../app/stored.js'
import { print } from './terminal.js'
import { type StoredFlags, addStoredOptions, contextOf } from './options.js'

export function logCommand(command: Command): void {
  addStoredOptions(command)
    .argument('<contest>', 'a contest file (.toml), or the name of a game')
    .option('--json', 'as JSON, an entry a line')
    .action(async (ref: string, given: StoredFlags & { json?: boolean }) => {
      await withRun(ref, given.run, contextOf(given), async (store, run) => {
        for (const entry of await store.log(run.id)) {
          if (given.json) {
            print(JSON.stringify(entry))
            continue
          }
          const detail = Object.entries(entry.detail).map(
            ([name, value]) => `${name}: ${typeof value === 'string' ? value : JSON.stringify(value)}`,
          )
          print(
            visible(`${when(entry.at)}  agon ${entry.agon}  ${[entry.what, detail.join(', ')].join('  ').trimEnd()}`),
          )
        }
      })
    })
}
