import type { Command } from 'commander'
import { visible } from '../core/index.js'
import { type Compared, compareVersions } from '../app/diff.js'
import { counted } from '../text/index.js'
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

/** Matches that are shown in full. */
const SHOWN = 20

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
      print(given.json ? JSON.stringify(compared, undefined, 2) : diffText(compared))
    })
}

function diffText({ contest, old, new: word, matches, moves, differing }: Compared): string {
  const head = `${visible(contest)}: ${visible(word)} in the place of ${visible(old)}, ${counted(matches, 'match', 'matches')}`
  if (differing.length === 0) return `${head}: ${moves === 1 ? 'the only move' : `all ${moves} moves`} the same`
  const lines = differing
    .slice(0, SHOWN)
    .map(({ match, turn, was, is }) => `  ${visible(match)}, turn ${turn}: was ${visible(was)}, is ${visible(is)}`)
  const more = differing.length - lines.length
  return [
    `${head}: another move in ${differing.length} of them, the first of each:`,
    ...lines,
    ...(more > 0 ? [`  and ${more} more: --json lists all`] : []),
  ].join('\n')
}
