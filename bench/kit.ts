/** One figure of a benchmark; what has no limit to be held against has null for the last three. */
export interface Row {
  readonly name: string
  readonly value: number
  /** The same figure of the limit, measured in the same run. */
  readonly limit: number | null
  /** value / limit. */
  readonly ratio: number | null
  /** The least ratio to be reached. */
  readonly goal: number | null
  /** Of a simulation: the standard error of the value. */
  readonly error?: number
}

/** What each file of this folder exports. */
export interface Bench {
  /** What it measures and in which unit, in one line. */
  readonly measures: string
  /** `full`: at the size of the goals, where that takes minutes. `quick`: as small as still says something. */
  default(full: boolean, quick: boolean): Promise<readonly Row[]>
}

/** The middle one of the numbers (the upper of two). */
export function median(numbers: readonly number[]): number {
  return [...numbers].sort((a, b) => a - b)[numbers.length >> 1] ?? NaN
}
