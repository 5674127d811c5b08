import { UserError } from '../core/index.js'
import { MatchesTakenBack, WorkerDistrusted, type WorkerPool } from '../engine/index.js'
import { type ServerStore, type Store, isOnServer } from '../store/index.js'
import { counted } from '../text/index.js'
import type { Context } from './context.js'
import type { Jobs } from './jobs.js'
import type { RunOptions } from './run-options.js'
import type { ElsewhereRun } from './workers-elsewhere.js'

/** Plays a run; where a worker was found out meanwhile, again, without what that one has played of it. Throws what `play` throws. */
export async function untilBelieved<T>(
  run: string,
  store: Store,
  context: Context,
  play: () => Promise<T>,
): Promise<T> {
  const aside = new Set<string>()
  const again = new Set<string>()
  for (;;) {
    try {
      return await play()
    } catch (error) {
      if (error instanceof MatchesTakenBack) {
        context.notice(`${error.message}, which found a worker that is not to be believed: they are played again`)
        continue
      }
      if (!(error instanceof WorkerDistrusted) || !isOnServer(store)) throw error
      const { worker, why, jobs } = error
      // Matches that lay there before are taken back once each; one that is forged again is being written now.
      if (worker === '' && (jobs.length === 0 ? aside.has('') : jobs.some((key) => again.has(key))))
        throw new UserError(
          `${why}: the matches were written into the database by hand; give it another password, and resume the run`,
        )
      if (worker !== '' && aside.has(worker))
        throw new UserError(
          `${why}: the worker ${worker} continues although it was set aside; give the database another password, and resume the run`,
        )
      aside.add(worker)
      for (const key of jobs) again.add(key)
      await setAside(error, run, store, context)
    }
  }
}

/** Sets a worker aside, and takes back what it played in a run. */
async function setAside(
  { worker, why, jobs }: WorkerDistrusted,
  run: string,
  store: ServerStore,
  { notice }: Context,
): Promise<void> {
  const gone = await store.takeBack(run, worker, why, jobs)
  const matches = counted(gone.matches, 'match', 'matches')
  if (gone.others.length > 0)
    notice(`some of these matches counted in other runs, too, which lack them now: resume ${gone.others.join(', ')}`)
  notice(
    worker === ''
      ? `${why}; no worker says that it stored this, which is played again (${matches})`
      : `the worker ${worker} is set aside: ${why}; what it played is played again (${matches})`,
  )
}

/** Workers that share the store, where it is on a server; what they take is loaded there alone. */
export async function workersElsewhere(
  run: Omit<ElsewhereRun, 'strictTiming' | 'trust' | 'cap' | 'own' | 'urgent'>,
  options: RunOptions & Jobs,
  store: Store,
  context: Context,
): Promise<WorkerPool | undefined> {
  if (!isOnServer(store)) return undefined
  const { jobs, asked, workersOnly = false, strictTiming = false, trust = false, urgent = false } = options
  const { startWorkersElsewhere } = await import('./workers-elsewhere.js')
  const cap = asked === undefined ? {} : { cap: asked }
  const own = workersOnly ? 0 : jobs
  return startWorkersElsewhere({ ...run, strictTiming, trust, urgent, ...cap, own }, store, context)
}
