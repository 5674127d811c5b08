import { type Standings, UserError } from '../../core/index.js'
import type { FaultCount } from '../../results/faults.js'
import { folderSource, publishedTable } from '../../results/index.js'
import { publishedText } from '../../text/index.js'
import type { Context } from '../context.js'
import { tableFacts } from './document.js'
import { strengthsOfRun } from '../compare/run-strengths.js'
import { type Strengths, eloDocument } from '../compare/strengths.js'
import type { Exclusion, StoredRun, Store } from '../../store/index.js'
import type { Crosstable } from '../../tournament/index.js'
import { type PlayedRunRef, type RunRef, gameOf, standingsOfRun, withRun } from '../stored.js'

export { faultLines } from '../../results/faults.js'
export { standingsText } from '../../text/index.js'
export { crosstableText, crosstableTitle } from '../../tournament/index.js'

/** The table of a stored run as it stands now, rulings and exclusions applied, with the strengths beside its points. */
export interface RunTable extends Strengths {
  readonly run: StoredRun
  readonly standings: Standings
  readonly crosstable: Crosstable
  readonly faults: FaultCount
  readonly exclusions: readonly Exclusion[]
  /** Nothing is left to play. */
  readonly finished: boolean
}

/** Of very many matches strengths are those that were kept at the run's last end. */
async function countTable(store: Store, run: StoredRun): Promise<RunTable> {
  const current = await standingsOfRun(store, run)
  return { run, ...current, crosstable: current.crosstable(), ...(await strengthsOfRun(store, run, current)) }
}

/** The table of a stored run; nothing is played. Throws UserError where there is no such run. */
export function tableOfRun(ref: RunRef, context: Context): Promise<RunTable> {
  return withRun(ref.contest, ref.run, context, countTable)
}

/** The same as the author of the contest published it, each line with its end. Throws UserError where the game has no such form. */
export function publishedTableOfRun(ref: PlayedRunRef, context: Context): Promise<string> {
  return withRun(ref.contest, ref.run, context, async (store, run) => {
    const definition = await gameOf(run, ref.gameFile)
    const { standings } = await countTable(store, run)
    const { contest } = folderSource(run.out)
    const table = publishedTable(definition, contest, standings.columns, standings.rows)
    if (table === undefined) throw new UserError(`${run.game.id} has no published table: leave the option out`)
    return publishedText(table)
  })
}

/** Milliseconds between two looks at a run that is watched. */
const WATCH_MS = 1000

/** Gives the table of a stored run now, and each time that it has changed, until the run has ended. Throws as `tableOfRun`. */
export async function watchTable(ref: RunRef, context: Context, show: (table: RunTable) => void): Promise<void> {
  let shown = ''
  for (;;) {
    const table = await tableOfRun(ref, context)
    const { id, matches, state } = table.run
    const now = `${id} ${matches} ${state} ${table.exclusions.length}`
    if (now !== shown) show(table)
    shown = now
    if (state === 'finished') return
    await new Promise((done) => setTimeout(done, WATCH_MS))
  }
}

/** A table as one document for programs. */
export function tableDocument({ run, standings, faults, exclusions, finished, elo, scores }: RunTable): unknown {
  return {
    contest: run.contest.title,
    game: run.game.id,
    seed: run.seed,
    run: run.id,
    state: run.state,
    finished,
    matches: run.matches,
    ...tableFacts(standings, faults, run.entrants),
    elo: elo ? eloDocument(elo) : undefined,
    scores,
    excluded: exclusions.length > 0 ? exclusions : undefined,
  }
}
