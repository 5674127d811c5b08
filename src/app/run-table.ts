import type { Context } from './context.js'
import { tableFacts } from './document.js'
import { strengthsOfRun } from './ranking/run-ratings.js'
import type { Strengths } from './ranking/strengths.js'
import type { RunSummary } from '../store/index.js'
import { type RunRef, type Stand, standOf, withRun } from './stored.js'

export { faultLines } from '../archive/faults.js'
export { crosstableText, crosstableTitle, standingsText } from '../tournament/index.js'

/** The table of a stored run as it stands now, rulings and exclusions applied. */
export interface RunTable extends Stand, Strengths {
  readonly run: RunSummary
}

/** Counts the table of a stored run; nothing is played. Throws UserError where there is no such run. */
export function tableOfRun(ref: RunRef, context: Context): Promise<RunTable> {
  return withRun(ref.contest, ref.run, context, async (store, run) => {
    const stand = await standOf(store, run)
    return { ...stand, run, ...(await strengthsOfRun(store, run, stand)) }
  })
}

/** A table as one document for programs. */
export function tableDocument({
  run,
  standings,
  faults,
  exclusions,
  finished,
  elo,
  scores,
  repeated,
}: RunTable): unknown {
  return {
    contest: run.title,
    game: run.game,
    seed: run.seed,
    run: run.id,
    state: run.state,
    finished,
    matches: run.matches + repeated.size,
    ...tableFacts(standings, faults, run.plan.authors),
    ...(elo && { elo }),
    ...(scores && { scores }),
    ...(exclusions.length > 0 && { excluded: exclusions }),
  }
}
