import { existsSync } from 'node:fs'
import type { Command } from 'commander'
import { UserError } from '../core/index.js'
import { distinctGames, equalLuck } from '../rating/index.js'
import { readGames } from '../archive/games-csv.js'
import { rankText } from './rank-text.js'
import { type Ranked, crownOf, cyclesOf } from '../app/ranked.js'
import { ratedRun } from '../app/rated.js'
import { RULES, type RuleName, WEIGHED, rankBy, rulesNamed } from '../app/rules.js'
import { withRun } from '../app/stored.js'
import { outputColumns, print } from './terminal.js'
import { append } from './words.js'
import { type StoredFlags, addStoredOptions, contextOf } from './options.js'

const HELP = `
Rules: points (as the contest counts, a game), elo (Bradley-Terry, draws
included), plackett-luce (for games of many), last-standing, ecological (Axelrod),
nash (the equilibrium; clones share), alpha-rank. Without --by: all, side by side,
and whether the crown depends on the rule. docs/ratings.md explains each.

A file of games has the headings first,second,score; the score is 1, 0.5 or 0 for
the first, and each line is a game of its own.

Examples:
  agon rank contests/coup.toml
  agon rank games.csv --by elo
  agon rank samurai --by points,nash --json`

interface Asked extends StoredFlags {
  readonly by?: readonly string[]
  readonly json?: boolean
}

export function rankCommand(command: Command): void {
  addStoredOptions(command)
    .argument('<source>', 'a contest whose latest run is meant, or a file of games (.csv)')
    .option('--by <rules>', 'these rules, separated by commas (default: all)', append)
    .option('--json', 'one JSON document on standard output')
    .addHelpText('after', HELP)
    .action(async (source: string, given: Asked) => {
      const rules = rulesNamed((given.by ?? []).flatMap((words) => words.split(',').map((word) => word.trim())))
      const by = rules.length === 0 ? RULES : rules
      const ranked = /\.csv$/i.test(source) ? rankFile(source, by) : await rankRun(source, given, by)
      print(given.json ? JSON.stringify(documentOf(ranked), undefined, 2) : rankText(ranked, outputColumns()))
    })
}

function rankFile(file: string, by: readonly RuleName[]): Ranked {
  if (!existsSync(file)) throw new UserError(`${file}: no such file; its lines would be first,second,score`)
  const { names, games } = readGames(file)
  const worth = { win: 1, draw: 0.5, loss: 0 }
  const rankings = by.map((rule) => rankBy(rule, games, names.length, { worth, seed: 'rank' }))
  return { title: file, names, games, rankings }
}

function rankRun(ref: string, given: StoredFlags, by: readonly RuleName[]): Promise<Ranked> {
  return withRun(ref, given.run, contextOf(given), async (store, run) => {
    const { names, games, rank, points } = await ratedRun(store, run)
    if (games.length === 0)
      throw new UserError(`the run ${run.id} of ${ref} has no match yet: agon run goes on with it`)
    const setting = { worth: run.plan.scoring, seed: run.seed, order: rank }
    const rankings = by.map((rule) => rankBy(rule, games, names.length, setting))
    return { title: run.title, names, games, rankings, points }
  })
}

function documentOf(ranked: Ranked): unknown {
  const { title, games, rankings, names, points } = ranked
  const luck = equalLuck(games)
  const rules = rankings.map(({ by, lines }) => ({
    by,
    standings: lines.map(({ rank, entrant, value, low, high, first, ranks, flags, superior }) => ({
      rank,
      name: names[entrant] ?? '',
      ...(by === 'points' && points && { points: points[entrant] }),
      [WEIGHED.includes(by) ? 'weight' : 'rating']: value,
      low,
      high,
      first,
      ranks,
      ...(flags.length > 0 && { flags }),
      ...(superior !== undefined && { superior }),
    })),
  }))
  const [only] = rules
  return {
    title,
    matches: games.length,
    distinct: distinctGames(games),
    confidence: 0.95,
    ...(rules.length === 1 ? only : { rules, crown: crownOf(ranked) }),
    cycles: cyclesOf(ranked),
    ...(luck.blocks > 0 && { equalLuck: { blocks: luck.blocks, saved: 1 - luck.effect } }),
  }
}
