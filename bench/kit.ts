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
  /** What can be measured by itself. */
  readonly parts?: readonly string[]
  /** `full`: at the size of the goals, where that takes minutes. `quick`: as small as still says something. `parts`: these alone; none: all. */
  default(full: boolean, quick: boolean, parts?: readonly string[]): Promise<readonly Row[]>
}

/** The middle one of the numbers (the upper of two). */
export function median(numbers: readonly number[]): number {
  return [...numbers].sort((a, b) => a - b)[numbers.length >> 1] ?? NaN
}

/** Milliseconds, the middle of many. */
export async function time(look: () => Promise<unknown>): Promise<number> {
  const times: number[] = []
  for (let n = 0; n < 21; n++) {
    const began = performance.now()
    await look()
    times.push(performance.now() - began)
  }
  return median(times)
}

/** What has no limit to be held against. */
export const figure = (name: string, value: number): Row => ({ name, value, limit: null, ratio: null, goal: null })
/** What should be so much at least. */
export const fast = (name: string, value: number, limit: number): Row => ({
  name,
  value,
  limit,
  ratio: value / limit,
  goal: 1,
})
/** What may take so long at most: the ratio says how often it would fit. */
export const quick = (name: string, value: number, limit: number): Row => ({
  name,
  value,
  limit,
  ratio: limit / value,
  goal: 1,
})
