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
  if (run.matches <= RATED_AGAIN || run.contest.scoring.by === 'score') return strengthsAtEnd(store, run, current)
  const elo = exclusions.length === 0 ? keptElo(standings, await store.ratings(run.id)) : undefined
  return { elo, scores: undefined }
}

/** What stands beside a run's points at its end, always from its matches, and what the store keeps of it. */
export async function strengthsAtEnd(
  store: MatchStore,
  { id, contest, game }: StoredRun,
  { standings }: Pick<RunStandings, 'standings'>,
): Promise<ReturnType<typeof strengthsOf>> {
  const { format, scoring } = contest
  const members = standings.rows.map(({ entrant }) => entrant)
  const played = new PlayedMatches(members, scoring)
  await store.eachMatch(id, (match) => void played.add(match))
  return strengthsOf(standings, played, { format, scoring, scores: game.scores })
}
