import type { Standings } from '../../core/index.js'
import {
  GameKinds,
  type RatedGame,
  type ScoredCompany,
  ScoredSums,
  distinctGames,
  scoredGameOf,
} from '../../stats/index.js'
import { type MatchStore, type RatingRow, type NoteStore, type StoredMatch, type StoredRun } from '../../store/index.js'
import type { RatedContest } from '../../results/ratings.js'
import { type EloTable, eloTable } from './elo-table.js'
import { type Rated, gamesPlayed } from './results-to-games.js'
import { scoreTableOf } from './score-table.js'
import { type Strengths, strengthsOf } from './strengths.js'
import { type RunStandings, standingsOfRun } from '../stored.js'

/** So many matches are rated again for each table, and one by one. */
export const RATED_AGAIN = 50_000

/**
 * What stands beside a run's points: from its matches, or, where these are very many, the strengths that were kept at its last end. Scores
 * are added up match by match, however many there are.
 */
export async function strengthsOfRun(
  store: NoteStore & MatchStore,
  run: StoredRun,
  current: RunStandings,
  many = RATED_AGAIN,
): Promise<Strengths> {
  if (run.matches <= many)
    return strengthsOf(current.standings, await ratedResults(store, run, current), ratedContest(run))
  if (run.contest.scoring.by === 'score') return scoresOfRun(store, run, current)
  return keptStrengths(store, run, current)
}

/** What stands beside a run's points at its end: always from its matches, of very many where wins count by those that went alike. */
export async function strengthsAtEnd(
  store: MatchStore,
  run: StoredRun,
  current: Pick<RunStandings, 'standings'>,
  many = RATED_AGAIN,
): Promise<Strengths> {
  const { standings } = current
  if (run.matches <= many) return strengthsOf(standings, await ratedResults(store, run, current), ratedContest(run))
  if (run.contest.scoring.by === 'score') return scoresOfRun(store, run, current)
  const { games } = await gamesOfTable(store, run, current)
  const entrants = inContestOrder(standings).map(({ entrant }) => entrant)
  const own = games.map((game) => ({ ...game, entrants: game.entrants.map((i) => entrants[i] as number) }))
  return { elo: eloTable(standings, own, run.contest), scores: undefined }
}

/** What of a run decides how it is rated. */
const ratedContest = ({ contest: { format, scoring }, game }: StoredRun): RatedContest => ({
  format,
  scoring,
  scores: game.scores,
})

async function scoresOfRun(
  store: MatchStore,
  run: StoredRun,
  current: Pick<RunStandings, 'standings'>,
): Promise<Strengths> {
  const companies = await companiesOfRun(store, run, current)
  return { elo: undefined, scores: scoreTableOf(current.standings, companies, ratedContest(run)) }
}

/** The strengths that were kept at a run's last end, where wins count. */
async function keptStrengths(
  store: NoteStore,
  run: StoredRun,
  current: Pick<RunStandings, 'standings' | 'exclusions'>,
): Promise<Strengths> {
  const isKept = current.exclusions.length === 0
  return { elo: isKept ? keptElo(current, await store.ratings(run.id)) : undefined, scores: undefined }
}

/** The companies of those in the table, named by their places there: the same in whatever order matches came to the run. */
async function companiesOfRun(
  store: MatchStore,
  run: StoredRun,
  { standings }: Pick<RunStandings, 'standings'>,
): Promise<readonly ScoredCompany[]> {
  const place = new Map(standings.rows.map(({ entrant }, i) => [entrant, i]))
  const sums = new ScoredSums()
  await store.eachMatch(run.id, ({ seats: entrants, outcome, turns, luck, course }) => {
    const seats = entrants.flatMap((entrant) => place.get(entrant) ?? [])
    if (seats.length < entrants.length) return
    const game = scoredGameOf({ seats, outcome, turns }, run.contest.scoring, luck)
    if (game !== undefined) sums.add({ ...game, course })
  })
  return sums.companies()
}

function keptElo(
  { standings: { rows } }: Pick<RunStandings, 'standings'>,
  kept: readonly RatingRow[],
): EloTable | undefined {
  const by = new Map(kept.flatMap((row) => (row.kind === 'Bradley–Terry' ? [[row.entrant, row] as const] : [])))
  const own = rows.flatMap(({ entrant, name }) => {
    const row = by.get(entrant)
    return row ? [{ name, rating: row.value, low: row.low, high: row.high, flags: [] }] : []
  })
  return own.length === rows.length ? { rows: own, neighbours: [] } : undefined
}

