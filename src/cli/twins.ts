import type { Command } from 'commander'
import { visible } from '../core/index.js'
import { type Twins, findTwins, twinsDocument } from '../app/twins.js'
import { aligned, percent } from '../text/index.js'
import { count } from './counts.js'
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
Every bot of the contest is led through the same matches of the latest run, in the
same seats, and its moves are compared. p is the probability that two bots agree as
often by their habits and their skill alone, times the number of pairs. It says that
behaviour is alike, not why: two authors may have read the same article. It accuses
nobody.

Examples:
  agon twins friday.toml
  agon twins samurai --views 1000 --json`

/** Pairs that are shown at least, however unlike. */
const SHOWN = 5
/** Below this, a pair is listed, however many there are. */
const ALIKE = 0.05
interface TwinsFlags extends GamedFlags, IsolationFlags {
  readonly views: number
  readonly json?: boolean
}

export function twinsCommand(command: Command): void {
  addIsolationOptions(addGamedOptions(command))
    .argument('<contest>', 'a contest file (.toml), or the name of a game, that has been run')
    .option('--views <n>', 'positions to be answered by every bot', count, 200)
    .option('--json', 'one JSON document on standard output')
    .addHelpText('after', HELP)
    .action(async (ref: string, given: TwinsFlags) => {
      endBotsOnSignals()
      const twins = await findTwins(ref, { ...given, ...isolationOf(given) }, contextOf(given))
      print(given.json ? JSON.stringify(twinsDocument(twins), undefined, 2) : twinsText(twins))
    })
}

function twinsText({ title, names, matches, views, pairs }: Twins): string {
  const alike = pairs.filter(({ adjusted }) => adjusted < ALIKE).length
  const shown = pairs.slice(0, Math.max(SHOWN, alike))
  const name = (index: number) => visible(names[index] ?? '')
  const table = aligned([
    { head: 'Pair', cells: shown.map(({ pair: [a, b] }) => `${name(a)}, ${name(b)}`), right: false },
    { head: 'Views', cells: shown.map((one) => String(one.views)), right: true },
    { head: 'Agree', cells: shown.map(({ agreement }) => percent(agreement)), right: true },
    { head: 'Expected', cells: shown.map(({ expected }) => percent(expected)), right: true },
    { head: 'p', cells: shown.map(({ adjusted }) => probability(adjusted)), right: true },
  ])
  return [
    `${visible(title)}: ${views} views of ${matches} matches, answered by ${names.length} bots`,
    '',
    table,
    alike === 0
      ? 'No two behave more alike than chance would have it.'
      : `${alike === 1 ? 'One pair behaves' : `${alike} pairs behave`} more alike than chance would have it. That is a reason to look, and no proof of anything.`,
  ].join('\n')
}

const probability = (p: number): string => (p < 0.001 ? '< 0.001' : p.toFixed(3))
