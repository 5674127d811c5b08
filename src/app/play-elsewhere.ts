import type { WorkerPool } from '../engine/index.js'
import { type Store, isOnServer } from '../store/index.js'
import type { Context } from './context.js'
import type { Jobs } from './jobs.js'
import type { RunOptions } from './run-options.js'
import type { ElsewhereRun } from './workers-elsewhere.js'

/** Workers that share the store, where it is on a server; what they take is loaded there alone. */
export async function workersElsewhere(
  run: Omit<ElsewhereRun, 'strictTiming' | 'trust' | 'cap' | 'own'>,
  options: RunOptions & Jobs,
  store: Store,
  context: Context,
): Promise<WorkerPool | undefined> {
  if (!isOnServer(store)) return undefined
  const { jobs, asked, workersOnly = false, strictTiming = false, trust = false } = options
  const { startWorkersElsewhere } = await import('./workers-elsewhere.js')
  const cap = asked === undefined ? {} : { cap: asked }
  return startWorkersElsewhere({ ...run, strictTiming, trust, ...cap, own: workersOnly ? 0 : jobs }, store, context)
}
