import type { Standings } from '../../core/index.js'
import { RoundPoints } from '../../results/index.js'
import type { MatchStore, NoteStore, StoredRun } from '../../store/index.js'
import type { RunStandings } from '../stored.js'
import { PlayedMatches } from './played-matches.js'
import { type Strengths, keptElo, strengthsOf } from './strengths.js'

/** Up to so many matches are rated again for each table. */
export const RATED_AGAIN = 50_000

/**
 * What stands beside a run's points: from its matches, or, where these are very many and wins count, the strengths that were kept at its
 * last end, before anyone was put out.
 */
export async function strengthsOfRun(
  store: NoteStore & MatchStore,
  run: StoredRun,
  current: Pick<RunStandings, 'standings' | 'exclusions'>,
): Promise<Strengths> {
  const { standings, exclusions } = current
  if (run.matches <= RATED_AGAIN || run.contest.scoring.by === 'score')
    return strengthsBy(await countMatches(store, run, standings), run, standings)
  const elo = exclusions.length === 0 ? keptElo(standings, await store.ratings(run.id)) : undefined
  return { elo, scores: undefined }
}

/** The matches of those in a run's table, added up, and what they brought by round. */
export interface CountedMatches {
  readonly played: PlayedMatches
  readonly rounds: RoundPoints
}

/** Reads the matches of a run once for all that is said of them. */
export async function countMatches(
  store: MatchStore,
  { id, contest: { scoring }, entrants }: StoredRun,
  { rows }: Standings,
): Promise<CountedMatches> {
  const members = rows.map(({ entrant }) => entrant)
  const played = new PlayedMatches(members, scoring)
  const rounds = new RoundPoints(scoring, entrants.length)
  await store.eachMatch(id, (match) => {
    const { key, seats, outcome } = match
    if (played.add(match)) rounds.add({ key, seats, outcome })
  })
  return { played, rounds }
}

/** What stands beside a run's points by its matches, and what the store keeps of it. */
export function strengthsBy(
  { played }: CountedMatches,
  { contest: { format, scoring }, game }: StoredRun,
  standings: Standings,
): ReturnType<typeof strengthsOf> {
  return strengthsOf(standings, played, { format, scoring, scores: game.scores })
}
