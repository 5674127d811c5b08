import type { LogEntry } from '../store/index.js'
import type { Context } from './context.js'
import { type RunRef, withRun } from './stored.js'

/** What was done to a run, the oldest first. Throws UserError where there is no such run. */
export function logOfRun(ref: RunRef, context: Context): Promise<readonly LogEntry[]> {
  return withRun(ref.contest, ref.run, context, (store, run) => store.log(run.id))
}
