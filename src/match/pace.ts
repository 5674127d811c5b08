import { UserError } from '../core/index.js'

/** Steps of a match at most, where the contest says nothing. */
export const DEFAULT_STEPS = 100_000

/**
 * Steps, and microseconds of answers, after which other work of this process gets a turn; microseconds where another match waits
 * for its bots: while their answers lie there, these bots have nothing to do.
 */
const STEPS = 64
const [WAITED_US, AWAITED_US] = [10_000, 100]

let steps = 0
let waitedUs = 0
/** Answers that matches in this process wait for. */
let awaited = 0

/** Counts an answer among those that are waited for, until it is there. */
export async function awaiting<T>(answer: Promise<T>): Promise<T> {
  awaited++
  try {
    return await answer
  } finally {
    awaited--
  }
}

/** Whether a match in this process waits for its bots. */
export const isAwaiting = (): boolean => awaited > 0

/**
 * Called after each step, with the microseconds that its answers took. Whether this process has to look at what else there is to do:
 * bots in this process answer at once, so that otherwise a signal or a clock would never be noticed.
 */
export function isYieldDue(us: number): boolean {
  steps++
  waitedUs += us
  if (steps < STEPS && waitedUs < (awaited > 0 ? AWAITED_US : WAITED_US)) return false
  steps = waitedUs = 0
  return true
}

/** The mistake of a game that has not ended after so many steps. */
export function endless(game: string, most: number): UserError {
  return new UserError(
    `the game ${game} has not ended after ${most} steps: let its outcome() come to an end, or raise steps in the contest`,
  )
}
