import { type SettleSpec, UserError, didYouMean, message, option } from '../../core/index.js'
import { type ResolvedContest, resolveContest } from '../../contest/index.js'
import type { ContestFlags } from './options.js'

/** Reads a contest (its file, the folder of a league, or the name of a game) as the flags change it. Throws UserError for what is wrong in either. */
export const parse = async (ref: string, flags: ContestFlags): Promise<ResolvedContest> =>
  withFlags(await resolveContest(ref), flags)

/** A contest with what flags change of it: here they become part of it, and nowhere else. */
export function withFlags(resolved: ResolvedContest, flags: ContestFlags): ResolvedContest {
  const { contest, entries } = resolved
  const { quick, matches, maxFaults, seed = contest.seed } = flags
  const names = contest.entrants.map(({ name }) => name)
  const only = flags.only && rejoined(flags.only, names)
  const against = flags.against && rejoined(flags.against, names)
  if (quick && matches !== undefined)
    throw new UserError(message`${option('quick')} and ${option('matches')} contradict each other: give one of them`)
  if (against !== undefined && only === undefined)
    throw new UserError(message`${option('against')} needs ${option('only')}: who plays against these?`)
  const { format } = contest
  const repetitions = (quick ? (format.quick ?? 1) : matches) ?? format.repetitions
  const kept = only && new Set([...only, ...(against ?? [])])
  return {
    ...resolved,
    fullRepetitions: matches === undefined ? resolved.fullRepetitions : undefined,
    contest: {
      ...contest,
      seed,
      format: { ...format, repetitions, settle: settleOf(flags) },
      only,
      against,
      maxFaults,
      entrants: contest.entrants.filter(({ name }) => kept?.has(name) ?? true),
    },
    entries: entries.filter(({ spec }) => kept?.has(spec.name) ?? true),
  }
}

/** A name that holds a comma was split there: its parts are put together again. Throws UserError for a name that is not among them. */
function rejoined(parts: readonly string[], names: readonly string[]): string[] {
  const spread = (name: string): string[] => name.split(',').map((part) => part.trim())
  const found: string[] = []
  for (let at = 0; at < parts.length;) {
    const part = parts[at] ?? ''
    const fits = names.filter((name) => spread(name).every((each, i) => each === parts[at + i]))
    // "A, B" before "A", where both are there.
    const [longest] = fits.sort((a, b) => spread(b).length - spread(a).length)
    if (longest === undefined)
      throw new UserError(`no entrant "${part}"${didYouMean(part, names)}; there are ${names.join(', ')}`)
    found.push(longest)
    at += spread(longest).length
  }
  return found
}

function settleOf({ untilSettled, budget, confidence }: ContestFlags): SettleSpec | undefined {
  if (untilSettled !== undefined) return { top: untilSettled === 'all' ? undefined : untilSettled, budget, confidence }
  if ((budget ?? confidence) === undefined) return undefined
  throw new UserError(
    message`${option('budget')} and ${option('confidence')} need ${option('untilSettled')}: how many places are to be decided?`,
  )
}
