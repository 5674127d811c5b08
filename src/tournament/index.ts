import type { FormatKind, FormatSpec, Tournament, TournamentSpec } from '../core/index.js'
import { FORMATS, didYouMean } from '../core/index.js'
import { elimination } from './elimination.js'
import { FormatError } from './pairs.js'
import { freeForAll } from './free-for-all.js'
import { gauntlet } from './gauntlet.js'
import { groups } from './groups.js'
import { heats } from './heats.js'
import { hill } from './hill.js'
import { ladder } from './ladder.js'
import { lastStanding } from './last-standing.js'
import { oneRound } from './one-round.js'
import { orderedPairs } from './ordered-pairs.js'
import { roundRobin } from './round-robin.js'
import { untilSettled } from './settling.js'
import { swiss } from './swiss.js'

export {
  crosstable,
  type Crosstable,
  gridOf,
  OPPONENTS,
  crosstableCsv,
  crosstableMarkdown,
  crosstableText,
  crosstableTitle,
} from './crosstable.js'
export { countedTable, type PairCount } from './counted-table.js'
export { FormatError } from './pairs.js'
export { isPlayoff } from './keys.js'
export { standingsCsv, standingsMarkdown, standingsText } from './standings.js'

/**
 * The tournament of a contest. Throws a FormatError where the format does not fit the game or the entrants, or where no two of
 * the entrants asked for may meet. The same spec gives the same tournament: its chance comes from `spec.seed` alone.
 */
export function createTournament(spec: TournamentSpec): Tournament {
  refuse(spec)
  const tournament = build(spec)
  const plain = tournament.total(new Map())
  if (plain === 0) throw new FormatError('nothing to play: no two of the entrants asked for may meet')
  return spec.format.settle ? untilSettled(spec, plain) : tournament
}

function build(spec: TournamentSpec): Tournament {
  const { kind } = spec.format
  switch (kind) {
    case 'round-robin':
      return oneRound(spec, roundRobin(forTwo(spec)))
    case 'ordered-pairs':
      return oneRound(spec, orderedPairs(forTwo(spec)))
    case 'last-standing':
      return lastStanding(forTwo(spec))
    case 'free-for-all':
      return oneRound(spec, freeForAll(spec))
    case 'groups':
      return oneRound(spec, groups(spec))
    case 'heats':
      return oneRound(spec, heats(spec))
    case 'gauntlet':
      return gauntlet(forTwo(spec))
    case 'swiss':
      return swiss(forTwo(spec))
    case 'elimination':
      return elimination(forTwo(spec))
    case 'hill':
      return hill(forTwo(spec))
    case 'ladder':
      return ladder(forTwo(spec))
    default:
      throw new FormatError(
        `no format is called ${JSON.stringify(kind)}${didYouMean(kind, FORMATS)}; there are ${FORMATS.join(', ')}`,
      )
  }
}

/** More repetitions than anyone plays: a slip of the hand, and more than a schedule can hold. */
const MOST = 1_000_000
/** The same of further matches: an elimination has all of a pairing in its schedule from the beginning. */
const MOST_FURTHER = 1000

/** What is wrong whatever the format. */
function refuse(spec: TournamentSpec): void {
  const { format, names } = spec
  const { kind, repetitions, playoff } = format
  if (names.length < 2)
    throw new FormatError(`a tournament needs at least 2 entrants, and there is ${names[0] ?? 'none'}`)
  const twice = names.find((name, i) => names.indexOf(name) < i)
  if (twice !== undefined) throw new FormatError(`two entrants are called ${JSON.stringify(twice)}`)
  if (!Number.isInteger(repetitions) || repetitions < 1 || repetitions > MOST) {
    throw new FormatError(
      `repetitions: ${repetitions} is not a whole number from 1${repetitions > MOST ? ` to ${MOST}` : ''}`,
    )
  }
  if (!Number.isInteger(playoff) || playoff < 0 || playoff > MOST_FURTHER)
    throw new FormatError(
      `playoff: ${playoff} is not a whole number from 0${playoff > MOST_FURTHER ? ` to ${MOST_FURTHER}` : ''}`,
    )
  if (playoff > 0 && !['round-robin', 'ordered-pairs', 'elimination'].includes(kind)) {
    throw new FormatError(
      `a playoff settles round-robin, ordered-pairs and elimination, not ${kind}: leave "playoff" out`,
    )
  }
  if (format.self) refuseSelf(spec)
  for (const [key, kinds] of OWN) {
    if (format[key] !== undefined && !kinds.includes(kind))
      throw new FormatError(`"${key}" is for ${kinds.join(' and ')}, not for ${kind}: leave it out`)
  }
}

/** Keys that only some formats have. */
const OWN: readonly (readonly [keyof FormatSpec, readonly FormatKind[]])[] = [
  ['size', ['groups', 'heats']],
  ['rounds', ['swiss']],
  ['places', ['hill']],
  ['placing', ['ladder']],
  ['hourly', ['ladder']],
  ['challengers', ['gauntlet']],
  ['seeding', ['swiss', 'elimination']],
  ['self', ['round-robin', 'ordered-pairs']],
]

/** A match against oneself tells nothing where wins count, and a bot has but one life. */
function refuseSelf({ scoring, shuffled, seats }: TournamentSpec): void {
  if (scoring.by !== 'score')
    throw new FormatError(
      'self = true is for scores: whoever meets itself wins as often as it loses; say [scoring] by = "score"',
    )
  if (shuffled)
    throw new FormatError('self = true: a bot whose memory is "tournament" has one life, and cannot meet itself')
  if (seats.min > 2 || seats.max < 2) throw new FormatError('self = true is for games with two seats')
}

function forTwo(spec: TournamentSpec): TournamentSpec {
  const { min, max } = spec.seats
  if (min <= 2 && max >= 2) return spec
  throw new FormatError(
    `${spec.format.kind} is for games with two seats, and this one seats ${min === max ? min : `${min} to ${max}`}: use groups or free-for-all`,
  )
}

/** Whether a format plays a deal of luck in several orders of seats. */
export function sharesDeals({ kind, swap, repetitions, settle }: FormatSpec): boolean {
  if (kind === 'ordered-pairs') return true
  const isRotated = ['free-for-all', 'groups', 'heats', 'ladder'].includes(kind)
  return swap && (isRotated || repetitions > 1 || settle !== undefined)
}
