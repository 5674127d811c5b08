import type { LogEntry } from '../../store/index.js'
import type { Context } from '../context.js'
import { withStore } from '../open-store.js'
import { type RunRef, withRun } from '../stored.js'
import { UserError } from '../../core/index.js'

export type RunListing = Awaited<ReturnType<typeof listRuns>>[number]

/** The runs that the workspace holds, the newest first; `contest` is the contest's file. Throws UserError where it holds no store. */
export async function listRuns(context: Context) {
  const runs = await withStore(context, (store) => store.runs())
  return runs.map(({ id, file, contest: { title }, game, seed, state, began, ended, matches, out, agon }) => {
    return { id, contest: file, title, game: game.id, seed, state, began, ended, matches, out, agon }
  })
}

/** What was done to a run, the oldest first. Throws UserError where there is no such run. */
export function logOfRun(ref: RunRef, context: Context): Promise<readonly LogEntry[]> {
  return withRun(ref.contest, ref.run, context, (store, run) => store.log(run.id))
}

/** Lets a run begin no more matches, within a second. Returns its id. Throws UserError if there is none, or it is paused already or has ended. */
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
