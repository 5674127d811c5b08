import type { Tournament, TournamentSpec } from '../core/index.js'
import type { Blocks, Format } from './format.js'
import { FORMATS, formatOf, kindsOf, kindsWith } from './formats.js'
import { FormatError, refuseCount, seatsText } from './pairs.js'
import { untilSettled } from './settling.js'
import { byTeam } from './teams.js'
import { listed } from '../text/index.js'

export * from './crosstable.js'
export { countedTable } from './counted-table.js'
export { FORMAT_KINDS, FORMATS, entrantsAMatch, formatOf, kindsWith, playersOf, sharesDeals } from './formats.js'
export { FormatError } from './pairs.js'
export { isPlayoff } from './keys.js'

/**
 * The tournament of a contest; its chance comes from `spec.seed` alone. Throws FormatError where the format does not
 * fit the game or the entrants, or no two of the entrants asked for may meet.
 */
export function createTournament(spec: TournamentSpec): Tournament {
  const format = formatOf(spec.format.kind)
  return spec.format.by === 'team' ? byTeam(spec, (teams) => built(teams, format)) : built(spec, format)
}

function built(spec: TournamentSpec, format: Format): Tournament {
  refuse(spec, format)
  const tournament = format.build(spec)
  const plain = tournament.total(new Map())
  if (plain === 0) throw new FormatError('nothing to play: no two of the entrants asked for may meet')
  return spec.format.settle ? untilSettled(spec, blocksOf(spec, format), plain) : tournament
}

/** More repetitions than a schedule can hold; an elimination schedules all further matches at the start. */
const [MOST, MOST_FURTHER] = [1_000_000, 1000]

/** What is wrong by what the format's record says. */
function refuse(spec: TournamentSpec, { keys, playoff: playoffs, sizes }: Format): void {
  const { format, names } = spec
  const { kind, repetitions, playoff } = format
  if (names.length < 2)
    throw new FormatError(`a tournament needs at least 2 entrants, and there is ${names[0] ?? 'none'}`)
  const twice = names.find((name, i) => names.indexOf(name) < i)
  if (twice !== undefined) throw new FormatError(`two entrants are called ${JSON.stringify(twice)}`)
  refuseCount('repetitions', repetitions, 1, MOST)
  refuseCount('playoff', playoff, 0, MOST_FURTHER)
  if (playoff > 0 && playoffs === undefined) {
    const kinds = kindsOf((one) => one.playoff !== undefined)
    throw new FormatError(`a playoff settles ${listed(kinds)}, not ${kind}: leave "playoff" out`)
  }
  if (format.self) refuseSelf(spec)
  const other = FORMATS.flatMap((one) => one.keys).find((key) => format[key] !== undefined && !keys.includes(key))
  if (other !== undefined)
    throw new FormatError(`"${other}" is for ${listed(kindsWith(other))}, not for ${kind}: leave it out`)
  const { min, max } = spec.seats
  if ((min > 2 || max < 2) && (sizes === undefined || (sizes === 'given' && format.size === undefined)))
    throw new FormatError(
      `${kind} is for games with two seats, and this one seats ${seatsText(spec.seats)}: use groups or free-for-all`,
    )
}

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

function blocksOf(spec: TournamentSpec, { kind, blocks }: Format): Blocks {
  if (spec.shuffled) {
    throw new FormatError(
      'until settled, matches are chosen by results, so no bot may remember one: these have memory = "tournament"',
    )
  }
  if (blocks !== undefined) return blocks(spec)
  const kinds = kindsOf((one) => one.blocks !== undefined)
  throw new FormatError(`only ${listed(kinds)} can be played until settled, not ${kind}`)
}
