import { type Outcome, UserError, canonical } from '../../core/index.js'
import { rejudge } from '../../match/index.js'
import type { Context } from '../context.js'
import { type PlayedRunRef, gameOf, withRun } from '../stored.js'

/** A match that the rules judge otherwise now than it counts, reported as it is found, in the order in which they were stored. */
export type RejudgeEvent =
  /** Its answers no longer lead to an end: it keeps its result. */
  | { readonly type: 'open'; readonly match: string; readonly why: string }
  | { readonly type: 'changed'; readonly match: string; readonly before: Outcome; readonly after: Outcome }

/** A run judged again. */
export interface RejudgedRun {
  readonly game: { readonly id: string; readonly version: number }
  readonly matches: number
  readonly same: number
  readonly changed: number
  readonly open: number
  /** The changed results count now. */
  readonly applied: boolean
}

/**
 * Judges the stored answers of a run by the rules as they are now. `ruling`: why the results that change shall count from now on;
 * absent: nothing is written. Throws UserError where there is no such run or game or it has no match yet, and the signal's reason
 * between two matches; then nothing was written.
 */
export function rejudgeRun(
  { contest, run: id, gameFile, ruling }: PlayedRunRef & { readonly ruling?: string },
  context: Context,
  on: (news: RejudgeEvent) => void = () => undefined,
): Promise<RejudgedRun> {
  return withRun(contest, id, context, async (store, run) => {
    const definition = await gameOf(run, gameFile)
    const changed: { match: number; outcome: Outcome }[] = []
    let open = 0
    const matches = await store.matches(run.id)
    if (matches.length === 0) throw new UserError(`${run.id} has no matches yet`)
    for (const { id: match, key, outcome } of [...matches].reverse()) {
      context.signal?.throwIfAborted()
      const judged = rejudge(definition, await store.recordOf(match))
      if ('open' in judged) {
        open++
        on({ type: 'open', match: key, why: judged.open })
      } else if (canonical(judged.outcome) !== canonical(outcome)) {
        changed.push({ match, outcome: judged.outcome })
        on({ type: 'changed', match: key, before: outcome, after: judged.outcome })
      }
    }
    const applied = ruling !== undefined && changed.length > 0
    if (applied)
      await store.rule(
        run.id,
        changed.map((one) => ({ ...one, why: ruling })),
      )
    return {
      game: { id: definition.game.id, version: definition.game.version },
      matches: matches.length,
      same: matches.length - changed.length - open,
      changed: changed.length,
      open,
      applied,
    }
  })
}
