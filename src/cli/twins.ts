import type { Command } from 'commander'
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
import { endBotsOnSignals } from './signals.js'
import { print, printJson } from './terminal.js'

const HELP = `
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
  addIsolationOptions(addGamedOptions(command))
    .argument('<contest>', 'a contest file (.toml), or the name of a game, that has been run')
    .option('--views <n>', 'positions that every bot answers', count, 200)
    .option('--json', 'one JSON document on standard output')
    .addHelpText('after', HELP)
    .action(async (ref: string, given: TwinsFlags) => {
      endBotsOnSignals()
      const twins = await findTwins(ref, { ...given, ...isolationOf(given) }, contextOf(given))
      if (given.json) printJson(twinsDocument(twins))
      else print(twinsText(twins))
    })
}
