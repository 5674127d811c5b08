import { existsSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setImmediate } from 'node:timers/promises'
import { type ScoringSpec, UserError, message, option, command } from '../../core/index.js'
import { readGames } from '../../results/games-csv.js'
import {
  type EqualLuck,
  type Fit,
  type RatedGame,
  type Worth,
  distinctGames,
  equalLuck,
  equalLuckOfScores,
  fitOf,
  resampling,
  scoredCompanies,
} from '../../stats/index.js'
import type { Context } from '../context.js'
import { importRun } from '../manage/import.js'
import { type RunRef, withRun } from '../stored.js'
import { type FirstPlace, type FoundCycle, firstPlacesOf, cyclesOf, scoreCyclesOf } from './first-places.js'
import { SCORE_RULES, rankByScores } from './score-rules.js'
import type { Rated } from './results-to-games.js'
import { LARGE_RULES, RULES, type Ranking, type RuleName, WHOLE, rankBy } from './rank-rules.js'
import { ratedGames, ratedRun } from './run-ratings.js'
import { scoredGames } from './score-table.js'
import { formatOf } from '../../tournament/index.js'

/** A field ranked by one rule or by several. Entrants are named by their index in `names`. */
export interface RankedField {
  /** The contest's title, or the file. */
  readonly title: string
  readonly names: readonly string[]
  /** What counts. */
  readonly by: 'wins' | 'score'
  readonly matches: number
  /** Of the matches, how many are no repetition of one before. */
  readonly distinct: number
  /** In the order in which the rules were asked for. */
  readonly rankings: readonly Ranking[]
  /** By entrant: what the contest's own table says; absent for a file of games. */
  readonly points?: readonly number[]
  readonly crown: readonly FirstPlace[]
  /** The surest first. */
  readonly cycles: readonly FoundCycle[]
  readonly luck: EqualLuck
  /** Whether intervals hold all at once, and not each by itself. */
  readonly simultaneous: boolean
  /** Scores count, and results decided who met: means are not compared. */
  readonly unlike?: boolean
  /** Rules that were not asked for by name and are left out, as the field is too large for them; then cycles and the fit are, too. */
  readonly leftOut?: readonly RuleName[]
  /** How well one strength for each explains the results; absent where scores count, and where there are too few pairs. */
  readonly fit?: Fit
}

/**
 * Ranks a stored run by these rules, all where none is named. Throws UserError where there is no such run or no match of it counts,
 * and the signal's reason between two rules.
 */
export function rankRun(
  ref: RunRef,
  rules: readonly RuleName[],
  context: Context,
  simultaneous = false,
): Promise<RankedField> {
  return withRun(ref.contest, ref.run, context, async (store, run) => {
    const { scoring } = run.contest
    const head = { title: run.contest.title, seed: run.seed, simultaneous }
    const unlike = formatOf(run.contest.format.kind).unlikeOpponents
    const refuseNone = (matches: number): void => {
      if (matches > 0) return
      if (run.matches > 0)
        throw new UserError(
          `no match of the run ${run.id} of ${ref.contest} counts: in all ${run.matches} played entrants that were withdrawn or disqualified since`,
        )
      throw new UserError(message`the run ${run.id} of ${ref.contest} has no match yet: ${command('run')} continues it`)
    }
    if (scoring.by === 'score') {
      const { names, results, rank, points } = await ratedRun(store, run)
      refuseNone(results.length)
      const field = { ...head, names, order: rank, unlike }
      const byScores = await rankedByScores(field, results, scoring, rules, context.signal)
      return { ...byScores, points }
    }
    const { names, rank, points, ...games } = await ratedGames(store, run)
    refuseNone(games.matches)
    const byWins = await ranked({ ...head, names, order: rank }, games, rules, scoring, context.signal)
    return { ...byWins, points }
  })
}

/**
 * The same of a run in an archive, as `agon export` writes it; all in it is checked first. `gameFile`: of a game that does not come with
 * agon. Throws UserError also for what is no archive.
 */
export async function rankArchive(
  file: string,
  gameFile: string | undefined,
  rules: readonly RuleName[],
  context: Context,
  simultaneous = false,
): Promise<RankedField> {
  const workspace = mkdtempSync(join(tmpdir(), 'agon-rank-'))
  try {
    const { run, contest } = await importRun(file, gameFile, { ...context, workspace })
    return await rankRun({ contest, run }, rules, { ...context, workspace }, simultaneous)
  } finally {
    rmSync(workspace, { recursive: true, force: true })
  }
}

/** Whether a word names an archive, and not a contest or a file of games. */
export const isArchive = (word: string): boolean => /\.(?:tar\.gz|tgz|agon|gz)$/i.test(word)

