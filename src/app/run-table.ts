import type { Context } from './context.js'
import { tableFacts } from './document.js'
import type { EloTable } from './ranking/elo-table.js'
import { eloOfRun } from './ranking/run-ratings.js'
import type { RunSummary } from '../store/index.js'
import { type RunRef, type Stand, standOf, withRun } from './stored.js'

export { faultLines } from '../archive/faults.js'
export { crosstableText, crosstableTitle, standingsText } from '../tournament/index.js'

/** The table of a stored run as it stands now, rulings and exclusions applied. */
export interface RunTable extends Stand {
  readonly run: RunSummary
  /** Of games of two. */
  readonly elo: EloTable | undefined
}

/** Counts the table of a stored run; nothing is played. Throws UserError where there is no such run. */
export function tableOfRun(ref: RunRef, context: Context): Promise<RunTable> {
  return withRun(ref.contest, ref.run, context, async (store, run) => {
    const stand = await standOf(store, run)
    return { ...stand, run, elo: await eloOfRun(store, run, stand) }
  })
}

/** A table as one document for programs. */
export function tableDocument({ run, standings, faults, exclusions, finished, elo }: RunTable): unknown {
  return {
    contest: run.title,
    game: run.game,
    seed: run.seed,
    run: run.id,
    state: run.state,
    finished,
    matches: run.matches,
    ...tableFacts(standings, faults, run.plan.authors),
    ...(elo && { elo }),
    ...(exclusions.length > 0 && { excluded: exclusions }),
  }
}
