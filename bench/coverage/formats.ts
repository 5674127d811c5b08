import type { FormatSpec, Result, TournamentSpec } from '../../src/core/index.js'
import { type RatedGame, bradleyTerry, gamesOf, plackettLuce } from '../../src/stats/index.js'
import { type Stream, stream } from '../../src/stats/stream.js'
import { createTournament, formatOf } from '../../src/tournament/index.js'
import { held, playedByMany, playedByTwo } from '../../test/kit/players.js'
import type { Row } from '../kit.js'
import { FIELDS } from './laws.js'
import { coverage, errors, times } from './rows.js'

/** A format as a contest may have it, for so many entrants. */
export interface Played {
  readonly name: string
  readonly field: number
  readonly format: Partial<FormatSpec> & Pick<FormatSpec, 'kind'>
  /** Seats of a match; 2 unless given. */
  readonly seats?: number
}

export const FORMATS: readonly Played[] = [
  { name: 'round robin', field: 8, format: { kind: 'round-robin', repetitions: 4 } },
  { name: 'ordered pairs', field: 8, format: { kind: 'ordered-pairs', repetitions: 2 } },
  { name: 'gauntlet', field: 8, format: { kind: 'gauntlet', repetitions: 20 } },
  { name: 'last standing', field: 8, format: { kind: 'last-standing', repetitions: 10 } },
  { name: 'swiss', field: 16, format: { kind: 'swiss', rounds: 5, repetitions: 2 } },
  { name: 'elimination', field: 16, format: { kind: 'elimination', repetitions: 5 } },
  { name: 'double elimination', field: 16, format: { kind: 'double-elimination', repetitions: 3 } },
  { name: 'hill', field: 12, format: { kind: 'hill', repetitions: 10, places: 4 } },
  { name: 'ladder', field: 10, format: { kind: 'ladder', repetitions: 1000, placing: 60 } },
  { name: 'groups', field: 7, format: { kind: 'groups', size: 4, repetitions: 1 }, seats: 4 },
  { name: 'heats', field: 9, format: { kind: 'heats', size: 4, repetitions: 6 }, seats: 4 },
  { name: 'free for all', field: 5, format: { kind: 'free-for-all', repetitions: 20 }, seats: 5 },
]

/** Tournaments of that format. */
export function specOf({ field, format, seats = 2 }: Played, seed: string): TournamentSpec {
  return {
    format: { repetitions: 1, swap: true, playoff: 0, ...format },
    scoring: { win: 1, draw: 0.5, loss: 0, ties: [] },
    names: times(field, (i) => `E${String(i).padStart(3, '0')}`),
    seed,
    seats: { min: seats, max: seats },
    shuffled: false,
  }
}

/** Plays a tournament to its end; `play` gives the places of a match by who sits where. */
export function playedOut(
  spec: TournamentSpec,
  play: (seats: readonly number[]) => readonly number[],
): {
  readonly results: ReadonlyMap<string, Result>
  readonly games: readonly RatedGame[]
  readonly ranks: readonly number[]
} {
  const tournament = createTournament(spec)
  const results = new Map<string, Result>()
  const deals = new Map<string, number>()
  for (let round = tournament.next(results); round !== undefined; round = tournament.next(results)) {
    const before = results.size
    for (const { key, seats, deal } of round.series.flatMap(({ pairings }) => pairings)) {
      if (results.has(key)) continue
      results.set(key, { key, seats, outcome: { place: play(seats), reason: '' } })
      deals.set(key, deal)
    }
    if (results.size === before) break
  }
  const games = gamesOf(results.values(), { deal: ({ key }) => deals.get(key) })
  const ranks = times(spec.names.length, () => spec.names.length)
  for (const { entrant, rank } of tournament.standings(results).rows) ranks[entrant] = rank
  return { results, games, ranks }
}

