import type { Job } from '../core/index.js'

/** A job that is expected to take so many milliseconds is long. */
const LONG_MS = 600_000
/** Milliseconds of play from which on its time can be told. */
const SURE_MS = 5000

/**
 * Begins to watch a job, to say once that it is expected to take long: it is stored as a whole, so what was played of it is lost where it is
 * interrupted. What it returns is told how many of the job's matches were played by now.
 */
export function longJobWatch(
  { key, pairings }: Job,
  note: (text: string) => void,
  now: () => number = () => performance.now(),
): (matches: number) => void {
  const began = now()
  let isSaid = false
  return (matches) => {
    if (isSaid || matches === pairings.length) return
    const ms = now() - began
    const expected = (ms / matches) * pairings.length
    if (ms < SURE_MS || expected < LONG_MS) return
    isSaid = true
    note(
      `${key}: ${pairings.length} matches that are stored together, in about ${Math.round(expected / 60_000)} minutes; an interruption before that loses them`,
    )
  }
}
