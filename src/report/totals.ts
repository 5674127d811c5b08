import { type FaultKind, type GameDefinition, type MatchRecord, wiresOf } from '../core/index.js'
import { DEFAULT_TURN_MS } from '../match/index.js'
import type { ReportTiming } from '../web/document.js'
import type { ContestFacts } from './sources.js'
import { Spread } from '../core/spread.js'

/** Sums over the records of a run; every list is by entrant. */
export class EntrantTotals {
  readonly faults: Partial<Record<FaultKind, number>>[]
  /** Milliseconds that a question may take. */
  readonly limits: number[]
  private readonly spreads: Spread[]
  private readonly wires: ReturnType<typeof wiresOf>
  /** The contest's own limit goes before a wire's. */
  private readonly limit: number | undefined

  constructor(definition: GameDefinition, { entrants, limits, options }: ContestFacts) {
    this.limit = limits['turn']
    this.wires = wiresOf(definition, options)
    this.faults = entrants.map(() => ({}))
    this.limits = entrants.map(() => this.limit ?? DEFAULT_TURN_MS)
    this.spreads = entrants.map(() => new Spread())
  }

  /** Adds a record; `seats`: its entrants, `faults`: what the rules judged to be faults, both by seat. */
  add(record: MatchRecord, seats: readonly number[], faults: readonly (readonly FaultKind[])[]): void {
    record.seats.forEach(({ wire }, seat) => {
      this.limits[seats[seat] ?? -1] = this.limit ?? this.wires[wire]?.limits?.['turn'] ?? DEFAULT_TURN_MS
    })
    record.times?.forEach((step, number) =>
      step.forEach(([wallUs], i) => this.spreads[seats[record.steps[number]?.[i]?.[0] ?? -1] ?? -1]?.add(wallUs)),
    )
    faults.forEach((kinds, seat) => {
      const sum = this.faults[seats[seat] ?? -1]
      if (sum) for (const kind of kinds) sum[kind] = (sum[kind] ?? 0) + 1
    })
  }

  /** How long answers took; null where no time is known. */
  timing(): (ReportTiming | null)[] {
    return this.spreads.map((spread) =>
      spread.n === 0
        ? null
        : { n: spread.n, median: spread.quantile(0.5), p99: spread.quantile(0.99), max: spread.max },
    )
  }
}