/** A match of players of these strengths, `seat` being what the first seat is worth. */
export const matchOf =
  (luck: Stream, elo: readonly number[], seat = 0) =>
  (seats: readonly number[]): readonly number[] => {
    const [a = 0, b = 0] = seats
    if (seats.length === 2) return playedByTwo(luck, elo, [a, b], 0.3, seat).place
    // What a seat is worth is the strength of who sits there.
    const own = seats.map((e, s) => (elo[e] ?? 0) + (s === 0 ? seat : 0))
    return playedByMany(
      luck,
      own,
      seats.map((_, s) => s),
    ).place
  }

/** The intervals of strengths in each format and kind of field: of all, and of the leader alone. */
export const formats = (all: number): readonly Row[] =>
  FORMATS.flatMap((format) =>
    [...Object.keys(FIELDS), 'equal', 'the first seat worth 200'].flatMap((kind) =>
      oneFormat(format, kind, Math.ceil(all / 4)),
    ),
  )

function oneFormat(format: Played, kind: string, runs: number): readonly Row[] {
  const { name, field } = format
  const luck = stream('formats', name, kind)
  const { unlikeOpponents, survival } = formatOf(format.format.kind)
  const adaptive = unlikeOpponents || survival
  const seat = kind === 'the first seat worth 200' ? 200 : 0
  const all: number[] = []
  const leaders: number[] = []
  for (let n = 0; n < runs; n++) {
    const elo = kind === 'equal' ? times(field, () => 0) : ((FIELDS[kind] ?? FIELDS['normal'])?.(luck, field) ?? [])
    const { games } = playedOut(specOf(format, String(n)), matchOf(luck, elo, seat))
    const ratings = (format.seats === undefined ? bradleyTerry : plackettLuce)(games, field, { adaptive })
    all.push(held(ratings, elo))
    const leader = ratings.rating.indexOf(Math.max(...ratings.rating))
    const mean = elo.reduce((sum, x) => sum + x, 0) / field
    const truth = (elo[leader] ?? 0) - mean
    leaders.push((ratings.low[leader] ?? 0) <= truth && truth <= (ratings.high[leader] ?? 0) ? 1 : 0)
  }
  return [coverage(`${name}, ${kind}`, all), coverage(`${name}, ${kind}, the leader`, leaders)]
}

/** Deals of four that are shared in a square: orders called sure that stand the wrong way round. */
export const squares = (runs: number): readonly Row[] =>
  [0, 0.5, 0.9].flatMap((shared) => {
    const luck = stream('squares', shared)
    const elo = [100, 60, 20, -20, -60, -100]
    let [sure, wrong] = [0, 0]
    const shares = times(Math.ceil(runs / 2), () => {
      const ratings = plackettLuce(squareGames(luck, elo, shared), elo.length)
      for (let a = 0; a + 1 < elo.length; a++) {
        const p = ratings.above(a, a + 1)
        if (p >= 0.975 || p <= 0.025) sure++
        if (p <= 0.025) wrong++
      }
      return held(ratings, elo)
    })
    const what = `deals of four in a square, ${Math.round(100 * shared)} % of the luck the entrant's`
    return [
      coverage(`Plackett–Luce, ${what}`, shares),
      errors(`called sure and wrong: ${what}`, wrong, Math.max(1, sure)),
    ]
  })

/** Thirty deals of four of a field, each in the four rotations of its seats; `shared` of the deals give each entrant one throw for all four. */
function squareGames(luck: Stream, elo: readonly number[], shared: number): RatedGame[] {
  return times(30, (deal) => {
    const left = elo.map((_, i) => i)
    const company = times(4, () => left.splice(luck.below(left.length), 1)[0] ?? 0)
    const throws = new Map(company.map((e) => [e, luck.uniform()]))
    const isShared = luck.uniform() < shared
    return times(4, (turn): RatedGame => {
      const entrants = company.map((_, s) => company[(s + turn) % 4] ?? 0)
      // The greatest of strengths with Gumbel's noise is first as Plackett and Luce have it.
      const value = entrants.map(
        (e) => (elo[e] ?? 0) / 173.7 - Math.log(-Math.log(isShared ? (throws.get(e) ?? 0.5) : luck.uniform())),
      )
      return { entrants, place: value.map((x) => 1 + value.filter((y) => y > x).length), block: String(deal) }
    })
  }).flat()
}
