import { parentPort, workerData } from 'node:worker_threads'
import { type ReportDocument, gameRatingsAmong } from '../../results/index.js'
import { type NoteStore, type MatchStore, type StoredRun } from '../../store/index.js'
import { countMatches } from '../compare/strengths.js'
import { standingsOfRun } from '../stored.js'
import type { Context } from '../context.js'
import { openStoreOf } from '../open-store.js'

/** What is computed of a run beside its table: ratings with the chances of the first place, and points by round. */
export interface RatedRun extends Pick<ReportDocument, 'ratings' | 'rounds'> {
  /** On how many of the run's matches it rests. */
  readonly matches: number
}

/** What a thread is to rate: a run of this workspace, or of its server. */
export interface RatingTask extends Pick<Context, 'workspace' | 'server'> {
  readonly run: string
}

/** Rates a run by its matches, in one reading of them. Takes seconds for very many. */
export async function rateRun(store: NoteStore & MatchStore, run: StoredRun): Promise<RatedRun> {
  const { format, scoring } = run.contest
  const { standings } = await standingsOfRun(store, run)
  const rows = [...standings.rows].sort((a, b) => a.entrant - b.entrant)
  const { played, rounds, read } = await countMatches(store, run, { rows })
  const counted = {
    games: played.games.games(),
    distinct: played.games.distinct(),
    companies: scoring.by === 'score' ? played.sums.companies() : undefined,
  }
  const contest = { format, scoring, scores: run.game.scores }
  const ratings = gameRatingsAmong(counted, run.entrants.length, standings, contest)
  return { matches: read, ratings, rounds: rounds.rows() }
}

/** The thread that rates a run: it has the store open for itself, and only reads it. */
async function work({ workspace, server, run: id }: RatingTask): Promise<RatedRun> {
  const store = await openStoreOf({ workspace, server, notice: () => undefined })
  try {
    const run = await store.run(id)
    if (run === undefined) throw new Error(`there is no run ${id}`)
    return await rateRun(store, run)
  } finally {
    await store.close()
  }
}
if (parentPort !== null) parentPort.postMessage(await work(workerData as RatingTask))
