import { type Result, type ScoringSpec, countedScores, firstPlaces, isAlone } from '../core/index.js'

/** Columns that a plot can show; more of them are taken together. */
const MOST = 60

/** Gathers points (where mean scores count: means) by round, or by repetition where the tournament has one round. */
export class RoundPoints {
  private readonly rounds: Columns = new Map()
  private readonly repetitions: Columns = new Map()

  constructor(
    private readonly scoring: ScoringSpec,
    private readonly field: number,
  ) {}

  /** Adds a match by its key: 'round/names/number'. Playoffs change no points. */
  add(result: Result): void {
    const { key, seats, outcome } = result
    const parts = key.split('/')
    if (parts.length < 3 || key.startsWith('playoff-')) return
    const scores = countedScores(this.scoring, result)
    if (this.scoring.by === 'score' && scores === undefined) return
    const { place } = outcome
    const firsts = firstPlaces(place, this.scoring.teams?.[place.length])
    const { win, draw, loss } = this.scoring
    const share = isAlone(seats) ? 0.5 : 1
    seats.forEach((entrant, seat) => {
      const points = scores ? (scores[seat] ?? 0) : place[seat] !== 1 ? loss : firsts > 1 ? draw : win
      count(this.rounds, parts[0] ?? '', entrant, points, share)
      count(this.repetitions, parts.at(-1) ?? '', entrant, points, share)
    })
  }

  /** undefined where there is nothing to compare: one round and one repetition. */
  rows() {
    const unit = this.rounds.size > 1 ? ('round' as const) : ('repetition' as const)
    const columns = [...(unit === 'round' ? this.rounds : this.repetitions)]
    if (columns.length < 2) return undefined
    columns.sort(([a], [b]) => a.localeCompare(b, 'en', { numeric: true }))
    const size = Math.ceil(columns.length / MOST)
    const groups = Array.from({ length: Math.ceil(columns.length / size) }, (_, g) =>
      columns.slice(g * size, (g + 1) * size),
    )
    const isMean = this.scoring.by === 'score' && this.scoring.of !== 'total'
    const cells = Array.from({ length: this.field }, (_, entrant) =>
      groups.map((group) => {
        const own = group.flatMap(([, points]) => points.get(entrant) ?? [])
        const n = own.reduce((all, each) => all + each.n, 0)
        const sum = own.reduce((all, each) => all + each.sum, 0)
        return { n, points: own.length === 0 ? null : Math.round((isMean ? sum / n : sum) * 1e6) / 1e6 }
      }),
    )
    return {
      unit,
      labels: groups.map((group) => group.at(-1)?.[0] ?? ''),
      /** By entrant and column; null where the entrant did not play. */
      points: cells.map((row) => row.map(({ points }) => points)),
      /** Where points are mean scores: over how many matches each. */
      matches: isMean ? cells.map((row) => row.map(({ n }) => n)) : undefined,
    }
  }
}

export type ReportRounds = NonNullable<ReturnType<RoundPoints['rows']>>

/** By column and entrant: over how many matches, and their sum. */
type Columns = Map<string, Map<number, { n: number; sum: number }>>

function count(columns: Columns, column: string, entrant: number, points: number, share: number): void {
  const entrants = columns.get(column) ?? new Map<number, { n: number; sum: number }>()
  const own = entrants.get(entrant) ?? { n: 0, sum: 0 }
  own.n += share
  own.sum += share * points
  entrants.set(entrant, own)
  columns.set(column, entrants)
}