/** The results of those in the table, with what the store knows of each match beside how it ended. Linear in the matches. */
export async function ratedResults(
  store: MatchStore,
  run: StoredRun,
  { standings }: Pick<RunStandings, 'standings'>,
): Promise<Rated[]> {
  const inTable = new Set(standings.rows.map(({ entrant }) => entrant))
  const rated: Rated[] = []
  await store.eachMatch(run.id, ({ key, seats, outcome, course, luck, turns }) => {
    if (seats.every((entrant) => inTable.has(entrant)))
      rated.push({ key, seats, outcome, course: String(course), luck: String(luck), turns })
  })
  return rated
}

/** Those in the table of a run, in the contest's order. */
interface RatedField {
  readonly names: readonly string[]
  /** By entrant of the field: its rank in the contest's table, and its points there. */
  readonly rank: readonly number[]
  readonly points: readonly number[]
}

/** A field with its games, where wins count. Entrants are named by their index in the field. */
interface RatedGames extends RatedField {
  readonly games: readonly RatedGame[]
  /** How many matches the games stand for, and how many of these are no repetition of one before. */
  readonly matches: number
  readonly distinct: number
}

/** Reads a run's results, with the courses that the matches took; entrants are named by their index in the field. */
export async function ratedRun(
  store: NoteStore & MatchStore,
  run: StoredRun,
): Promise<RatedField & { readonly results: readonly Rated[] }> {
  const current = await standingsOfRun(store, run)
  const { field, index } = fieldOf(current)
  const counting = await ratedResults(store, run, current)
  return {
    ...field,
    results: counting.map((result) => ({ ...result, seats: result.seats.map((entrant) => index.get(entrant) ?? 0) })),
  }
}

/** Reads a run's games, where wins count; of very many, those that went alike are one (`GameKinds`). */
export async function ratedGames(
  store: NoteStore & MatchStore,
  run: StoredRun,
  many = RATED_AGAIN,
): Promise<RatedGames> {
  if (run.matches <= many) {
    const { results, ...field } = await ratedRun(store, run)
    const games = gamesPlayed(results, run.contest.scoring)
    return { ...field, games, matches: games.length, distinct: distinctGames(games) }
  }
  const current = await standingsOfRun(store, run)
  return { ...fieldOf(current).field, ...(await gamesOfTable(store, run, current)) }
}

/** The games of those in the table, added up match by match. Entrants are named by their index among these. `also` is given each of the matches. */
export async function gamesOfTable(
  store: MatchStore,
  run: StoredRun,
  current: Pick<RunStandings, 'standings'>,
  also: (match: StoredMatch) => void = () => undefined,
): Promise<Pick<RatedGames, 'games' | 'matches' | 'distinct'>> {
  const { index } = fieldOf(current)
  const kinds = new GameKinds(run.contest.scoring.teams)
  const seatings = new Map<readonly number[], readonly number[]>()
  await store.eachMatch(run.id, (match) => {
    const { seats: entrants, outcome, course, luck } = match
    let seats = seatings.get(entrants)
    if (seats === undefined) seatings.set(entrants, (seats = entrants.flatMap((entrant) => index.get(entrant) ?? [])))
    if (seats.length < entrants.length) return
    kinds.add({ seats, place: outcome.place, course, luck })
    also(match)
  })
  return { games: kinds.games(), matches: kinds.count, distinct: kinds.distinct() }
}

function fieldOf({ standings }: Pick<RunStandings, 'standings'>): {
  readonly field: RatedField
  /** By entrant: its index in the field. */
  readonly index: ReadonlyMap<number, number>
} {
  const rows = inContestOrder(standings)
  return {
    field: {
      names: rows.map(({ name }) => name),
      rank: rows.map(({ rank }) => rank),
      points: rows.map(({ points }) => points),
    },
    index: new Map(rows.map(({ entrant }, i) => [entrant, i])),
  }
}

const inContestOrder = ({ rows }: Standings) => [...rows].sort((a, b) => a.entrant - b.entrant)
