import { createHash, randomBytes } from 'node:crypto'
import {
  type Contest,
  type GameKit,
  type SettleSpec,
  type TournamentSpec,
  UserError,
  derive,
  didYouMean,
  newLuck,
  shuffle,
} from '../core/index.js'
import { joinCommand } from '../contest/index.js'
import { canonical, isChanceless } from '../match/index.js'
import type { Entrant } from '../engine/index.js'
import type { IsolationOptions } from './holding.js'
import type { EntrantInfo, RunPlan } from '../store/index.js'

/** What the command line says of a run. */
export interface RunOptions extends IsolationOptions {
  readonly seed?: string
  readonly jobs?: number
  readonly only?: readonly string[]
  readonly against?: readonly string[]
  readonly matches?: number
  readonly out?: string
  readonly resume?: boolean
  readonly fresh?: boolean
  readonly workspace?: string
  /** After so many faults an entrant is disqualified. */
  readonly maxFaults?: number
  /** Played until so many places are decided; all: the whole order. */
  readonly untilSettled?: number | 'all'
  readonly budget?: number
  readonly confidence?: number
  /** One bot is timed at a time on each core. */
  readonly strictTiming?: boolean
  /** Who gives no answer at the first question plays all the same. */
  readonly admitAnyway?: boolean
  /** Seconds that a match waits for a machine that is too busy. */
  readonly patience?: number
}

/**
 * The options with `only` and `against` as the entrants' names: a name that holds a comma was split there, so its parts are put
 * together again. Throws UserError for a name that is not among them.
 */
export function named<Options extends Pick<RunOptions, 'only' | 'against'>>(
  options: Options,
  names: readonly string[],
): Options {
  const { only, against } = options
  return {
    ...options,
    ...(only && { only: rejoined(only, names) }),
    ...(against && { against: rejoined(against, names) }),
  }
}

function rejoined(parts: readonly string[], names: readonly string[]): string[] {
  const spread = (name: string): string[] => name.split(',').map((part) => part.trim())
  const found: string[] = []
  for (let at = 0; at < parts.length;) {
    const fits = names.filter((name) => spread(name).every((part, i) => part === parts[at + i]))
    // "A, B" before "A", where both are there.
    const [longest] = fits.sort((a, b) => spread(b).length - spread(a).length)
    if (longest === undefined) {
      const part = parts[at] ?? ''
      throw new UserError(`no entrant "${part}"${didYouMean(part, names)}; there are ${names.join(', ')}`)
    }
    found.push(longest)
    at += spread(longest).length
  }
  return found
}

/** A contest with what the command line changes of it, its names as `named` gives them. */
export function narrowed<Entry extends { readonly spec: { readonly name: string } }>(
  contest: Contest,
  entries: readonly Entry[],
  options: RunOptions,
): { contest: Contest; entries: readonly Entry[]; wanted?: (names: readonly string[]) => boolean } {
  const { only, against, matches } = options
  if (against !== undefined && only === undefined)
    throw new UserError('--against needs --only: who plays against these?')
  const settle = settleOf(options)
  const format = {
    ...contest.format,
    ...(matches !== undefined && { repetitions: matches }),
    ...(settle && { settle }),
  }
  if (only === undefined) return { contest: { ...contest, format }, entries }
  const kept = new Set([...only, ...(against ?? [])])
  const wanted = wantedBy({ only, ...(against && { against }) })
  return {
    contest: { ...contest, format, entrants: contest.entrants.filter(({ name }) => kept.has(name)) },
    entries: entries.filter(({ spec }) => kept.has(spec.name)),
    ...(wanted && { wanted }),
  }
}

function settleOf({ untilSettled, budget, confidence }: RunOptions): SettleSpec | undefined {
  if (untilSettled === undefined && (budget ?? confidence) !== undefined)
    throw new UserError('--budget and --confidence need --until-settled: how many places are to be decided?')
  if (untilSettled === undefined) return undefined
  return {
    ...(untilSettled !== 'all' && { top: untilSettled }),
    ...(budget !== undefined && { budget }),
    ...(confidence !== undefined && { confidence }),
  }
}

/** Whether these may meet, where --against says that not all may. */
export function wantedBy({
  only,
  against,
}: Pick<RunOptions, 'only' | 'against'>): ((names: readonly string[]) => boolean) | undefined {
  const chosen = new Set(only)
  return against && ((playing) => playing.some((name) => chosen.has(name)))
}

/** The tournament's spec for those that were admitted. `before`: the plan of the run that goes on. */
export function specOf(
  contest: Contest,
  kit: GameKit,
  entrants: readonly Entrant[],
  seed: string,
  wanted?: (names: readonly string[]) => boolean,
  before?: RunPlan,
): TournamentSpec {
  // A run that began before this was asked goes on as it began.
  const chanceless =
    before === undefined ? playsOff(contest) && isChanceless(kit, contest.options, 2) : before.chanceless
  const names = entrants.map(({ name }) => name)
  return {
    format: contest.format,
    scoring: contest.scoring,
    names,
    seed,
    seats: kit.game.seats,
    shuffled: entrants.some(({ memory }) => memory === 'tournament'),
    ...(chanceless && { chanceless }),
    ...(wanted && { wanted: (playing) => wanted(playing.map((entrant) => names[entrant] ?? '')) }),
  }
}

