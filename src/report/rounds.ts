import type { Outcome, ScoringSpec } from '../core/index.js'
import type { ReportRounds } from '../web/document.js'

/** Columns that a plot can show; more of them are taken together. */
const MOST = 60

/** Gathers points by round, or by repetition where the tournament has one round. */
export class RoundPoints {
  private readonly rounds = new Map<string, Map<number, number>>()
  private readonly repetitions = new Map<string, Map<number, number>>()

  constructor(
    private readonly scoring: ScoringSpec,
    private readonly field: number,
  ) {}

  /** Adds a match by its key: 'round/names/number'. Playoffs change no points. */
  add(key: string, seats: readonly number[], { place }: Outcome): void {
    const parts = key.split('/')
    if (parts.length < 3 || key.startsWith('playoff-')) return
    const firsts = place.filter((each) => each === 1).length
    const { win, draw, loss } = this.scoring
    seats.forEach((entrant, seat) => {
      const points = place[seat] !== 1 ? loss : firsts > 1 ? draw : win
      count(this.rounds, parts[0] ?? '', entrant, points)
      count(this.repetitions, parts.at(-1) ?? '', entrant, points)
    })
  }

  /** undefined where there is nothing to compare: one round and one repetition. */
  rows(): ReportRounds | undefined {
    const unit = this.rounds.size > 1 ? 'round' : 'repetition'
    const columns = [...(unit === 'round' ? this.rounds : this.repetitions)]
    if (columns.length < 2) return undefined
    columns.sort(([a], [b]) => a.localeCompare(b, 'en', { numeric: true }))
    const size = Math.ceil(columns.length / MOST)
    const groups = Array.from({ length: Math.ceil(columns.length / size) }, (_, g) =>
      columns.slice(g * size, (g + 1) * size),
    )
    return {
      unit,
      labels: groups.map((group) => group.at(-1)?.[0] ?? ''),
      points: Array.from({ length: this.field }, (_, entrant) =>
        groups.map((group) => {
          const own = group.flatMap(([, points]) => points.get(entrant) ?? [])
          return own.length === 0 ? null : Math.round(own.reduce((sum, each) => sum + each, 0) * 1e6) / 1e6
        }),
      ),
    }
  }
}

function count(columns: Map<string, Map<number, number>>, column: string, entrant: number, points: number): void {
  const own = columns.get(column) ?? new Map<number, number>()
  own.set(entrant, (own.get(entrant) ?? 0) + points)
  columns.set(column, own)
}
