import type { Command } from 'commander'
import { continueRun, pauseRun } from '../app/pause.js'
import { type StoredFlags, addStoredOptions, contextOf, runOf } from './options.js'
import { print } from './terminal.js'

export function pauseCommand(command: Command): void {
  stateCommand(
    command,
    pauseRun,
    'what is under way (a match, or a series of bots that remember) is played to its end, nothing else is begun; agon continue goes on',
  )
}
export function continueCommand(command: Command): void {
  stateCommand(command, continueRun, 'the run goes on, where agon still plays it; else agon run --resume does')
}

function stateCommand(command: Command, change: typeof pauseRun, text: string): void {
  addStoredOptions(command)
    .argument('<contest>', 'a contest file (.toml), or the name of a game')
    .action(async (ref: string, given: StoredFlags) => {
      print(`${await change(runOf(ref, given), contextOf(given))}: ${text}`)
    })
}
