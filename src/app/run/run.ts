import { message, option } from '../../core/index.js'
import type { ResolvedContest } from '../../contest/index.js'
import { distrust } from '../../files/index.js'
import { lookAhead } from '../../sandbox/index.js'
import { SandboxPool } from '../../bots/index.js'
import type { Store } from '../../store/index.js'
import type { Context } from '../context.js'
import type { Jobs } from '../machine.js'
import { roomsFolder } from '../workspace.js'
import { openStoreOf, serverOf } from '../open-store.js'
import type { RunEvent, RunOptions } from './options.js'
import { parse } from './parse.js'
import { planRun } from './plan.js'
import { playRun } from './play.js'
import type { RunOutcome } from './table.js'

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
  const resolved = await parse(ref, options)
  const store = await openStoreOf(context)
  try {
    if (options.workersOnly) serverOf(store, message`${option('workersOnly')}`)
    return await runParsed(resolved, options, context, store, on)
  } finally {
    await store.close()
  }
}

/** The same of a contest that was read, in a store that is open. */
export async function runParsed(
  resolved: ResolvedContest,
  options: RunOptions & Jobs,
  context: Context,
  store: Store,
  on: (news: RunEvent) => void,
): Promise<RunOutcome> {
  const since = performance.now()
  const { folder: rooms, remove } = roomsFolder(context.workspace)
  const pool = new SandboxPool()
  const work = { resolved, options, context, store, rooms, pool, on, since }
  try {
    return await playRun(await planRun(work))
  } finally {
    await pool.close()
    remove()
  }
}
