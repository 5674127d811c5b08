import type { Standings } from '../../core/index.js'
import type { Flag, RatedGame, SeatAdvantage } from '../../stats/index.js'
import { type RatedContest, type RatedField, rateGames } from '../../results/ratings.js'
import { type Doubt, signed } from '../../text/index.js'

/** What stands beside the points in a table of a game of two: strengths in Elo, and which neighbours are not separated. */
export interface EloTable {
  /** In the table's order. */
  readonly rows: readonly {
    readonly name: string
    readonly rating: number
    readonly low?: number
    readonly high?: number
    readonly flags: readonly Flag[]
  }[]
  /** What sitting first is worth; absent where nothing tells it from strength. */
  readonly seat?: SeatAdvantage
  /** Of each and the next in the table: how probable it is that the upper is the stronger. */
  readonly neighbours: Neighbours
  /** Why none of them is said to be. */
  readonly doubt?: Doubt
}

export type Neighbours = readonly { readonly upper: string; readonly lower: string; readonly superior: number }[]

/** The strengths of those in the table; undefined where the games are not all of two, or there are none. */
export function eloTable(
  { rows }: Standings,
  games: readonly RatedGame[],
  contest: RatedContest,
): EloTable | undefined {
  const index = new Map(rows.map(({ entrant }, i) => [entrant, i]))
  const own = games.flatMap((game) => {
    const entrants = game.entrants.flatMap((entrant) => index.get(entrant) ?? [])
    return entrants.length === game.entrants.length ? [{ ...game, entrants }] : []
  })
  const rated = own.every(({ entrants }) => entrants.length === 2) ? rateGames(own, rows.length, contest) : undefined
  return (
    rated && {
      rows: rows.map(({ name }, i) => {
        const [low, high] = rated.interval(i) ?? []
        return { name, rating: rated.rating[i] as number, low, high, flags: rated.flags[i] ?? [] }
      }),
      neighbours: neighboursIn(rows, rated),
      seat: rated.seat,
      doubt: rated.doubt,
    }
  )
}

/** Of each and the next in a table whose lines are named by their places in it. */
export const neighboursIn = (rows: readonly { readonly name: string }[], rated: RatedField): Neighbours =>
  rows.slice(1).flatMap(({ name }, i) => {
    const superior = rated.above(i, i + 1)
    return superior === undefined ? [] : [{ upper: rows[i]?.name ?? '', lower: name, superior }]
  })

/** The same for programs. */
export const eloDocument = (table: EloTable): object => ({
  ...table,
  rows: table.rows.map((row) => ({ ...row, unbounded: unboundedBy(row.flags) })),
})

/** The ends of an interval that rest on the prior alone, as games tell no bound there. */
export function unboundedBy(flags: readonly Flag[]): readonly string[] | undefined {
  if (flags.includes('unconnected')) return ['low', 'high']
  if (flags.includes('winless')) return ['low']
  return flags.includes('unbeaten') ? ['high'] : undefined
}

/** What the first seat is worth, where that is certainly something. */
export const seatNotes = ({ seat }: Pick<EloTable, 'seat'>): string[] =>
  seat === undefined || (seat.low <= 0 && seat.high >= 0)
    ? []
    : [`To sit first is worth ${signed(seat.value)} Elo (95 % interval ${signed(seat.low)} … ${signed(seat.high)}).`]

/** The columns of the table. */
export const eloColumns = ({ rows }: EloTable) => [
  { head: 'Elo', cells: rows.map(({ rating }) => signed(rating)), right: true },
  ...(rows.some(({ low }) => low !== undefined)
    ? [
        {
          head: '95 % interval',
          cells: rows.map(({ low, high }) =>
            low === undefined || high === undefined ? '' : `${signed(low)} … ${signed(high)}`,
          ),
          right: true,
        },
      ]
    : []),
]
