import type { Command } from 'commander'
import { compareVersions } from '../app/diff.js'
import { diffText } from '../app/diff-text.js'
import {
  type GamedFlags,
  type IsolationFlags,
  addGamedOptions,
  addIsolationOptions,
  contextOf,
  isolationOf,
} from './options.js'
import { endBotsOnSignals } from './signals.js'
import { print } from './terminal.js'

const HELP = `
The new version is led through every match that the old one played in the run: it
is sent and asked the same, whatever it answers. Shown is the first move of each
match in which it does otherwise.

Examples:
  agon diff friday.toml Ant "python3 new/ant.py"
  agon diff samurai Hedgehog ./hedgehog --json | jq '.differing[].turn'`

interface DiffFlags extends GamedFlags, IsolationFlags {
  readonly wire?: string
  readonly json?: boolean
}

export function diffCommand(command: Command): void {
  addIsolationOptions(addGamedOptions(command))
    .argument('<contest>', 'a contest whose latest run is meant')
    .argument('<old>', 'an entrant of it, by its name')
    .argument('<new>', "its new version: a file, a quoted command, or a house bot's name")
    .option('--wire <name>', 'the wire of the new version')
    .option('--json', 'one JSON document on standard output')
    .addHelpText('after', HELP)
    .action(async (ref: string, old: string, word: string, given: DiffFlags) => {
      endBotsOnSignals()
      const compared = await compareVersions(ref, old, word, { ...given, ...isolationOf(given) }, contextOf(given))
      print(given.json ? JSON.stringify(compared, undefined, 2) : diffText(compared, '--json'))
    })
}
