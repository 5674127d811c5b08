import type { MatchRecord, Outcome } from '../core/index.js'
import { factsOf } from './course.js'
import type { PlayedMatch, StoredMatch } from './data.js'
import type { RulingRow } from './seals.js'
import type { SegmentEntry, Parts } from './segment.js'

/** A match that comes to a run, with its record. */
export interface AddedMatch extends Omit<SegmentEntry, 'facts'> {
  readonly facts: SegmentEntry['facts']
  readonly record: MatchRecord
}

/**
 * Makes games of a run's entries by its rulings: outcomes and seatings that were seen before are the same objects again. `parse` reads
 * an outcome.
 */
export function storedMatches(
  rows: readonly RulingRow[],
  parse: (text: string) => Outcome,
): (parts: Parts) => StoredMatch {
  const ruled = new Map(rows.map(({ match, outcome }) => [match, outcome]))
  const outcomes = new Map<string, Outcome>()
  const seatings = new Map<string | number, readonly number[]>()
  // A million of them are made at a time: rest parameters, and texts of numbers, take as long as all else.
  return ({ match, outcome: recorded, seats, group, number, playoff, turns, course, luck }) => {
    const text = ruled.get(match) ?? recorded
    let outcome = outcomes.get(text)
    if (outcome === undefined) outcomes.set(text, (outcome = parse(text)))
    const who = seatingKey(seats)
    let shared = seatings.get(who)
    if (shared === undefined) seatings.set(who, (shared = seats))
    return { id: match, group, number, seats: shared, outcome, playoff, turns, course, luck }
  }
}

/** A number for the seats of two, a text for those of more: different for each. */
function seatingKey(seats: readonly number[]): string | number {
  const [one = 0, other = 0] = seats
  return seats.length === 2 ? one * 2 ** 26 + other : seats.join()
}

/** A match as it comes to a run's segments; `outcome`: as JSON, as it was recorded. */
export const addedMatch = (
  match: number,
  { record, seats, playoff }: Omit<PlayedMatch, 'faults'>,
  outcome: string,
): AddedMatch => ({
  match,
  key: record.key ?? '',
  seats,
  outcome,
  playoff,
  facts: factsOf(record),
  record,
})
