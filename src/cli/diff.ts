import type { Command } from 'commander'
import { compareVersions, diffText } from '../app/compare/diff.js'
import {
  type GamedFlags,
  type IsolationFlags,
  addGamedOptions,
  addIsolationOptions,
  contextOf,
  isolationOf,
} from './options.js'
import { endBotsOnSignals } from './signals.js'
import { print, printJson } from './terminal.js'

const HELP = `
agon replays every match of the old version in the run to the new one: it gets the
same messages and questions, whatever it answers. agon shows the first move of each
match that differs.

Examples:
  agon diff friday.toml Ant "python3 new/ant.py"
  agon diff samurai Hedgehog ./hedgehog --json | jq '.differing[].turn'`

interface DiffFlags extends GamedFlags, IsolationFlags {
  readonly wire?: string
  readonly json?: boolean
}

export function diffCommand(command: Command): void {
  addIsolationOptions(addGamedOptions(command))
    .argument('<contest>', 'a contest: its latest run')
    .argument('<old>', 'the name of an entrant in it')
    .argument('<new>', "its new version: a file, a quoted command, or a house bot's name")
    .option('--wire <name>', 'the wire of the new version')
    .option('--json', 'one JSON document on standard output')
    .addHelpText('after', HELP)
    .action(async (ref: string, old: string, word: string, given: DiffFlags) => {
      endBotsOnSignals()
      const compared = await compareVersions(ref, old, word, { ...given, ...isolationOf(given) }, contextOf(given))
      if (given.json) printJson(compared)
      else print(diffText(compared, '--json'))
    })
}
