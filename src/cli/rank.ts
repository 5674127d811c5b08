import { UserError, didYouMean } from '../core/index.js'
import {
  RULES,
  type RuleName,
  isArchive,
  rankArchive,
  rankDocument,
  rankFile,
  rankRun,
  rankText,
} from '../app/compare/rank.js'
import { GAMED, JSON_DOCUMENT, contextOf, runOf } from './options.js'
import { outputColumns, printEither } from './terminal.js'
import { type Given, append, flag, parted, value, verb } from './verb.js'

export const rankCommand = verb({
  takes: [
    [
      '<source>',
      'a contest whose latest run is meant, a results folder, an archive (.tar.gz), or a file of games (.csv)',
    ],
  ],
  options: {
    ...GAMED,
    by: value('<rules>', 'these rules, separated by commas (default: all)', append),
    simultaneous: flag('intervals that hold all at once, not only each by itself'),
    ...JSON_DOCUMENT,
  },
  help: `
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
  agon rank samurai --by points,nash --json`,
  async run(given, source: string) {
    const rules = (given.by ?? []).flatMap(parted).map((word) => {
      const rule = RULES.find((known) => known === word)
      if (rule !== undefined) return rule
      throw new UserError(`--by ${word}: no such rule${didYouMean(word, RULES)}; there are ${RULES.join(', ')}`)
    })
    const ranked = await rank(source, rules, given)
    printEither(given, rankDocument(ranked), () => rankText(ranked, outputColumns()))
  },
})

function rank(
  source: string,
  rules: readonly RuleName[],
  given: Partial<Given<typeof GAMED>> & { simultaneous?: true },
) {
  const wish = { rules, simultaneous: given.simultaneous }
  if (/\.csv$/i.test(source)) return rankFile(source, wish)
  if (isArchive(source)) return rankArchive(source, given.game, wish, contextOf(given))
  return rankRun(runOf(source, given), wish, contextOf(given))
}
