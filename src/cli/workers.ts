import type { Command } from 'commander'
import { workersText, workersThere } from '../app/workers.js'
import { flagOf } from './flag.js'
import { type StoreFlags, addWorkspaceOption, contextOf } from './options.js'
import { print, printJson } from './terminal.js'

export function workersCommand(command: Command): void {
  addWorkspaceOption(command)
    .option('--json', 'as JSON')
    .action(async (given: StoreFlags & { json?: boolean }) => {
      const workers = await workersThere(contextOf(given))
      if (given.json) printJson(workers)
      else print(workersText(workers, flagOf))
    })
}
