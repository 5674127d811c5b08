import { message, option, spelled } from '../core/index.js'
import { availableParallelism } from 'node:os'
import type { Context } from './context.js'

/** What is played at the same time. */
export interface Jobs {
  /** Matches, or pairs of them. */
  readonly jobs: number
  /** Bots whose clocks run: as many as there are cores, or as were asked for. */
  readonly timed: number
  /** As many as the user asked for, if he did: of all workers together, where workers play. */
  readonly asked?: number | undefined
}

/**
 * As many jobs as the user asked for, else one a core. Beyond the cores bots wait for each other with their clocks running, which is
 * noted, unless timing is `strict`. Undefined: the verb has no such option.
 */
export function jobsOf(asked: number | undefined, strict: boolean | undefined, { notice, spell }: Context): Jobs {
  const cores = availableParallelism()
  const jobs = asked ?? cores
  if (strict) return { jobs, timed: cores }
  if (jobs > cores) {
    const remedy = strict === undefined ? '' : message`; ${option('strictTiming')} times as many as there are`
    const warning = message`${option('jobs', jobs)}: more bots are timed at once than there are cores (${cores}), and wait for each other${remedy}`
    notice(spelled(warning, spell))
  }
  return { jobs, timed: Math.max(cores, jobs) }
}
