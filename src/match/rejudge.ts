import type { GameDefinition, MatchRecord, Outcome } from '../core/index.js'
import { RecordError, endingOf, walk } from './judge.js'

/** What the rules as they are now make of a match that was played under older ones. */
export type Rejudged =
  | { readonly outcome: Outcome }
  /** Its answers do not lead to an end any more: how it would have gone on is not determined. */
  | { readonly open: string }

/**
 * Judges the raw answers of a match by the game's current version, whichever it was played under. A match that now ends before
 * its last answer has the outcome of that end. What the rules cannot follow, an option or a wire that is gone included, is open.
 */
export function rejudge(definition: GameDefinition, record: MatchRecord): Rejudged {
  let last: { readonly state: unknown } | undefined
  try {
    const steps = walk(definition, { ...record, version: definition.game.version })
    for (;;) {
      const next = steps.next()
      if (next.done) return { outcome: next.value }
      last = { state: next.value.after }
    }
  } catch (error) {
    if (!(error instanceof RecordError)) throw error
    const outcome = last && endingOf(definition, last.state, record)
    return outcome === undefined ? { open: error.message } : { outcome }
  }
}
