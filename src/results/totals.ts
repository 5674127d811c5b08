import { type FaultKind, type GameDefinition, type MatchRecord, wiresOf } from '../core/index.js'
import { limitOf, printedMeans } from '../match/index.js'
import type { ReportTiming, ReportPrinted } from '../web/document.js'
import type { PlayedContest } from './sources.js'
import { Spread } from './spread.js'

/** Sums over the records of a run; every list is by entrant. */
export class EntrantTotals {
  readonly faults: Partial<Record<FaultKind, number>>[]
  /** Milliseconds that a question may take. */
  readonly limits: number[]
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

  /** Adds a record; `seats`: its entrants, `faults`: what the rules judged to be faults, both by seat. */
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

  timing(): (ReportTiming | null)[] {
    return this.spreads.map(timingOf)
  }
}

/** How long answers took; null where no time is known. */
const timingOf = (spread: Spread): ReportTiming | null =>
  spread.n === 0 ? null : { n: spread.n, median: spread.quantile(0.5), p99: spread.quantile(0.99), max: spread.max }

/** Names of an entrant that a report has: what a bot calls its figures is its own choice, in each match anew. */
const MOST = 8

/** What bots printed of themselves over the matches of a run. */
export class PrintedTotals {
  /** By entrant and name. */
  private readonly sums: readonly Map<string, { sum: number; matches: number }>[]

  constructor(entrants: number) {
    this.sums = Array.from({ length: entrants }, () => new Map())
  }

  /** Adds a match; `seats`: its entrants. */
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

  /** By entrant; undefined: no bot printed anything. */
  rows(): readonly (readonly ReportPrinted[])[] | undefined {
    if (this.sums.every((own) => own.size === 0)) return undefined
    return this.sums.map((own) => [...own].map(([name, { sum, matches }]) => ({ name, mean: sum / matches, matches })))
  }
}

/** All names, in the order of the alphabet. */
export const printedNames = (printed: readonly (readonly ReportPrinted[])[]): readonly string[] =>
  [...new Set(printed.flatMap((own) => own.map(({ name }) => name)))].sort()
