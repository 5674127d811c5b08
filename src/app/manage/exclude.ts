import { UserError, message, option } from '../../core/index.js'
import type { Exclusion } from '../../store/index.js'
import type { Context } from '../context.js'
import { type RunOptions, optionsOf } from '../run/options.js'
import { type RunRef, entrantNamed, standingsOfRun, withRun } from '../stored.js'
import { formatOf } from '../../tournament/index.js'

/** The entrant that is to be put out of a run, and how its matches count then; the name is found whatever its case. */
export interface ExcludeRequest extends RunRef, Exclusion {}

/** An entrant that is out of a run. */
export interface ExcludeResult extends ChangedField {
  readonly exclusion: Exclusion
}

/** A run in which other entrants play than before. */
export interface ChangedField {
  /** Nothing is left to play. */
  readonly finished: boolean
  /** How the run was wished, and its results folder: to go on with it takes both. */
  readonly options: RunOptions
  readonly out: string
}

/**
 * Withdraws or disqualifies an entrant; the process that plays the run sees it within a second. Throws UserError where there is no
 * such run or entrant, where it is out already, and where matches cannot be lost because more than two play them.
 */
export function excludeEntrant(request: ExcludeRequest, context: Context): Promise<ExcludeResult> {
  const { contest, run: id, status, treatment, why } = request
  return withRun(contest, id, context, async (store, run) => {
    const { format, scoring } = run.contest
    const name = run.entrants[entrantNamed(run, request.name)]?.name ?? request.name
    const before = (await store.exclusions(run.id)).find((one) => one.name === name)
    if (before !== undefined) throw new UserError(`${name} is ${before.status} already`)
    if (treatment === 'lost' && formatOf(format.kind).sizes !== undefined)
      throw new UserError(
        message`${option('matches', 'lost')} needs matches of two: here several opponents would win a match that was not played`,
      )
    if (treatment === 'lost' && format.settle && scoring.by === 'score')
      throw new UserError(
        message`${option('matches', 'lost')}: a lost match has no score, and here places are settled by scores: use ${option('matches', 'void')}`,
      )
    const exclusion = { name, status, treatment, why }
    await store.exclude(run.id, exclusion)
    const { finished } = await standingsOfRun(store, run)
    return { exclusion, finished, options: optionsOf(run), out: run.out }
  })
}

/**
 * Lets an entrant that was withdrawn or disqualified play again: its matches count, and those that it has not played are to be played. Throws
 * UserError where there is no such run or entrant, and where it is not out.
 */
export function readmitEntrant(
  { contest, run: id, ...request }: RunRef & { readonly name: string; readonly why: string },
  context: Context,
): Promise<ChangedField & { readonly name: string }> {
  return withRun(contest, id, context, async (store, run) => {
    const name = run.entrants[entrantNamed(run, request.name)]?.name ?? request.name
    if (!(await store.exclusions(run.id)).some((one) => one.name === name))
      throw new UserError(`${name} is not out of the run: there is nothing to undo`)
    await store.readmit(run.id, name, request.why)
    const { finished } = await standingsOfRun(store, run)
    return { name, finished, options: optionsOf(run), out: run.out }
  })
}
