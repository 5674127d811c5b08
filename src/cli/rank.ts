import type { Command } from 'commander'
import { UserError, didYouMean } from '../core/index.js'
import {
  isArchive,
  rankArchive,
  rankDocument,
  rankFile,
  rankRun,
  rankText,
  type RuleName,
  RULES,
} from '../app/compare/rank.js'
import { outputColumns, print, printJson } from './terminal.js'
import { append } from './words.js'
import { type GamedFlags, addGamedOptions, contextOf, runOf } from './options.js'

const HELP = `
Rules: points (as the contest counts, a game), elo (Bradley-Terry, draws
included), plackett-luce (for more than two seats), last-standing, ecological
(Axelrod), nash (the equilibrium; clones share), alpha-rank. Without --by: all, side
by side, and whether the winner depends on the rule. docs/ratings.md explains each.

A file of games has the headings first,second,score and one line per game; the
score is 1, 0.5 or 0 for the first.

Examples:
  agon rank contests/coup.toml
  agon rank games.csv --by elo
  agon rank friday.tar.gz                 a run that agon export has written
  agon rank samurai --by points,nash --json`

interface RankFlags extends GamedFlags {
  readonly by?: readonly string[]
  readonly simultaneous?: boolean
  readonly json?: boolean
}

export function rankCommand(command: Command): void {
  const source =
    'a contest whose latest run is meant, a results folder, an archive (.tar.gz), or a file of games (.csv)'
  addGamedOptions(command, source, 'source')
    .option('--by <rules>', 'these rules, separated by commas (default: all)', append)
    .option('--simultaneous', 'intervals that hold all at once, not only each by itself')
    .option('--json', 'one JSON document on standard output')
    .addHelpText('after', HELP)
    .action(async (ref: string, given: RankFlags) => {
      const rules = rulesNamed((given.by ?? []).flatMap((words) => words.split(',').map((word) => word.trim())))
      const ranked = await rank(ref, given, rules)
      if (given.json) printJson(rankDocument(ranked))
      else print(rankText(ranked, outputColumns()))
    })
}

function rank(source: string, given: RankFlags, rules: readonly RuleName[]) {
  const wish = { rules, simultaneous: given.simultaneous }
  if (/\.csv$/i.test(source)) return rankFile(source, wish)
  if (isArchive(source)) return rankArchive(source, given.game, wish, contextOf(given))
  return rankRun(runOf(source, given), wish, contextOf(given))
}

/** The rules that words name. Throws UserError for one that is not known, with a guess. */
function rulesNamed(words: readonly string[]): readonly RuleName[] {
  return words.map((word) => {
    const known = RULES.find((rule) => rule === word)
    if (known !== undefined) return known
    throw new UserError(`--by ${word}: no such rule${didYouMean(word, RULES)}; there are ${RULES.join(', ')}`)
  })
}
