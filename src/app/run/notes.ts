import {
  spelled,
  type Wording,
  command,
  message,
  option,
  type Contest,
  type GameDefinition,
  type Memory,
  visible,
} from '../../core/index.js'
import type { MatchStore, StoredRun } from '../../store/index.js'
import type { FoundRun } from './find.js'
import type { RunWork } from './options.js'
import { counted } from '../../text/index.js'
import { type EntrantChanges, entrantChangesText } from './same.js'
import { isChanceless } from '../../match/index.js'
import { sharesDeals } from '../../tournament/index.js'

/** Notes about a run, before anything is built. */
export function noteBeginning(
  { resolved: { fullRepetitions, contest, entries }, options, context: { notice, spell } }: RunWork,
  { seed, before, other }: FoundRun,
): void {
  if (fullRepetitions !== undefined)
    notice(
      spelled(
        message`a first look, with ${contest.format.repetitions} repetitions; ${option('matches', fullRepetitions)} is the author's figure`,
        spell,
      ),
    )
  const short = before === undefined ? shortSeed(seed, entries) : undefined
  if (short !== undefined) notice(short)
  if (other !== undefined) notice(spelled(otherGameText(other), spell))
  if (options.resume && before === undefined) notice('nothing to resume: a new run begins')
}

/** What is kept of a run that is resumed: 'resuming out: 30 of 40 matches are kept (new: Ant; changed: Bee)'. */
export async function keptText(
  store: MatchStore,
  { id, out, matches, entrants }: StoredRun,
  comings: EntrantChanges | undefined,
): Promise<string> {
  if (comings === undefined) return `resuming ${out}: ${counted(matches, 'match is kept', 'matches are kept')}`
  const gone = new Set([...comings.changed, ...comings.left])
  const stay = [...(await store.results(id)).values()].filter(({ seats }) =>
    seats.every((one) => !gone.has(entrants[one]?.name ?? '')),
  )
  const what = entrantChangesText(comings)
  return `resuming ${out} (${what}): ${stay.length} of its ${counted(matches, 'match', 'matches')} are of bots that stay, and only what is missing is played`
}

/** Why matches that were played by a game's file as it was are kept, and what else can be done. */
export const mendedText = ({ id, game: { file = 'the game' } }: StoredRun): Wording =>
  message`${file} has changed since this run began: what was played counts as it was played; ${command(`rejudge ${id}`)} judges it by the rules as they are now, and ${option('fresh')} plays all of it again`

/** Why a league begins a new run: its game is another one. */
export const otherGameText = ({ out, matches, game: { file = 'the game' } }: StoredRun): Wording =>
  message`${file} has changed since ${out} was played, so a new run begins, and none of its ${counted(matches, 'match', 'matches')} is kept: to continue it, put the file back, or give ${option('resume')}`

const NAMED = 5

/**
 * A note that matches of a deal do not share their luck, because bots remember the match before: they would know what the next one hides.
 * Undefined: no bot does, or the game has no chance.
 */
export function ownDealsText(
  { format, options }: Pick<Contest, 'format' | 'options'>,
  definition: GameDefinition,
  entrants: readonly { readonly name: string; readonly memory: Memory }[],
): string | undefined {
  const remembering = entrants.filter(({ memory }) => memory === 'series' || memory === 'tournament')
  if (remembering.length === 0 || !sharesDeals(format)) return undefined
  if (isChanceless(definition, options, definition.game.seats.min)) return undefined
  const named = remembering.slice(0, NAMED).map(({ name }) => visible(name))
  const more = remembering.length > NAMED ? `, and ${remembering.length - NAMED} more` : ''
  return `each match of bots that remember the match before has a deal of its own (${named.join(', ')}${more}): memory = "match" lets both orders of seats share a deal, so that luck decides less`
}

/** The warning about a seed that can be found by trying; undefined: it is long enough, or no stranger's bot plays. */
export function shortSeed(seed: string, entries: readonly { readonly house: boolean }[]): string | undefined {
  if (seed.length >= SEED_LENGTH || entries.every(({ house }) => house)) return undefined
  return `the seed ${JSON.stringify(seed)} is short: a bot could find it by trying, and compute what is hidden from it; for a contest that counts, leave seed out or give one of ${SEED_LENGTH} characters or more`
}
const SEED_LENGTH = 16
