import {
  type TournamentSpec,
  spelled,
  type Wording,
  command,
  message,
  option,
  type Contest,
  type GameDefinition,
  type Memory,
} from '../core/index.js'
import type { ResolvedContest } from '../contest/index.js'
import type { RunPlan, MatchStore, RunSummary } from '../store/index.js'
import type { Admitted } from './admit.js'
import type { Context } from './context.js'
import type { ContestJson } from './document.js'
import type { OpenRun } from './open-run.js'
import { firstLook, shortSeed } from './plan.js'
import type { RunOptions } from './run-options.js'
import { counted } from '../text/index.js'
import { type EntrantChanges, entrantChangesText } from './identity.js'
import { isChanceless } from '../match/index.js'
import { sharesDeals } from '../tournament/index.js'

/** What is known once a run may begin. */
export interface BegunRun {
  readonly admitted: Admitted
  readonly spec: TournamentSpec
  readonly facts: ContestJson
  readonly tournament: string
  readonly plan: RunPlan
}

/** Notes about a run, before anything is built. */
export function noteRunFacts(
  { authors, contest, entries }: ResolvedContest,
  { seed, before, nothing, other }: OpenRun,
  { matches }: RunOptions,
  { notice, spell }: Context,
): void {
  if (authors !== undefined && matches === undefined)
    notice(spelled(firstLook(contest.format.repetitions, authors), spell))
  const short = before === undefined ? shortSeed(seed, entries) : undefined
  if (short !== undefined) notice(short)
  if (other !== undefined) notice(spelled(otherGameText(other), spell))
  if (nothing) notice('nothing to resume: a new run begins')
}

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

/** What decides whether an entrant may carry a deal from match to match. */
interface Remembering {
  readonly house: boolean
  readonly memory: Memory
}

/**
 * A notice for a person where a stranger's bot that remembers a series is dealt the same luck again with the seats changed: it then knows what
 * the game hides from it. Undefined: no bot is, or the game has no chance.
 */
export function repeatedDeals(
  { format, options }: Pick<Contest, 'format' | 'options'>,
  definition: GameDefinition,
  entrants: readonly Remembering[],
): string | undefined {
  const remembers = ({ house, memory }: Remembering): boolean =>
    !house && (memory === 'series' || memory === 'tournament')
  if (!sharesDeals(format) || !entrants.some(remembers)) return undefined
  if (isChanceless(definition, options, definition.game.seats.min)) return undefined
  const remedy = ['groups', 'ordered-pairs'].includes(format.kind) ? '' : ', or swap = false in [format]'
  return `every deal is played again with the seats changed, and a bot that remembers the match before knows what is hidden: for a contest that counts, set memory = "match" and strict_memory = true${remedy}`
}
