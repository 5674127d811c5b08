import { existsSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setImmediate } from 'node:timers/promises'
import { type ScoringSpec, UserError, countedBounds, message, option, command } from '../../core/index.js'
import { readGames } from '../../results/games-csv.js'
import {
  type Cycle,
  type RankedResults,
  type Ranking,
  RULES,
  type RuleName,
  SCORE_RULES,
  cycles,
  rankBy,
} from '../../lab/index.js'
import {
  type Bounds,
  type EqualLuck,
  type RatedGame,
  type Worth,
  comparisonsOf,
  distinctGames,
  equalLuck,
  equalLuckOfScores,
  meansOf,
  scoreIntervals,
  scoredCompanies,
  seatsDecide,
} from '../../stats/index.js'
import type { Doubt } from '../../text/index.js'
import type { Context } from '../context.js'
import { importRun } from '../manage/import.js'
import { type RunRef, withRun } from '../stored.js'
import type { Rated } from './results-to-games.js'
import { ratedGames, ratedRun } from './run-ratings.js'
import { scoredGames } from './score-table.js'
import { formatOf } from '../../tournament/index.js'

/** An entrant that some rules place first. */
export interface FirstPlace {
  readonly name: string
  readonly by: readonly RuleName[]
}

/** Three entrants, of which each beats the next and the last beats the first. */
export interface FoundCycle {
  readonly members: readonly string[]
  /** The probability that all three are so. */
  readonly confidence: number
}

export { RULES, type RuleName }

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
  /** Why no order is called sure. */
  readonly doubt?: Doubt
  /** Rules that were not asked for by name and are left out, as the field is too large for them; then cycles are, too. */
  readonly leftOut?: readonly RuleName[]
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
    const head = { title: run.contest.title, simultaneous }
    const { format } = run.contest
    const { unlikeOpponents: unlike, survival, verb } = formatOf(format.kind)
    const adaptive = unlike || survival
    // A table that goes by something else than points is no order of points.
    const orderOf = (ranks: readonly number[]) => (verb ? undefined : ranks)
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
      const { min, max } = countedBounds(scoring, run.game.scores) ?? {}
      const bounds = min === undefined || max === undefined ? undefined : { min, max }
      const field = { ...head, names, order: orderOf(rank), doubt: unlike ? ('unlike' as const) : undefined, bounds }
      const byScores = await rankedByScores(field, results, scoring, rules, context.signal)
      return { ...byScores, points }
    }
    const { names, rank, points, ...games } = await ratedGames(store, run)
    refuseNone(games.matches)
    const doubt = !format.swap && seatsDecide(games.games) ? ('seats' as const) : undefined
    const lastStanding = survival ? { format, scoring, games: games.games, ranks: rank } : undefined
    const field = { ...head, names, order: orderOf(rank), adaptive, doubt, lastStanding }
    const own = rules.length === 0 && survival ? CONTEST_FIRST : rules
    return { ...(await ranked(field, games, own, scoring, context.signal)), points }
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
    { title: file, names, simultaneous },
    { games, matches: games.length, distinct: distinctGames(games) },
    rules,
    { win: 1, draw: 0.5, loss: 0 },
    signal,
  )
}

/** What is ranked, whatever counts. */
interface Field extends Pick<RankedResults, 'order' | 'simultaneous' | 'adaptive' | 'doubt' | 'lastStanding'> {
  readonly title: string
  readonly names: readonly string[]
}

/** Games, how many matches they stand for, and how many of these are no repetition of one before. */
interface Played {
  readonly games: readonly RatedGame[]
  readonly matches: number
  readonly distinct: number
}

/** In larger fields most rules take the cube of the field in time. */
const WHOLE = 1000
/** All rules, of a contest whose first is who stayed in longest. */
const CONTEST_FIRST: readonly RuleName[] = ['last-standing', ...RULES.filter((rule) => rule !== 'last-standing')]
/** The rules that do not. */
const LARGE_RULES: readonly RuleName[] = ['points']

