import {
  type MatchRecord,
  type Pairing,
  fixtureOfRecord,
  canonical,
  type Job,
  type JudgedMatch,
} from '../../core/index.js'
import { bankOf } from '../../match/index.js'
import { type PlayableRun, fixtureOf, playedOf } from '../../engine/index.js'

/** Judges the records that a worker brings of a job. Throws if they are of other matches than the job's, or do not replay. */
export function judgeBrought(run: PlayableRun, job: Job, records: readonly MatchRecord[]): readonly JudgedMatch[] {
  if (records.length !== job.pairings.length)
    throw new Error(`${job.key}: ${records.length} matches of ${job.pairings.length}`)
  for (const [i, record] of records.entries()) {
    const pairing = job.pairings[i] as Pairing
    if (canonical(fixtureOfRecord(record)) !== canonical(fixtureOf(run, pairing)))
      throw new Error(`${pairing.key}: another match`)
    if (canonical(record.limits) !== canonical(bankOf(run.contest.limits)))
      throw new Error(`${pairing.key}: another bank`)
    if (canonical(record.with) !== canonical(givenTo(pairing, run)))
      throw new Error(`${pairing.key}: other parameters of its modules`)
  }
  return playedOf({ definition: run.definition, file: run.game.file }, job, records)
}

/** As of a record: by seat, what the contest gave the modules; undefined: nothing. */
function givenTo({ seats }: Pairing, { entrants }: PlayableRun): MatchRecord['with'] {
  const bySeat = seats.map((entrant) => entrants[entrant]?.with ?? null)
  return bySeat.every((one) => one === null) ? undefined : bySeat
}
