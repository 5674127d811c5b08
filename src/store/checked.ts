import type { MatchRecord, Outcome, Result } from '../core/index.js'
import type { RatingRow, RunPlan, StoredFault } from './data.js'
import { type SealedRow, type SeatRow, faultsSum, isSealed } from './seals.js'

/** A match that counts in a run, with its record. */
export interface CountedMatch {
  readonly result: Result
  readonly record: MatchRecord
}

/** Rates the entrants of a run by its matches and by what it plays. */
export type Rater = (matches: Iterable<CountedMatch>, plan: RunPlan) => readonly RatingRow[]

/** What the rules say of a record; undefined: there are no rules to ask, so the record stands. Throws where they cannot follow it. */
export type Judge = (
  record: MatchRecord,
) => { readonly outcome: Outcome; readonly faults: readonly StoredFault[] } | undefined

/** What a match is by its record. */
export interface Right {
  readonly place: string
  readonly outcome: string
  readonly seats: readonly SeatRow[]
  readonly faults: readonly StoredFault[]
}

/** In what a match is not what its record says; undefined: nothing. */
export function differences(
  row: SealedRow,
  seats: readonly SeatRow[],
  faults: readonly StoredFault[] | Error,
  right: Right,
  record: MatchRecord,
): string | undefined {
  if (row.place !== right.place) return `its record is that of ${right.place}`
  if (row.outcome !== right.outcome) return `stored as ${row.outcome}, its record says ${right.outcome}`
  if (JSON.stringify(record.outcome) !== right.outcome) return 'its record does not end as the rules say'
  if (JSON.stringify(seats) !== JSON.stringify(right.seats)) return 'its seats are not those of its record'
  if (faults instanceof Error || kinds(faults) !== kinds(right.faults)) return 'its faults are not those of its record'
  if (row.faults !== faultsSum(faults)) return 'its faults are not as they were written'
  if (!isSealed(row, seats)) return 'its row is not as it was written'
  return undefined
}

/** The words beside a fault are for people, and may change with the rules. */
const kinds = (faults: readonly StoredFault[]): string =>
  faults
    .map(({ turn, seat, fault }) => `${turn} ${seat} ${fault}`)
    .sort()
    .join()

export interface CheckOptions {
  readonly judge: Judge
  /** Computes ratings that are damaged anew. */
  readonly rate: Rater
  /** Only runs of these contest files; absent: all that the store holds. */
  readonly only?: (contest: string) => boolean
  readonly mend: boolean
  /** Called as matches are looked at. */
  readonly progress: (done: number, of: number) => void
}

/** What a look at a whole store found. */
export interface CheckedStore {
  readonly file: string
  readonly runs: number
  readonly matches: number
  readonly findings: readonly { readonly what: string; readonly mended: boolean }[]
  /** The file as it was before it was mended. */
  readonly copy?: string
}
