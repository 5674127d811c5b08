import { type Wording, command, message, option } from '../core/index.js'
import type { MatchStore, RunSummary } from '../store/index.js'
import { counted } from '../text/index.js'
import { type EntrantChanges, entrantChangesText } from './identity.js'

/** What is kept of a run that is resumed: 'resuming out: 30 of 40 matches are kept (new: Ant; changed: Bee)'. */
export async function keptText(
  store: MatchStore,
  { id, out, matches, plan }: RunSummary,
  comings: EntrantChanges | undefined,
): Promise<string> {
  if (comings === undefined) return `resuming ${out}: ${counted(matches, 'match is kept', 'matches are kept')}`
  const gone = new Set([...comings.changed, ...comings.left])
  const stay = [...(await store.results(id)).values()].filter(({ seats }) =>
    seats.every((one) => !gone.has(plan.names[one] ?? '')),
  )
  const what = entrantChangesText(comings)
  return `resuming ${out} (${what}): ${stay.length} of its ${counted(matches, 'match', 'matches')} are of bots that stay, and only what is missing is played`
}

/** Why matches that were played by a game's file as it was are kept, and what else can be done. */
export const mendedText = ({ id, plan: { gameFile = 'the game' } }: RunSummary): Wording =>
  message`${gameFile} has changed since this run began: what was played counts as it was played; ${command(`rejudge ${id}`)} judges it by the rules as they are now, and ${option('fresh')} plays all of it again`

/** Why a league begins a new run: its game is another one. */
export const otherGameText = ({ out, matches, plan: { gameFile = 'the game' } }: RunSummary): Wording =>
  message`${gameFile} has changed since ${out} was played, so a new run begins, and none of its ${counted(matches, 'match', 'matches')} is kept: to continue it, put the file back, or give ${option('resume')}`
