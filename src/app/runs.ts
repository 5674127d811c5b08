import type { StoredRun, LogEntry } from '../store/index.js'
import type { Context } from './context.js'
import { withStore, type RunRef, withRun } from './stored.js'
import { UserError } from '../core/index.js'

/** A run as lists show it. */
export interface RunListing extends Pick<
  StoredRun,
  'id' | 'seed' | 'state' | 'began' | 'ended' | 'matches' | 'out' | 'agon'
> {
  /** Its contest's file. */
  readonly contest: string
  readonly title: string
  readonly game: string
}

/** The runs that the workspace holds, the newest first. Throws UserError where it holds no store. */
export async function listRuns(context: Context): Promise<readonly RunListing[]> {
  const runs = await withStore(context, (store) => store.runs())
  return runs.map(({ id, file, contest: { title }, game, seed, state, began, ended, matches, out, agon }) => ({
    id,
    contest: file,
    title,
    game: game.id,
    seed,
    state,
    began,
    ended,
    matches,
    out,
    agon,
  }))
}

/** What was done to a run, the oldest first. Throws UserError where there is no such run. */
export function logOfRun(ref: RunRef, context: Context): Promise<readonly LogEntry[]> {
  return withRun(ref.contest, ref.run, context, (store, run) => store.log(run.id))
}

/**
 * Lets a run begin no more matches; the process that plays it sees it within a second. Returns the run's id. Throws UserError where
 * there is no such run, or it is paused already or has ended.
 */
export const pauseRun = (ref: RunRef, context: Context): Promise<string> => setState(ref, 'paused', context)

/** Lets a paused run go on, where a process still plays it. Returns the run's id. Throws UserError where it is not paused. */
export const continueRun = (ref: RunRef, context: Context): Promise<string> => setState(ref, 'open', context)

function setState(ref: RunRef, state: 'paused' | 'open', context: Context): Promise<string> {
  return withRun(ref.contest, ref.run, context, async (store, run) => {
    if (run.state === state) throw new UserError(`${run.id} is ${state === 'paused' ? 'paused already' : 'not paused'}`)
    if (run.state === 'finished') throw new UserError(`${run.id} has ended`)
    await store.setState(run.id, state)
    await store.note(run.id, state === 'paused' ? 'paused' : 'continued', {})
    return run.id
  })
}
