import { parentPort, workerData } from 'node:worker_threads'
import { GameKinds } from '../../stats/index.js'
import {
  type RatedResult,
  type ReportDocument,
  RoundPoints,
  gameRatingsAmong,
  membersOf,
  ratingsAmong,
} from '../../results/index.js'
import { type NoteStore, type MatchStore, type StoredRun } from '../../store/index.js'
import { standingsOfRun } from '../../app/stored.js'
import type { Context } from '../../app/context.js'
import { openStoreOf } from '../../app/open-store.js'

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
  const field = run.entrants.length
  const { standings } = await standingsOfRun(store, run)
  const members = membersOf(standings)
  const index = new Map(members.map((entrant, i) => [entrant, i]))
  const rounds = new RoundPoints(scoring, field)
  const kinds = new GameKinds(scoring.teams)
  const results: RatedResult[] = []
  let matches = 0
  await store.eachMatch(run.id, (match) => {
    matches++
    const { outcome, turns, course, luck } = match
    const seats = match.seats.flatMap((entrant) => index.get(entrant) ?? [])
    if (seats.length < match.seats.length) return
    const result = { key: match.key, seats: match.seats, outcome, turns }
    rounds.add(result)
    if (scoring.by === 'score') results.push({ ...result, course: String(course), luck: String(luck) })
    else kinds.add({ seats, place: outcome.place, course, luck })
  })
  const contest = { format, scoring, scores: run.game.scores }
  const ratings =
    scoring.by === 'score'
      ? ratingsAmong(results, field, standings, contest)
      : gameRatingsAmong({ games: kinds.games(), distinct: kinds.distinct() }, field, standings, contest)
  return { matches, ratings, rounds: rounds.rows() }
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
