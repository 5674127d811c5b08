import type { Exclusion, LogEntry, RatingRow, StoredFault } from './data.js'
import { BETWEEN, plus, sumOf, sumOfBytes, sumOfText, total } from './sums.js'

/** The end of what a bot wrote to its standard error. */
export interface StderrRow {
  readonly name: string
  readonly text: string
}

/** `detail` as JSON. */
export type LogRow = Omit<LogEntry, 'detail'> & { readonly detail: string }

/** A segment of a run as it lies there; `times` null: it is not full, or they could not be read. */
export interface SegmentRow {
  readonly number: number
  readonly games: number
  readonly data: Uint8Array
  readonly times: Uint8Array | null
}
/** The checksum of a segment. */
export const segmentSum = (run: number, { number, games, data, times }: SegmentRow): number =>
  plus(
    sumOfBytes(sumOf('segment', run, number, games), data),
    times === null ? 0 : sumOfBytes(sumOf('times', run, number), times),
  )

/** What of a match's row its checksum covers; `faults` is the checksum of its faults, `unit` in hexadecimal. */
export interface Sealed {
  readonly unit: string
  readonly number: number
  readonly place: string
  readonly outcome: string
  readonly playoff: number
  readonly at: number
  readonly faults: number
}

/** A match's row as it lies there, with what its checksum covers. */
export interface SealedRow extends Sealed {
  readonly id: number
  readonly sum: number
}
/** `entrant` is the entrant's number in the store. */
export interface SeatRow {
  readonly seat: number
  readonly entrant: number
  readonly rank: number
}

/** The checksum of a match: its row, who sat where, and how they were placed. */
export function matchSum(row: Sealed, seats: readonly SeatRow[]): number {
  const { unit, number, place, outcome, playoff, at, faults } = row
  // By hand: it is computed for every match that is written or read, and a list of the parts takes as long as the sum.
  let text = unit + BETWEEN + number + BETWEEN + place + BETWEEN + outcome + BETWEEN
  text += playoff + BETWEEN + at + BETWEEN + faults
  for (const { seat, entrant, rank } of seats) text += BETWEEN + seat + BETWEEN + entrant + BETWEEN + rank
  return sumOfText(text)
}

/** Whether a match is as it was written. */
export const isSealed = (row: Sealed & { readonly sum: number }, seats: readonly SeatRow[]): boolean =>
  row.sum === matchSum(row, seats)

/** The checksum of a match's faults: 0 where there are none. */
export const faultsSum = (faults: readonly StoredFault[]): number =>
  total(faults.map(({ seat, turn, fault, why, said }) => sumOf(turn, seat, fault, why ?? null, said ?? null)))

export interface RulingRow {
  readonly match: number
  readonly outcome: string
  readonly why: string
}

/** The checksums of what is kept of a run beside its matches. */
export const rulingSum = ({ match, outcome, why }: RulingRow): number => sumOf(match, outcome, why)

export const exclusionSum = ({ name, status, treatment, why }: Exclusion): number => sumOf(name, status, treatment, why)

export const ratingSum = ({ entrant, kind, value, low, high }: RatingRow): number =>
  sumOf(entrant, kind, value, low, high)

export const stderrSum = ({ name, text }: { readonly name: string; readonly text: string }): number => sumOf(name, text)

/** `detail` as JSON. */
export const logSum = ({ at, agon, what, detail }: Omit<LogEntry, 'detail'> & { readonly detail: string }): number =>
  sumOf(at, agon, what, detail)