/** Whether a tie may lead to further matches, of which it matters whether they repeat each other. */
const playsOff = ({ format }: Contest): boolean => format.playoff > 0

/** What a run plays, as the store keeps it. */
export function planOf(
  { options, format, scoring, limits, entrants }: Contest,
  { names, seats, shuffled, chanceless }: TournamentSpec,
  run: RunOptions,
  gameFile: string | undefined,
  leftOut: RunPlan['leftOut'] = [],
): RunPlan {
  const { only, against } = run
  const authors = authorsOf(entrants)
  const asked = Object.fromEntries(ASKED.flatMap((name) => (run[name] === undefined ? [] : [[name, run[name]]])))
  return {
    options,
    format,
    scoring,
    limits,
    names,
    seats,
    shuffled,
    ...(chanceless && { chanceless }),
    ...(only && { only }),
    ...(against && { against }),
    ...(Object.keys(asked).length > 0 && { asked }),
    ...(gameFile !== undefined && { gameFile }),
    ...(Object.keys(authors).length > 0 && { authors }),
    ...(leftOut.length > 0 && { leftOut }),
  }
}

/** By name: the persons who wrote the entrants, where the contest says. */
export const authorsOf = (entrants: Contest['entrants']): Record<string, string> =>
  Object.fromEntries(entrants.flatMap(({ name, author }) => (author === undefined ? [] : [[name, author]])))

/** What to go on with a run takes again, beside who plays and where it is kept. */
const ASKED = [
  'matches',
  'untilSettled',
  'budget',
  'confidence',
  'maxFaults',
  'strictTiming',
  'admitAnyway',
  'unsafeNoIsolation',
  'trust',
] as const satisfies readonly (keyof RunOptions)[]

/** The numbers that the historic wires show: shuffled for each tournament, the same within it. */
export function idsOf(seed: string, entrants: readonly Entrant[]): number[] {
  const names = entrants.map(({ name }) => name)
  const [order] = shuffle(newLuck(derive('ids', seed)), [...names].sort())
  return names.map((name) => order.indexOf(name))
}

/** A seed that nobody can guess: from a short one a bot could compute its opponent's cards. */
export const secretSeed = (): string => randomBytes(16).toString('hex')

/** What is to be said of a seed that is short enough to be found by trying; undefined: nothing, or no stranger's bot plays. */
export function shortSeed(seed: string, entries: readonly { readonly house: boolean }[]): string | undefined {
  if (seed.length >= SEED_LENGTH || entries.every(({ house }) => house)) return undefined
  return `the seed ${JSON.stringify(seed)} is short: a bot could find it by trying, and compute what is hidden from it; for a contest that counts, leave seed out or give one of ${SEED_LENGTH} characters or more`
}
const SEED_LENGTH = 16

/** All that decides what is played, part by part, so that what has changed can be named. */
export function identityOf(
  contest: Contest,
  kit: GameKit,
  seed: string,
  entrants: readonly EntrantInfo[],
  options: RunOptions,
): Record<string, string> {
  const told: Record<string, unknown> = {
    game: `${kit.game.id} version ${kit.game.version}`,
    seed,
    '[options]': contest.options,
    '[format] or --matches': contest.format,
    '[scoring]': contest.scoring,
    '[limits]': contest.limits,
    '--only': options.only ?? [],
    '--against': options.against ?? [],
    ...(options.maxFaults !== undefined && { '--max-faults': options.maxFaults }),
  }
  for (const { name, hash } of entrants) told[`entrant ${name}`] = hash
  return Object.fromEntries(
    Object.entries(told).map(([part, value]) => [
      part,
      createHash('sha256').update(canonical(value)).digest('hex').slice(0, 16),
    ]),
  )
}

/** What is to be typed to go on with a run: all that decides what is played, again. */
export function goOnCommand(ref: string, { only, against, workspace, ...options }: RunOptions, out: string): string {
  const words = ['agon', 'run', ref]
  if (only !== undefined) words.push('--only', only.join(','))
  if (against !== undefined) words.push('--against', against.join(','))
  for (const name of ASKED) {
    const value = options[name]
    if (value === undefined || value === false) continue
    words.push(`--${name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`)
    if (value !== true) words.push(String(value))
  }
  if (workspace !== undefined) words.push('--workspace', workspace)
  return joinCommand([...words, '--resume', '--out', out])
}

/** The tournament's key: over all that decides what it plays. */
export const tournamentKey = (identity: Readonly<Record<string, string>>): string =>
  derive('tournament', canonical(identity))

/** The parts in which two identities differ. */
export function differences(a: Readonly<Record<string, string>>, b: Readonly<Record<string, string>>): string[] {
  return [...new Set([...Object.keys(a), ...Object.keys(b)])].filter((part) => a[part] !== b[part])
}
