import { type Contest, type SettleSpec, UserError, didYouMean, message, option } from '../core/index.js'
import type { UnderWay } from '../engine/index.js'
import type { Exclusion } from '../store/index.js'
import type { IsolationOptions } from './isolation.js'

/** The options of a run, beside its contest. */
export interface RunOptions extends IsolationOptions {
  /** Of all chance; absent: the contest's, else a secret one. */
  readonly seed?: string
  /** Names: only these entrants play. */
  readonly only?: readonly string[]
  /** Names: the entrants of `only` meet these, which do not meet each other. */
  readonly against?: readonly string[]
  /** Repetitions a pairing, instead of the contest's. */
  readonly matches?: number
  /** As many repetitions as the contest says for a first look, else 1. */
  readonly quick?: boolean
  /** The archive's folder; absent: a new one below ./agon-results. */
  readonly out?: string
  /** False: none is written, and the folder is but the run's name: what was played lies in the store alone. */
  readonly results?: boolean
  /** Its results have a file a match in the notation of the game's own contest. */
  readonly transcripts?: boolean
  /** Goes on with the run that is there. */
  readonly resume?: boolean
  /** Gives up the run that the folder holds; its matches are taken from the store where they are the same. */
  readonly fresh?: boolean
  /** The contest is a folder, whose run goes on each time that it is run. */
  readonly league?: boolean
  /** Who is out from the beginning. */
  readonly excluded?: readonly Exclusion[]
  /** By names: meetings that a ladder takes over from an earlier run. */
  readonly history?: readonly (readonly [string, string, number])[]
  /** Awaited before so many matches are played: a run that is not to play too many an hour waits. */
  readonly pace?: (matches: number) => Promise<void>
  /** Called, before anything is played, with the port for observers. */
  readonly watched?: (underWay: UnderWay) => void
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
  /** Workers alone play: the store is on a server. */
  readonly workersOnly?: boolean
  /** Its matches go before those of all other runs that workers play. */
  readonly urgent?: boolean
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
    only: only ? rejoined(only, names) : undefined,
    against: against ? rejoined(against, names) : undefined,
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
  const { only, against, quick } = options
  if (quick && options.matches !== undefined)
    throw new UserError(message`${option('quick')} and ${option('matches')} contradict each other: give one of them`)
  const matches = quick ? (contest.format.quick ?? 1) : options.matches
  if (against !== undefined && only === undefined)
    throw new UserError(message`${option('against')} needs ${option('only')}: who plays against these?`)
  const settle = settleOf(options)
  const format = {
    ...contest.format,
    repetitions: matches ?? contest.format.repetitions,
    settle,
  }
  if (only === undefined) return { contest: { ...contest, format }, entries }
  const kept = new Set([...only, ...(against ?? [])])
  const wanted = pairingFilter({ only, against })
  return {
    contest: { ...contest, format, entrants: contest.entrants.filter(({ name }) => kept.has(name)) },
    entries: entries.filter(({ spec }) => kept.has(spec.name)),
    wanted,
  }
}

function settleOf({ untilSettled, budget, confidence }: RunOptions): SettleSpec | undefined {
  if (untilSettled === undefined && (budget ?? confidence) !== undefined)
    throw new UserError(
      message`${option('budget')} and ${option('confidence')} need ${option('untilSettled')}: how many places are to be decided?`,
    )
  if (untilSettled === undefined) return undefined
  return {
    top: untilSettled !== 'all' ? untilSettled : undefined,
    budget,
    confidence,
  }
}

/** Whether these may meet, where `against` says that not all may. */
export function pairingFilter({
  only,
  against,
}: Pick<RunOptions, 'only' | 'against'>): ((names: readonly string[]) => boolean) | undefined {
  const chosen = new Set(only)
  return against && ((playing) => playing.some((name) => chosen.has(name)))
}

/** What is wrong with `workersOnly` where the store is a file. */
export const workersNeedServer = (): UserError =>
  new UserError(
    message`${option('workersOnly')} needs a store on a server: give ${option('store', 'postgres://…')}, AGON_STORE or DATABASE_URL`,
  )
