import { UserError } from '../core/index.js'

/** Steps of a match at most, where the contest says nothing. */
export const DEFAULT_STEPS = 100_000

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

/** The mistake of a game that has not ended after so many steps. */
export function endless(game: string, most: number): UserError {
  return new UserError(
    `the game ${game} has not ended after ${most} steps: let its outcome() come to an end, or raise steps in the contest`,
  )
}
