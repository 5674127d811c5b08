import type { RunSummary } from '../store/index.js'
import type { Context } from './context.js'
import { withStore } from './stored.js'

/** A run as lists show it. */
export type RunListing = Pick<
  RunSummary,
  'id' | 'contest' | 'title' | 'game' | 'seed' | 'state' | 'began' | 'ended' | 'matches' | 'out' | 'agon'
>

/** The runs that the workspace holds, the newest first. Throws UserError where it holds no store. */
export async function listRuns(context: Context): Promise<readonly RunListing[]> {
  const runs = await withStore(context, (store) => store.runs())
  return runs.map(({ id, contest, title, game, seed, state, began, ended, matches, out, agon }) => ({
    id,
    contest,
    title,
    game,
    seed,
    state,
    began,
    ended,
    matches,
    out,
    agon,
  }))
}
