import type { Command } from 'commander'
import { workersText, workersThere } from '../app/manage/workers.js'
import { flagOf } from '../app/flag.js'
import { type StoreFlags, addWorkspaceOption, contextOf } from './options.js'
import { print, printJson } from './terminal.js'

interface WorkersFlags extends StoreFlags {
  readonly json?: boolean
}

export function workersCommand(command: Command): void {
  addWorkspaceOption(command)
    .option('--json', 'as JSON')
    .action(async (given: WorkersFlags) => {
      const workers = await workersThere(contextOf(given))
      if (given.json) printJson(workers)
      else print(workersText(workers, flagOf))
    })
}
