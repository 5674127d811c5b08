import {
  type Contest,
  type GameDefinition,
  type Memory,
  type Wording,
  command,
  message,
  option,
  visible,
} from '../../core/index.js'
import { isChanceless } from '../../match/index.js'
import type { MatchStore, StoredRun } from '../../store/index.js'
import { counted } from '../../text/index.js'
import { sharesDeals } from '../../tournament/index.js'
import type { EntrantChanges } from './same.js'

/* What is said of a run before its first match. */

export const firstLookText = ({ format }: Contest, full: number): Wording =>
  message`a first look, with ${format.repetitions} repetitions; ${option('matches', full)} is the author's figure`

/** What is kept of a run that is resumed: 'resuming out (new: Ant; changed: Bee): 30 of its 40 matches are of bots that stay …'. */
export async function keptText(
  store: MatchStore,
  { id, out, matches, entrants }: StoredRun,
  changes: EntrantChanges | undefined,
): Promise<string> {
  if (changes === undefined) return `resuming ${out}: ${counted(matches, 'match is kept', 'matches are kept')}`
  const { joined, changed, left } = changes
  const parts = { new: joined, changed, withdrawn: left }
  const what = Object.entries(parts).flatMap(([how, names]) => (names.length ? [`${how}: ${names.join(', ')}`] : []))
  const gone = new Set([...changed, ...left])
  const stay = [...(await store.results(id)).values()].filter(({ seats }) =>
    seats.every((one) => !gone.has(entrants[one]?.name ?? '')),
  )
  return `resuming ${out} (${what.join('; ')}): ${stay.length} of its ${counted(matches, 'match', 'matches')} are of bots that stay, and only what is missing is played`
}

/** Why matches that were played by a game's file as it was are kept, and what else can be done. */
export const mendedText = ({ id, game: { file = 'the game' } }: StoredRun): Wording =>
  message`${file} has changed since this run began: what was played counts as it was played; ${command(`rejudge ${id}`)} judges it by the rules as they are now, and ${option('fresh')} plays all of it again`

/** Why a league begins a new run: its game is another one. */
export const otherGameText = ({ out, matches, game: { file = 'the game' } }: StoredRun): Wording =>
  message`${file} has changed since ${out} was played, so a new run begins, and none of its ${counted(matches, 'match', 'matches')} is kept: to continue it, put the file back, or give ${option('resume')}`

const NAMED = 5

/** A note that matches of a deal do not share their luck, as bots know the match before; undefined: no bot does, or there is no chance. */
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

const SEED_LENGTH = 16

/** The warning about a seed that can be found by trying; undefined: it is long enough, or no stranger's bot plays. */
export function shortSeed(seed: string, entries: readonly { readonly house: boolean }[]): string | undefined {
  if (seed.length >= SEED_LENGTH || entries.every(({ house }) => house)) return undefined
  return `the seed ${JSON.stringify(seed)} is short: a bot could find it by trying, and compute what is hidden from it; for a contest that counts, leave seed out or give one of ${SEED_LENGTH} characters or more`
}
