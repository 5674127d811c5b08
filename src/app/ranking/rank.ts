import { existsSync } from 'node:fs'
import { setImmediate } from 'node:timers/promises'
import { UserError } from '../../core/index.js'
import { readGames } from '../../archive/games-csv.js'
import { type EqualLuck, type Game, type Worth, distinctGames, equalLuck } from '../../rating/index.js'
import type { Context } from '../context.js'
import { type RunRef, withRun } from '../stored.js'
import { type Crowned, type FoundCycle, crownOf, cyclesOf } from './crown-and-cycles.js'
import { RULES, type Ranking, type RuleName, rankBy } from './rules.js'
import { ratedRun } from './run-ratings.js'

/** A field ranked by one rule or by several. Entrants are told by their index in `names`. */
export interface Ranked {
  /** The contest's title, or the file. */
  readonly title: string
  readonly names: readonly string[]
  readonly matches: number
  /** Of the matches, how many are no repetition of one before. */
  readonly distinct: number
  /** In the order in which the rules were asked for. */
  readonly rankings: readonly Ranking[]
  /** By entrant: what the contest's own table says; absent for a file of games. */
  readonly points?: readonly number[]
  readonly crown: readonly Crowned[]
  /** The surest first. */
  readonly cycles: readonly FoundCycle[]
  readonly luck: EqualLuck
}

/**
 * Ranks a stored run by these rules, all where none is named. Throws UserError where there is no such run or it has no match yet,
 * and the signal's reason between two rules.
 */
export function rankRun(ref: RunRef, rules: readonly RuleName[], context: Context): Promise<Ranked> {
  return withRun(ref.contest, ref.run, context, async (store, run) => {
    const { names, games, rank, points } = await ratedRun(store, run)
    if (games.length === 0)
      throw new UserError(`the run ${run.id} of ${ref.contest} has no match yet: agon run goes on with it`)
    const setting = { worth: run.plan.scoring, seed: run.seed, order: rank }
    return { ...(await ranked(run.title, names, games, rules, setting, context.signal)), points }
  })
}

/**
 * Ranks the games of a file (comma-separated values: first, second, score) by these rules, all where none is named. Throws
 * UserError for a file that is not there or holds what is no game, and the signal's reason between two rules.
 */
export async function rankFile(file: string, rules: readonly RuleName[], signal?: AbortSignal): Promise<Ranked> {
  if (!existsSync(file)) throw new UserError(`${file}: no such file; its lines would be first,second,score`)
  const { names, games } = readGames(file)
  return ranked(file, names, games, rules, { worth: { win: 1, draw: 0.5, loss: 0 }, seed: 'rank' }, signal)
}

async function ranked(
  title: string,
  names: readonly string[],
  games: readonly Game[],
  rules: readonly RuleName[],
  setting: { readonly worth: Worth; readonly seed: string; readonly order?: readonly number[] },
  signal: AbortSignal | undefined,
): Promise<Ranked> {
  const rankings: Ranking[] = []
  for (const rule of rules.length === 0 ? RULES : rules) {
    // A rule may take seconds: between two of them whoever wants this ended is heard.
    await setImmediate()
    signal?.throwIfAborted()
    rankings.push(rankBy(rule, games, names.length, setting))
  }
  return {
    title,
    names,
    matches: games.length,
    distinct: distinctGames(games),
    rankings,
    crown: crownOf(names, rankings),
    cycles: cyclesOf(names, games),
    luck: equalLuck(games),
  }
}
