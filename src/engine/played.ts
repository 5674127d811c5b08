import {
  type Job,
  type JudgedMatch,
  type Match,
  type MatchRecord,
  type Pairing,
  canonical,
  fixtureOfRecord,
} from '../core/index.js'
import { type GameInPlay, bankOf, judgeAgain } from '../match/index.js'
import { isPlayoff } from '../tournament/index.js'
import type { PlayableRun } from './entrant.js'
import { lookAtFirst } from './first-matches.js'
import { fixtureOf } from './identity.js'
import { type JobResponse, recordsOf } from './worker-pool.js'

/** A job's matches as they are stored; those already judged again are not judged once more. Throws the response's error. */
export function playedOf(game: GameInPlay, job: Job, response: Exclude<JobResponse, { stored: true }>): Match[] {
  const judged = 'judged' in response ? response.judged : undefined
  return (judged ?? judgedAgain(game, recordsOf(response))).map(({ record, faults }, i) => {
    const { key, seats } = job.pairings[i] as Pairing
    return { record, faults, seats, playoff: isPlayoff(key) }
  })
}

/** Judges records again. Throws where one goes otherwise than it says. */
const judgedAgain = (game: GameInPlay, records: readonly MatchRecord[]): JudgedMatch[] =>
  records.map((record) => {
    const { faults } = judgeAgain(game, record)
    lookAtFirst(game, record)
    return { record, faults }
  })

/** Judges records of a job from another machine. Throws if they are of other matches, or do not replay. */
export function judgeBrought(run: PlayableRun, job: Job, records: readonly MatchRecord[]): readonly JudgedMatch[] {
  if (records.length !== job.pairings.length)
    throw new Error(`${job.key}: ${records.length} matches of ${job.pairings.length}`)
  const limits = bankOf(run.contest.limits)
  for (const [i, record] of records.entries()) {
    const pairing = job.pairings[i] as Pairing
    const given = pairing.seats.map((entrant) => run.entrants[entrant]?.with ?? null)
    const asked = { ...fixtureOf(run, pairing), limits, with: given.every((one) => one === null) ? undefined : given }
    const brought = { ...fixtureOfRecord(record), limits: record.limits, with: record.with }
    if (canonical(brought) !== canonical(asked)) throw new Error(`${pairing.key}: another match`)
  }
  return judgedAgain({ definition: run.definition, file: run.game.file }, records)
}
