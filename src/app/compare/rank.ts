import { existsSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setImmediate } from 'node:timers/promises'
import { UserError, command, countedBounds, message, option } from '../../core/index.js'
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
import { ruleNamed } from '../../lab/rank.js'
import { readGames } from '../../results/games-csv.js'
import {
  type EqualLuck,
  type ScoredGame,
  comparisonsOf,
  distinctGames,
  equalLuck,
  equalLuckOfScores,
  meansOf,
  scoreIntervals,
  scoredGameOf,
  scoredCompanies,
  seatsDecide,
} from '../../stats/index.js'
import type { StoredRun } from '../../store/index.js'
import { formatOf } from '../../tournament/index.js'
import type { Context } from '../context.js'
import { importRun } from '../manage/archive.js'
import { type RunRef, standingsOfRun, withRun } from '../stored.js'
import { PlayedMatches } from './strengths.js'

export { RULES, type RuleName }

/** The matches of a field, and how they are to be ranked. Entrants are named by their index in `names`. */
interface PlayedField extends RankedResults {
  /** The contest's title, or the file. */
  readonly title: string
  readonly names: readonly string[]
  readonly matches: number
  /** Of the matches, how many are no repetition of one before. */
  readonly distinct: number
  /** By entrant: what the contest's own table says; absent for a file of games. */
  readonly points?: readonly number[]
  readonly luck: EqualLuck
}

export interface RankedField extends PlayedField {
  readonly by: 'wins' | 'score'
  /** In the order in which the rules were asked for. */
  readonly rankings: readonly Ranking[]
  /** Who is first by which rules, the one with the most rules in front; who shares a first place is named beside the others. */
  readonly crown: readonly { readonly name: string; readonly by: readonly RuleName[] }[]
  /** Three entrants, of which each beats the next and the last beats the first: how probable that is. The surest first. */
  readonly cycles: readonly { readonly members: readonly string[]; readonly confidence: number }[]
  /** Rules that were not asked for by name and are left out, as the field is too large for them; then cycles are, too. */
  readonly leftOut: readonly RuleName[]
}

/** By which rules, all where none is named, and whether intervals are to hold all at once. */
interface RankWish {
  readonly rules: readonly RuleName[]
  readonly simultaneous?: boolean
}

/**
 * Ranks a stored run. Throws UserError where there is no such run or no match of it counts,
 * and the signal's reason between two rules.
 */
export function rankRun(ref: RunRef, wish: RankWish, context: Context): Promise<RankedField> {
  return withRun(ref.contest, ref.run, context, async (store, run) => {
    const { format, scoring, title } = run.contest
    const { unlikeOpponents, survival, verb } = formatOf(format.kind)
    const { standings } = await standingsOfRun(store, run)
    const rows = [...standings.rows].sort((a, b) => a.entrant - b.entrant)
    const members = rows.map(({ entrant }) => entrant)
    const played = new PlayedMatches(members, scoring)
    const scoredGames: ScoredGame[] = []
    await store.eachMatch(run.id, (match) => {
      const seats = played.add(match)
      const game = seats && scoredGameOf({ ...match, seats }, scoring, match.luck)
      if (game !== undefined) scoredGames.push(game)
    })
    if (played.games.count === 0) throw noneCounts(run, ref)
    const ranks = rows.map(({ rank }) => rank)
    const field = {
      title,
      names: rows.map(({ name }) => name),
      points: rows.map(({ points }) => points),
      matches: played.games.count,
      distinct: played.games.distinct(),
      field: rows.length,
      worth: scoring,
      // A table that goes by something else than points is no order of points.
      order: verb ? undefined : ranks,
    }
    if (scoring.by === 'score') {
      const { min, max } = countedBounds(scoring, run.game.scores) ?? {}
      const bounds = min === undefined || max === undefined ? undefined : { min, max }
      const companies = played.sums.companies()
      if (companies.length === 0) throw new UserError(`${title} has no match with a score yet`)
      const { rare } = scoreIntervals(companies, meansOf(companies, rows.length), 0.95, bounds)
      const doubt = rare ? 'rare' : unlikeOpponents ? 'unlike' : undefined
      const luck = equalLuckOfScores(scoredGames)
      return ranked({ ...field, scored: { companies, bounds }, doubt, luck }, wish, context.signal)
    }
    const games = played.games.games()
    const doubt = !format.swap && seatsDecide(games) ? 'seats' : undefined
    const lastStanding = survival ? { format, scoring, games, ranks } : undefined
    const adaptive = unlikeOpponents || survival
    return ranked({ ...field, games, adaptive, doubt, lastStanding, luck: equalLuck(games) }, wish, context.signal)
  })
}

