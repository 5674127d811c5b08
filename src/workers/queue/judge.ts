import { type BotParameters, type MatchRecord, type Pairing, fixtureOfRecord, canonical } from '../../core/index.js'
import { type FixtureSetup, type Job, fixtureOf, playedOf } from '../../engine/index.js'
import { type GameInPlay } from '../../match/index.js'
import type { JudgedMatch } from '../../store/index.js'

/** What the matches of a run are, wherever they are played. */
export interface JudgeSetting {
  readonly game: GameInPlay
  readonly setup: FixtureSetup
  /** By entrant: the parameters that the contest gives its module. */
  readonly given: readonly (BotParameters | undefined)[]
}

/** Judges the records that a worker brings of a job. Throws if they are of other matches than the job's, or do not replay. */
export function judgeBrought(
  { game, setup, given }: JudgeSetting,
  job: Job,
  records: readonly MatchRecord[],
): readonly JudgedMatch[] {
  if (records.length !== job.pairings.length)
    throw new Error(`${job.key}: ${records.length} matches of ${job.pairings.length}`)
  for (const [i, record] of records.entries()) {
    const pairing = job.pairings[i] as Pairing
    if (canonical(fixtureOfRecord(record)) !== canonical(fixtureOf(setup, pairing)))
      throw new Error(`${pairing.key}: another match`)
    if (canonical(record.with) !== canonical(givenTo(pairing, given)))
      throw new Error(`${pairing.key}: other parameters of its modules`)
  }
  return playedOf(game, job, records)
}

/** As of a record: by seat, what the contest gave the modules; undefined: nothing. */
function givenTo({ seats }: Pairing, given: JudgeSetting['given']): MatchRecord['with'] {
  const bySeat = seats.map((entrant) => given[entrant] ?? null)
  return bySeat.every((one) => one === null) ? undefined : bySeat
}
