import type { MatchRecord } from '../../core/index.js'
import { factsOf } from '../../match/index.js'

/** How a job went when it was played so often only to be compared. */
export interface ComparedJob {
  readonly courses: readonly string[]
}

/** A digest of all that was answered in a job; undefined where a bot was late or killed, which another time may go otherwise. */
export function courseOfJob(records: readonly MatchRecord[]): string | undefined {
  const facts = records.map(factsOf)
  return facts.some(({ late }) => late) ? undefined : facts.map(({ course }) => course).join(' ')
}
