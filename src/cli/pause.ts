import type { Command } from 'commander'
import { visible } from '../core/index.js'
import { continueRun, pauseRun } from '../app/look/runs.js'
import { type StoredFlags, addStoredOptions, contextOf, runOf } from './options.js'
import { print } from './terminal.js'

export function pauseCommand(command: Command): void {
  stateCommand(
    command,
    pauseRun,
    'a match that has begun is played to its end, and no other is started; a series is played again from its beginning; agon continue continues the run',
  )
}
export function continueCommand(command: Command): void {
  stateCommand(command, continueRun, 'the run continues if agon is still playing it; otherwise use agon run --resume')
}

function stateCommand(command: Command, change: typeof pauseRun, text: string): void {
  addStoredOptions(command)
    .argument('<contest>', 'a contest file (.toml), or the name of a game')
    .action(async (ref: string, given: StoredFlags) => {
      print(visible(`${await change(runOf(ref, given), contextOf(given))}: ${text}`))
    })
}
