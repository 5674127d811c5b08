import type { MatchRecord, Pairing } from '../core/index.js'
import { type GameInPlay, judgeAgain } from '../match/index.js'
import type { PlayedMatch } from '../store/index.js'
import { isPlayoff } from '../tournament/index.js'
import { lookAtFirst } from './first-matches.js'
import type { Job } from './schedule.js'

/** The matches of a job as they are stored, judged again. Throws where one of them goes otherwise than its record says. */
export function playedOf(game: GameInPlay, job: Job, records: readonly MatchRecord[]): PlayedMatch[] {
  return records.map((record, i) => {
    const { key, seats } = job.pairings[i] as Pairing
    const { faults } = judgeAgain(game, record)
    lookAtFirst(game, record)
    return { record, faults, seats, playoff: isPlayoff(key) }
  })
}
