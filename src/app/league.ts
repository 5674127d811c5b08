import type { MatchStore, RunSummary } from '../store/index.js'
import { counted } from '../text/index.js'
import { type Comings, comingsText } from './identity.js'

/** What is kept of a run that is resumed: 'resuming out: 30 of 40 matches are kept (new: Ant; changed: Bee)'. */
export async function keptText(
  store: MatchStore,
  { id, out, matches, plan }: RunSummary,
  comings: Comings | undefined,
): Promise<string> {
  if (comings === undefined) return `resuming ${out}: ${counted(matches, 'match is kept', 'matches are kept')}`
  const gone = new Set([...comings.changed, ...comings.left])
  const stay = [...(await store.results(id)).values()].filter(({ seats }) =>
    seats.every((one) => !gone.has(plan.names[one] ?? '')),
  )
  const what = comingsText(comings)
  return `resuming ${out} (${what}): ${stay.length} of its ${counted(matches, 'match', 'matches')} are of bots that stay, and only what is missing is played`
}
