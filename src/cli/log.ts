import type { Command } from 'commander'
import { visible } from '../core/index.js'
import type { LogEntry } from '../app/stored.js'
import { logOfRun } from '../app/look/runs.js'
import { type StoredFlags, addStoredOptions, contextOf, runOf } from './options.js'
import { when } from './runs.js'
import { print, printJson } from './terminal.js'

export function logCommand(command: Command): void {
  addStoredOptions(command)
    .argument('<contest>', 'a contest file (.toml), or the name of a game')
    .option('--json', 'as JSON, one entry per line')
    .action(async (ref: string, given: StoredFlags & { json?: boolean }) => {
      for (const entry of await logOfRun(runOf(ref, given), contextOf(given))) {
        if (given.json) printJson(entry, 0)
        else print(lineOf(entry))
      }
    })
}

function lineOf({ at, agon, what, detail }: LogEntry): string {
  const details = Object.entries(detail).map(
    ([name, value]) => `${name}: ${typeof value === 'string' ? value : JSON.stringify(value)}`,
  )
  return visible(`${when(at)}  agon ${agon}  ${[what, details.join(', ')].join('  ').trimEnd()}`)
}
