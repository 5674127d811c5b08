import type { WorkerPool } from '../engine/index.js'
import { type Store, isOnServer } from '../store/index.js'
import type { Context } from './context.js'
import type { Jobs } from './jobs.js'
import type { RunOptions } from './run-options.js'
import type { ElsewhereRun } from './workers-elsewhere.js'

/** Workers that share the store, if it is on a server; pg-boss is loaded only then. */
export async function workersElsewhere(
  run: Omit<ElsewhereRun, 'strictTiming' | 'trust' | 'cap' | 'own' | 'urgent'>,
  options: RunOptions & Jobs,
  store: Store,
  context: Context,
): Promise<WorkerPool | undefined> {
  if (!isOnServer(store)) return undefined
  const { jobs, asked: cap, workersOnly = false, strictTiming = false, trust = false, urgent = false } = options
  const { startWorkersElsewhere } = await import('./workers-elsewhere.js')
  const own = workersOnly ? 0 : jobs
  return startWorkersElsewhere({ ...run, strictTiming, trust, urgent, cap, own }, store, context)
}
