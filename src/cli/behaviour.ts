import type { Command } from 'commander'
import { compareVersions, diffText } from '../app/compare/diff.js'
import { findTwins, twinsDocument, twinsText } from '../app/compare/twins.js'
import {
  type GamedFlags,
  type IsolationFlags,
  addGamedOptions,
  addIsolationOptions,
  contextOf,
  isolationOf,
  count,
} from './options.js'
import { endBotsOnSignals } from './exit.js'
import { print, printJson } from './terminal.js'

const DIFF_HELP = `
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
  addIsolationOptions(addGamedOptions(command, 'a contest: its latest run'))
    .argument('<old>', 'the name of an entrant in it')
    .argument('<new>', "its new version: a file, a quoted command, or a house bot's name")
    .option('--wire <name>', 'the wire of the new version')
    .option('--json', 'one JSON document on standard output')
    .addHelpText('after', DIFF_HELP)
    .action(async (contest: string, old: string, word: string, given: DiffFlags) => {
      endBotsOnSignals()
      const options = { ...given, ...isolationOf(given) }
      const compared = await compareVersions({ contest, old, word }, options, contextOf(given))
      if (given.json) printJson(compared)
      else print(diffText(compared, '--json'))
    })
}

const TWINS_HELP = `
agon replays the same matches of the latest run to every bot of the contest, in the
same seats, and compares their moves. p is the probability that two bots agree as
often because of their habits and skill alone, times the number of pairs. A low p
says that behaviour is alike, not why: two authors may have read the same article.
It does not prove copying.

Examples:
  agon twins friday.toml
  agon twins samurai --views 1000 --json`

interface TwinsFlags extends GamedFlags, IsolationFlags {
  readonly views: number
  readonly json?: boolean
}

export function twinsCommand(command: Command): void {
  addIsolationOptions(addGamedOptions(command, 'a contest file (.toml), or the name of a game, that has been run'))
    .option('--views <n>', 'positions that every bot answers', count, 200)
    .option('--json', 'one JSON document on standard output')
    .addHelpText('after', TWINS_HELP)
    .action(async (ref: string, given: TwinsFlags) => {
      endBotsOnSignals()
      const twins = await findTwins(ref, { ...given, ...isolationOf(given) }, contextOf(given))
      if (given.json) printJson(twinsDocument(twins))
      else print(twinsText(twins))
    })
}