async function ranked(
  field: Field,
  { games, matches, distinct }: Played,
  rules: readonly RuleName[],
  worth: Worth,
  signal: AbortSignal | undefined,
): Promise<RankedField> {
  const { names } = field
  const all = names.length > WHOLE ? LARGE_RULES : RULES
  const unfit = rules.find((rule) => !all.includes(rule))
  if (unfit !== undefined)
    throw new UserError(
      message`${option('by', unfit)}: this rule is for at most ${WHOLE} entrants, and here are ${names.length}; use one of ${all.join(', ')}`,
    )
  const results = { ...field, field: names.length, games, worth }
  const rankings = await eachOf(rules.length === 0 ? all : rules, results, signal)
  const met = all === RULES ? meansOf(scoredCompanies(comparisonsOf(games)), names.length, { coin: 0.25 }) : undefined
  return {
    ...rankedField(field, rankings),
    by: 'wins',
    matches,
    distinct,
    cycles: met ? named(names, cycles(met)) : [],
    leftOut: rules.length === 0 ? RULES.filter((rule) => !all.includes(rule)) : [],
    luck: equalLuck(games),
  }
}

async function rankedByScores(
  { bounds, ...field }: Field & { readonly bounds?: Bounds },
  results: readonly Rated[],
  scoring: ScoringSpec,
  rules: readonly RuleName[],
  signal: AbortSignal | undefined,
): Promise<RankedField> {
  const { names, title } = field
  const unfit = rules.find((rule) => !SCORE_RULES.includes(rule))
  if (unfit !== undefined)
    throw new UserError(
      message`${option('by', unfit)}: this rule needs wins, and in this contest scores count; use one of ${SCORE_RULES.join(', ')}`,
    )
  const games = scoredGames(results, scoring)
  const companies = scoredCompanies(games)
  if (companies.length === 0) throw new UserError(`${title} has no match with a score yet`)
  const means = meansOf(companies, names.length)
  const { rare } = scoreIntervals(companies, means, 0.95, bounds)
  const scored = {
    ...field,
    doubt: rare ? ('rare' as const) : field.doubt,
    field: names.length,
    scored: { companies, bounds },
    worth: scoring,
  }
  const rankings = await eachOf(rules.length === 0 ? SCORE_RULES : rules, scored, signal)
  return {
    ...rankedField({ ...field, doubt: scored.doubt }, rankings),
    by: 'score',
    matches: results.length,
    distinct: new Set(results.map(({ seats, course }) => `${seats.join()} ${course}`)).size,
    cycles: named(names, cycles(means)),
    luck: equalLuckOfScores(games),
  }
}

const rankedField = ({ title, names, simultaneous = false, doubt }: Field, rankings: readonly Ranking[]) => ({
  title,
  names,
  simultaneous,
  doubt,
  rankings,
  crown: firstPlacesOf(names, rankings),
})

/** A ranking by each of the rules. Throws the signal's reason between two of them. */
async function eachOf(
  rules: readonly RuleName[],
  results: RankedResults,
  signal: AbortSignal | undefined,
): Promise<readonly Ranking[]> {
  const rankings: Ranking[] = []
  for (const rule of rules) {
    // A rule may take seconds: between two of them this can be cancelled.
    await setImmediate()
    signal?.throwIfAborted()
    rankings.push(rankBy(rule, results))
  }
  return rankings
}

/** Who is first by which rules, the one with the most rules in front; who shares a first place is named beside the others. */
function firstPlacesOf(names: readonly string[], rankings: readonly Ranking[]): readonly FirstPlace[] {
  const held = new Map<string, RuleName[]>()
  for (const { by, lines } of rankings) {
    for (const { rank, entrant } of lines) {
      const name = names[entrant] ?? ''
      if (rank === 1) held.set(name, [...(held.get(name) ?? []), by])
    }
  }
  return [...held].map(([name, by]) => ({ name, by })).sort((a, b) => b.by.length - a.by.length)
}

const named = (names: readonly string[], found: readonly Cycle[]): readonly FoundCycle[] =>
  found.map(({ members, confidence }) => ({ members: members.map((entrant) => names[entrant] ?? ''), confidence }))
