import type { Standings } from '../../core/index.js'
import { type Flag, type RatedGame, type SeatAdvantage, bradleyTerry, superiority } from '../../stats/index.js'
import { signed } from '../../text/index.js'

/** What stands beside the points in a table of a game of two: strengths in Elo, and which neighbours are not separated. */
export interface EloTable {
  /** In the table's order. */
  readonly rows: readonly {
    readonly name: string
    readonly rating: number
    readonly low: number
    readonly high: number
    /** The same with the prior's word where the games tell no bound; absent where strengths come from the store. */
    readonly withPrior?: { readonly low: number; readonly high: number }
    readonly flags: readonly Flag[]
  }[]
  /** What sitting first is worth; absent where nothing tells it from strength. */
  readonly seat?: SeatAdvantage
  /** Of each and the next in the table: how probable it is that the upper is the stronger. */
  readonly neighbours: readonly { readonly upper: string; readonly lower: string; readonly superior: number }[]
}

/** The strengths of those in the table; undefined where the games are not all of two, or there are none. */
export function eloTable({ rows }: Standings, games: readonly RatedGame[]): EloTable | undefined {
  const index = new Map(rows.map(({ entrant }, i) => [entrant, i]))
  const own = games.flatMap((game) => {
    const entrants = game.entrants.flatMap((entrant) => index.get(entrant) ?? [])
    return entrants.length === game.entrants.length ? [{ ...game, entrants }] : []
  })
  if (own.length === 0 || own.some(({ entrants }) => entrants.length !== 2)) return undefined
  const ratings = bradleyTerry(own, rows.length)
  return {
    rows: rows.map(({ name }, i) => ({
      name,
      rating: ratings.rating[i] ?? 0,
      low: ratings.low[i] ?? 0,
      high: ratings.high[i] ?? 0,
      withPrior: { low: ratings.withPrior.low[i] ?? 0, high: ratings.withPrior.high[i] ?? 0 },
      flags: ratings.flags[i] ?? [],
    })),
    neighbours: rows.slice(1).map(({ name }, i) => ({
      upper: rows[i]?.name ?? '',
      lower: name,
      superior: superiority(ratings, i, i + 1),
    })),
    seat: ratings.seat,
  }
}

/** The same for programs. */
export const eloDocument = (table: EloTable): object => ({
  ...table,
  rows: table.rows.map(({ name, rating, flags, ...ends }) => ({ name, rating, ...endsDocument(ends), flags })),
})

/** What the first seat is worth, where that is certainly something. */
export const seatNotes = ({ seat }: Pick<EloTable, 'seat'>): string[] =>
  seat === undefined || (seat.low <= 0 && seat.high >= 0)
    ? []
    : [`To sit first is worth ${signed(seat.value)} Elo (95 % interval ${signed(seat.low)} … ${signed(seat.high)}).`]

/** The columns of the table. */
export const eloColumns = ({ rows }: EloTable) => [
  { head: 'Elo', cells: rows.map(({ rating }) => signed(rating)), right: true },
  { head: '95 % interval', cells: rows.map(({ low, high }) => `${signed(low)} … ${signed(high)}`), right: true },
]

interface Ends {
  readonly low: number
  readonly high: number
}

/**
 * The ends of an interval for programs, which need numbers: where the games tell no bound, the end stands by the prior alone, and
 * `unbounded` says so; it is null where that is not known.
 */
export function endsDocument({ low, high, withPrior }: Ends & { readonly withPrior?: Ends | undefined }): object {
  const unbounded = [...(Number.isFinite(low) ? [] : ['low']), ...(Number.isFinite(high) ? [] : ['high'])]
  return {
    low: Number.isFinite(low) ? low : (withPrior?.low ?? null),
    high: Number.isFinite(high) ? high : (withPrior?.high ?? null),
    unbounded: unbounded.length > 0 ? unbounded : undefined,
  }
}
