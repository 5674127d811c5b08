import { availableParallelism } from 'node:os'
import { tell } from './terminal.js'

/** What is played at the same time. */
export interface Jobs {
  /** Matches, or pairs of them. */
  readonly jobs: number
  /** Bots whose clocks run: as many as there are cores, or as were asked for. */
  readonly timed: number
}

/**
 * As many jobs as the user asked for, else one a core. Beyond the cores bots wait for each other with their clocks running, unless
 * `strict`: then it is told, with the remedy where there is one.
 */
export function jobsOf(asked: number | undefined, strict?: { readonly timing: boolean }): Jobs {
  const cores = availableParallelism()
  const jobs = asked ?? cores
  if (strict?.timing) return { jobs, timed: cores }
  if (jobs > cores) {
    const remedy = strict === undefined ? '' : '; --strict-timing times as many as there are'
    tell(
      `--jobs ${jobs}: more bots are timed at once than there are cores (${cores}), and wait for each other${remedy}`,
    )
  }
  return { jobs, timed: Math.max(cores, jobs) }
}
