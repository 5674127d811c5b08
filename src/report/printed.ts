import type { MatchRecord } from '../core/index.js'
import { printedMeans } from '../match/index.js'
import type { ReportPrinted } from '../web/document.js'

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
