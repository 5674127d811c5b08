import {
  type FaultKind,
  type GameDefinition,
  type MatchRecord,
  type Result,
  type ScoringSpec,
  countedScores,
  firstPlaces,
  isAlone,
  wiresOf,
} from '../core/index.js'
import { limitOf, printedMeans } from '../match/index.js'
import type { PlayedContest } from './sources.js'

/** Sums over the records of a run; every list is by entrant. */
export class EntrantTotals {
  private readonly faults: Partial<Record<FaultKind, number>>[]
  private readonly limits: number[]
  private readonly spreads: Spread[]
  private readonly wires: ReturnType<typeof wiresOf>

  constructor(
    definition: GameDefinition,
    private readonly contest: PlayedContest,
  ) {
    const { entrants, options } = contest
    this.wires = wiresOf(definition, options)
    this.faults = entrants.map(() => ({}))
    this.limits = entrants.map(() => limitOf(contest.limits, undefined, 'turn'))
    this.spreads = entrants.map(() => new Spread())
  }

  /** Adds a record; `seats`: its entrants, `faults`: by the rules, both by seat. */
  add(record: MatchRecord, seats: readonly number[], faults: readonly (readonly FaultKind[])[]): void {
    record.seats.forEach(({ wire }, seat) => {
      this.limits[seats[seat] ?? -1] = limitOf(this.contest.limits, this.wires[wire], 'turn')
    })
    record.times?.forEach((step, number) =>
      step.forEach(([wallUs], i) => this.spreads[seats[record.steps[number]?.[i]?.[0] ?? -1] ?? -1]?.add(wallUs)),
    )
    faults.forEach((kinds, seat) => {
      const sum = this.faults[seats[seat] ?? -1]
      if (sum) for (const kind of kinds) sum[kind] = (sum[kind] ?? 0) + 1
    })
  }

  /** Limits: milliseconds of a question. */
  judged() {
    return { faults: this.faults, limits: this.limits }
  }

  timing() {
    return this.spreads.map((spread) => spread.timing())
  }
}

/** Times are counted in classes a hundredth wide: a million take no more room than a thousand. */
const STEP = Math.log(1.01)

/** The spread of times in microseconds: the most exactly, quantiles to one per cent. */
export class Spread {
  private n = 0
  private max = 0
  /** By class: 0 for less than a microsecond. */
  private readonly counts = new Map<number, number>()

  add(time: number): void {
    const at = time < 1 ? 0 : Math.floor(Math.log(time) / STEP) + 1
    this.counts.set(at, (this.counts.get(at) ?? 0) + 1)
    this.n++
    this.max = Math.max(this.max, time)
  }

  timing() {
    const { n, max } = this
    return n === 0 ? null : { n, median: this.quantile(0.5), p99: this.quantile(0.99), max }
  }

  /** Times in each class, which ends at a power of two; empty ones between included. */
  classes(): readonly { readonly below: number; readonly n: number }[] {
    const counts = new Map<number, number>()
    for (const [at, count] of this.counts) {
      const power = Math.floor(Math.max(0, ((at - 0.5) * STEP) / Math.LN2)) + 1
      counts.set(power, (counts.get(power) ?? 0) + count)
    }
    const first = Math.min(...counts.keys())
    const length = this.n === 0 ? 0 : Math.max(...counts.keys()) - first + 1
    return Array.from({ length }, (_, i) => ({ below: 2 ** (first + i), n: counts.get(first + i) ?? 0 }))
  }

  /** The value that a share of the times does not exceed. */
  private quantile(share: number): number {
    let left = Math.ceil(share * this.n)
    for (const [at, count] of [...this.counts].sort(([a], [b]) => a - b)) {
      left -= count
      if (left <= 0) return at === 0 ? 0 : Math.min(this.max, Math.round(Math.exp((at - 0.5) * STEP)))
    }
    return this.max
  }
}

/** In microseconds of wall time. */
export type ReportTiming = NonNullable<ReturnType<Spread['timing']>>

/** Names an entrant has in a report: a bot may print other names in each match. */
const MOST = 8

export class PrintedTotals {
  /** By entrant and name. */
  private readonly sums: readonly Map<string, { sum: number; matches: number }>[]

  constructor(entrants: number) {
    this.sums = Array.from({ length: entrants }, () => new Map())
  }

  add(record: MatchRecord, seats: readonly number[]): void {
    if (record.figures === undefined) return
    for (const [seat, entrant] of seats.entries()) {
      const own = this.sums[entrant]
      if (own === undefined) continue
      for (const [name, mean] of printedMeans(record, seat)) {
        const { sum, matches } = own.get(name) ?? { sum: 0, matches: 0 }
        if (matches > 0 || own.size < MOST) own.set(name, { sum: sum + mean, matches: matches + 1 })
      }
    }
  }

  /** By entrant; undefined: nothing was printed. */
  rows() {
    if (this.sums.every((own) => own.size === 0)) return undefined
    return this.sums.map((own) => [...own].map(([name, { sum, matches }]) => ({ name, mean: sum / matches, matches })))
  }
}

/** A figure printed by a bot: the mean over its matches of each one's mean, and in how many it was printed. */
export type ReportPrinted = NonNullable<ReturnType<PrintedTotals['rows']>>[number][number]

export const printedNames = (printed: readonly (readonly ReportPrinted[])[]): readonly string[] =>
  [...new Set(printed.flatMap((own) => own.map(({ name }) => name)))].sort()

/** Columns of a plot; more are taken together. */
const MOST_COLUMNS = 60

/** Gathers points (or mean scores) by round, or by repetition where there is one round. */
export class RoundPoints {
  private readonly rounds: Columns = new Map()
  private readonly repetitions: Columns = new Map()

  constructor(
    private readonly scoring: ScoringSpec,
    private readonly field: number,
  ) {}

  /** Adds a match by key: 'round/names/number'. Playoffs change no points. */
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
    const count = (columns: Columns, column: string, entrant: number, points: number): void => {
      const entrants = columns.get(column) ?? new Map<number, { n: number; sum: number }>()
      const own = entrants.get(entrant) ?? { n: 0, sum: 0 }
      own.n += share
      own.sum += share * points
      entrants.set(entrant, own)
      columns.set(column, entrants)
    }
    seats.forEach((entrant, seat) => {
      const points = scores ? (scores[seat] ?? 0) : place[seat] !== 1 ? loss : firsts > 1 ? draw : win
      count(this.rounds, parts[0] ?? '', entrant, points)
      count(this.repetitions, parts.at(-1) ?? '', entrant, points)
    })
  }

  /** undefined: one round and one repetition. */
  rows() {
    const unit = this.rounds.size > 1 ? ('round' as const) : ('repetition' as const)
    const columns = [...(unit === 'round' ? this.rounds : this.repetitions)]
    if (columns.length < 2) return undefined
    columns.sort(([a], [b]) => a.localeCompare(b, 'en', { numeric: true }))
    const size = Math.ceil(columns.length / MOST_COLUMNS)
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
      /** By entrant and column; null: it did not play. */
      points: cells.map((row) => row.map(({ points }) => points)),
      /** For mean scores: over how many matches each. */
      matches: isMean ? cells.map((row) => row.map(({ n }) => n)) : undefined,
    }
  }
}

export type ReportRounds = NonNullable<ReturnType<RoundPoints['rows']>>

/** By column and entrant: number of matches, and their sum. */
type Columns = Map<string, Map<number, { n: number; sum: number }>>