function noneCounts(run: StoredRun, { contest }: RunRef): UserError {
  if (run.matches === 0)
    return new UserError(message`the run ${run.id} of ${contest} has no match yet: ${command('run')} continues it`)
  return new UserError(
    `no match of the run ${run.id} of ${contest} counts: in all ${run.matches} played entrants that were withdrawn or disqualified since`,
  )
}

/**
 * Ranks a run in an archive, as `agon export` writes it; all in it is checked first. `gameFile`: of a game that does not come with
 * agon. Throws as `rankRun`, and UserError for what is no archive.
 */
export async function rankArchive(
  file: string,
  gameFile: string | undefined,
  wish: RankWish,
  context: Context,
): Promise<RankedField> {
  const workspace = mkdtempSync(join(tmpdir(), 'agon-rank-'))
  try {
    const { run, contest } = await importRun(file, gameFile, { ...context, workspace })
    return await rankRun({ contest, run }, wish, { ...context, workspace })
  } finally {
    rmSync(workspace, { recursive: true, force: true })
  }
}

/** Whether a word names an archive, and not a contest or a file of games. */
export const isArchive = (word: string): boolean => /\.(?:tar\.gz|tgz|agon|gz)$/i.test(word)

/**
 * Ranks the games of a file (comma-separated values: first, second, score). Throws UserError for a file that is not there or holds what is
 * no game, and the signal's reason between two rules.
 */
export async function rankFile(file: string, wish: RankWish, signal?: AbortSignal): Promise<RankedField> {
  if (!existsSync(file)) throw new UserError(`${file}: no such file; its lines would be first,second,score`)
  const { names, games } = readGames(file)
  const field = {
    title: file,
    names,
    matches: games.length,
    distinct: distinctGames(games),
    luck: equalLuck(games),
    field: names.length,
    games,
    worth: { win: 1, draw: 0.5, loss: 0 },
  }
  return ranked(field, wish, signal)
}

/** In larger fields the rules but the one by points take the cube of the field in time. */
const WHOLE = 1000

async function ranked(
  played: PlayedField,
  { rules: asked, simultaneous }: RankWish,
  signal: AbortSignal | undefined,
): Promise<RankedField> {
  const { names, games = [], scored, lastStanding } = played
  const isLarge = names.length > WHOLE
  const fitting = scored ? SCORE_RULES : RULES
  const all = isLarge ? fitting.filter((rule) => ruleNamed(rule).unit === 'points') : fitting
  const unfit = asked.find((rule) => !all.includes(rule))
  if (unfit !== undefined) {
    const why = fitting.includes(unfit)
      ? `this rule is for at most ${WHOLE} entrants, and here are ${names.length}`
      : 'this rule needs wins, and in this contest scores count'
    throw new UserError(message`${option('by', unfit)}: ${why}; use one of ${all.join(', ')}`)
  }
  // A contest whose first is who stays in longest begins with its own order.
  const isOwn = (rule: RuleName): boolean => lastStanding !== undefined && ruleNamed(rule).unit === 'rounds'
  const wanted = asked.length > 0 ? asked : [...all.filter(isOwn), ...all.filter((rule) => !isOwn(rule))]
  const rankings: Ranking[] = []
  for (const rule of wanted) {
    // A rule may take seconds: between two of them this can be cancelled.
    await setImmediate()
    signal?.throwIfAborted()
    rankings.push(rankBy(rule, { ...played, simultaneous }))
  }
  const named = ({ members, confidence }: Cycle) => ({
    members: members.map((entrant) => names[entrant] ?? ''),
    confidence,
  })
  const met = (): readonly Cycle[] =>
    cycles(
      scored
        ? meansOf(scored.companies, names.length)
        : meansOf(scoredCompanies(comparisonsOf(games)), names.length, { coin: 0.25 }),
    )
  return {
    ...played,
    simultaneous,
    by: scored ? 'score' : 'wins',
    rankings,
    crown: firstPlacesOf(names, rankings),
    cycles: isLarge ? [] : met().map(named),
    leftOut: asked.length === 0 ? fitting.filter((rule) => !all.includes(rule)) : [],
  }
}

function firstPlacesOf(names: readonly string[], rankings: readonly Ranking[]): RankedField['crown'] {
  const held = new Map<string, RuleName[]>()
  for (const { by, lines } of rankings) {
    for (const { rank, entrant } of lines) {
      const name = names[entrant] ?? ''
      if (rank === 1) held.set(name, [...(held.get(name) ?? []), by])
    }
  }
  return [...held].map(([name, by]) => ({ name, by })).sort((a, b) => b.by.length - a.by.length)
}
