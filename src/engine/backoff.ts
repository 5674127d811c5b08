import { BusyError } from '../core/index.js'

/** How long a match waits for a busy machine, in milliseconds. */
export interface BackoffSetting {
  readonly shortest: number
  readonly longest: number
  /** Least sum of a match's pauses: after it, it is not tried again. */
  readonly total: number
}
const USUAL: BackoffSetting = { shortest: 1000, longest: 60_000, total: 30 * 60_000 }

/** The usual pauses, for so many seconds in all. */
export const backoffOf = (seconds: number): BackoffSetting => ({ ...USUAL, total: seconds * 1000 })

/**
 * Pauses of a match that is void because the machine is too busy: each as long as all before it, so that they grow until the load falls. Their
 * sum is bounded: a match that needs more than this machine has would else be tried for ever. The function gives the milliseconds until the
 * next attempt, and throws a BusyError once the match has waited its time.
 */
export function backoffPauses({ shortest, longest, total } = USUAL): (error: BusyError) => number {
  let waited = 0
  return (error) => {
    if (waited >= total) {
      const still = waited === 0 ? '' : `, still after ${inSeconds(waited)} s of waiting`
      throw new BusyError(`${error.message}${still}. What is done is kept`)
    }
    const ms = Math.min(Math.max(waited, shortest), longest)
    waited += ms
    return ms
  }
}

/** Whole seconds, for a person. */
export const inSeconds = (ms: number): number => Math.max(1, Math.round(ms / 1000))

/** Does work, and tries it again after growing pauses while the machine is too busy. Rejects with a BusyError where it stays so. */
export async function untilCalm<T>(
  work: () => Promise<T>,
  note: (text: string) => void,
  setting?: BackoffSetting,
): Promise<T> {
  const pause = backoffPauses(setting)
  for (;;) {
    try {
      return await work()
    } catch (error) {
      if (!(error instanceof BusyError)) throw error
      const ms = pause(error)
      note(`${error.message}; tried again in ${inSeconds(ms)} s`)
      await new Promise((done) => setTimeout(done, ms))
    }
  }
}
