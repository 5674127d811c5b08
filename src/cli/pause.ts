import type { Command } from 'commander'
import { UserError } from '../core/index.js'
import { withRun } from '../app/stored.js'
import { print } from './terminal.js'
import { type StoredFlags, addStoredOptions, contextOf } from './options.js'

export function pauseCommand(command: Command): void {
  stateCommand(
    command,
    'paused',
    'what is under way (a match, or a series of bots that remember) is played to its end, nothing else is begun; agon continue goes on',
  )
}
export function continueCommand(command: Command): void {
  stateCommand(command, 'open', 'the run goes on, where agon still plays it; else agon run --resume does')
}

function stateCommand(command: Command, state: 'paused' | 'open', told: string): void {
  addStoredOptions(command)
    .argument('<contest>', 'a contest file (.toml), or the name of a game')
    .action(async (ref: string, given: StoredFlags) => {
      await withRun(ref, given.run, contextOf(given), async (store, run) => {
        if (run.state === state)
          throw new UserError(`${run.id} is ${state === 'paused' ? 'paused already' : 'not paused'}`)
        if (run.state === 'finished') throw new UserError(`${run.id} has ended`)
        await store.setState(run.id, state)
        await store.note(run.id, state === 'paused' ? 'paused' : 'continued', {})
        print(`${run.id}: ${told}`)
      })
    })
}
