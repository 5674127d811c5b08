import { resolveContest } from '../contest/index.js'
import { distrust } from '../files/index.js'
import { lookAhead } from '../sandbox/index.js'
import { isOnServer } from '../store/index.js'
import type { Context } from './context.js'
import { ContestRun } from './contest-run.js'
import type { Jobs } from './jobs.js'
import { openStoreOf } from './open-store.js'
import type { RunEvent, RunOutcome } from './run-events.js'
import { type RunOptions, workersNeedServer } from './run-options.js'

/**
 * Runs a contest to its end, or to where the context's signal ends it, and writes its results. What was done before is not played
 * again. `ref`: a contest's file, the folder of a league, or the name of a game. Throws UserError for what the user can mend, BusyError where the machine is
 * too busy for too long, and the signal's reason where it comes before the first match.
 */
export async function runContest(
  ref: string,
  options: RunOptions & Jobs,
  context: Context,
  on: (news: RunEvent) => void = () => undefined,
): Promise<RunOutcome> {
  distrust(context.workspace)
  // The machine is looked at while the contest is read.
  if (!options.noIsolation) lookAhead()
  const { league = false, ...resolved } = await resolveContest(ref)
  const store = await openStoreOf(context)
  try {
    if (options.workersOnly && !isOnServer(store)) throw workersNeedServer()
    return await new ContestRun(resolved, { ...options, league }, context, store, on).run()
  } finally {
    await store.close()
  }
}