/**
 * Ranks the games of a file (comma-separated values: first, second, score) by these rules, all where none is named. Throws
 * UserError for a file that is not there or holds what is no game, and the signal's reason between two rules.
 */
export async function rankFile(
  file: string,
  rules: readonly RuleName[],
  signal?: AbortSignal,
  simultaneous = false,
): Promise<RankedField> {
  if (!existsSync(file)) throw new UserError(`${file}: no such file; its lines would be first,second,score`)
  const { names, games } = readGames(file)
  return ranked(
    { title: file, names, seed: 'rank', simultaneous },
    { games, matches: games.length, distinct: distinctGames(games) },
    rules,
    { win: 1, draw: 0.5, loss: 0 },
    signal,
  )
}

/** What is ranked, whatever counts. */
interface Field {
  readonly title: string
  readonly names: readonly string[]
  readonly seed: string
  /** By entrant: its rank in the contest's own table. */
  readonly order?: readonly number[]
  readonly simultaneous: boolean
  readonly unlike?: boolean
}

/** Games, how many matches they stand for, and how many of these are no repetition of one before. */
interface Played {
  readonly games: readonly RatedGame[]
  readonly matches: number
  readonly distinct: number
}

async function ranked(
  { title, names, seed, order, simultaneous }: Field,
  { games, matches, distinct }: Played,
  rules: readonly RuleName[],
  worth: Worth,
  signal: AbortSignal | undefined,
): Promise<RankedField> {
  const setting = { worth, seed, simultaneous, order, resampled: resampling(games) }
  const isLarge = names.length > WHOLE
  if (isLarge) refuseUnfit(rules, names.length)
  const all = isLarge ? LARGE_RULES : RULES
  const rankings = await eachOf(rules, all, signal, (rule) => rankBy(rule, games, names.length, setting))
  const fit = isLarge ? undefined : fitOf(games, names.length)
  return {
    title,
    names,
    simultaneous,
    fit,
    by: 'wins',
    matches,
    distinct,
    rankings,
    crown: firstPlacesOf(names, rankings),
    cycles: isLarge ? [] : cyclesOf(names, games, fit),
    leftOut: rules.length === 0 ? RULES.filter((rule) => !all.includes(rule)) : [],
    luck: equalLuck(games),
  }
}

/** Throws UserError where a rule is asked for by name that takes too long in a large field. */
function refuseUnfit(rules: readonly RuleName[], field: number): void {
  const unfit = rules.find((rule) => !LARGE_RULES.includes(rule))
  if (unfit !== undefined)
    throw new UserError(
      message`${option('by', unfit)}: this rule is for at most ${WHOLE} entrants, and here are ${field}; use one of ${LARGE_RULES.join(', ')}`,
    )
}

async function rankedByScores(
  { title, names, seed, order, simultaneous, unlike = false }: Field,
  results: readonly Rated[],
  scoring: ScoringSpec,
  rules: readonly RuleName[],
  signal: AbortSignal | undefined,
): Promise<RankedField> {
  const unfit = rules.find((rule) => !SCORE_RULES.includes(rule))
  if (unfit !== undefined)
    throw new UserError(
      message`${option('by', unfit)}: this rule needs wins, and in this contest scores count; use one of ${SCORE_RULES.join(', ')}`,
    )
  const games = scoredGames(results, scoring)
  const companies = scoredCompanies(games)
  if (companies.length === 0) throw new UserError(`${title} has no match with a score yet`)
  const setting = { seed, simultaneous, unlike, order }
  const rankings = await eachOf(rules, SCORE_RULES, signal, (rule) =>
    rankByScores(rule, companies, names.length, setting),
  )
  return {
    title,
    names,
    simultaneous,
    unlike,
    by: 'score',
    matches: results.length,
    distinct: new Set(results.map(({ seats, course }) => `${seats.join()} ${course}`)).size,
    rankings,
    crown: firstPlacesOf(names, rankings),
    cycles: scoreCyclesOf(names, companies),
    luck: equalLuckOfScores(games),
  }
}

/** A ranking by each of the rules, by all of them where none is asked for. Throws the signal's reason between two of them. */
async function eachOf(
  rules: readonly RuleName[],
  all: readonly RuleName[],
  signal: AbortSignal | undefined,
  rank: (rule: RuleName) => Ranking,
): Promise<readonly Ranking[]> {
  const rankings: Ranking[] = []
  for (const rule of rules.length === 0 ? all : rules) {
    // A rule may take seconds: between two of them this can be cancelled.
    await setImmediate()
    signal?.throwIfAborted()
    rankings.push(rank(rule))
  }
  return rankings
}
