import type { MatchRecord, Pairing, Job, JudgedMatch, Match } from '../core/index.js'
import { type GameInPlay, judgeAgain } from '../match/index.js'
import { isPlayoff } from '../tournament/index.js'
import { lookAtFirst } from './first-matches.js'
import { type JobResponse, recordsOf } from './worker-pool.js'

/** The matches of a job as they are stored, judged again. Throws where one of them goes otherwise than its record says. */
export function playedOf(game: GameInPlay, job: Job, records: readonly MatchRecord[]): Match[] {
  const judged = records.map((record) => {
    const { faults } = judgeAgain(game, record)
    lookAtFirst(game, record)
    return { record, faults }
  })
  return placed(job, judged)
}

/** The same of a response: what was judged again on its way here is not judged once more. Throws the error that it reports. */
export function playedOfResponse(
  game: GameInPlay,
  job: Job,
  response: Exclude<JobResponse, { stored: true }>,
): Match[] {
  return 'judged' in response && response.judged !== undefined
    ? placed(job, response.judged)
    : playedOf(game, job, recordsOf(response))
}

const placed = (job: Job, matches: readonly JudgedMatch[]): Match[] =>
  matches.map(({ record, faults }, i) => {
    const { key, seats } = job.pairings[i] as Pairing
    return { record, faults, seats, playoff: isPlayoff(key) }
  })
