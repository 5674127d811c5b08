import { type FaultKind, type Outcome, isAlone } from '../core/index.js'
import { type AllCounts, pairSums } from './counted.js'
import type { AddedMatch } from './stored-match.js'
import { plus } from './sums.js'

/** How a match ended, in a run: `seats` are entrants' indexes there. */
export interface EndedMatch {
  readonly seats: readonly number[]
  readonly outcome: Outcome
  readonly faults: readonly { readonly seat: number; readonly fault: FaultKind }[]
  readonly playoff: boolean
}

/** Counts of a run that are kept up as matches land, so that no page has to go through them all. */
export class Counts {
  private matches = 0
  private linked = 0
  /** The matches that came to the run, for its segments. */
  readonly games: AddedMatch[] = []
  private readonly byEntrant = new Map<number, { matches: number; wins: number; draws: number; losses: number }>()
  private readonly byPair = new Map<string, { one: number; other: number; sums: [number, number, number] }>()
  private readonly byFault = new Map<string, { entrant: number; kind: FaultKind; n: number }>()

  /** Adds a match, or, with -1, takes it away again. */
  add({ seats, outcome, faults, playoff }: EndedMatch, sign: 1 | -1 = 1): void {
    this.matches += sign
    for (const { seat, fault } of faults) this.addFault(seats[seat] ?? 0, fault, sign)
    if (playoff) return
    const { place } = outcome
    const firsts = place.filter((rank) => rank === 1).length
    if (isAlone(seats)) return this.addAlone(seats[0] as number, sign)
    for (const [seat, entrant] of seats.entries()) {
      const mine = place[seat] ?? 0
      const sums = this.byEntrant.get(entrant) ?? { matches: 0, wins: 0, draws: 0, losses: 0 }
      this.byEntrant.set(entrant, sums)
      sums.matches += sign
      sums[mine > 1 ? 'losses' : firsts > 1 ? 'draws' : 'wins'] += sign
      for (let next = seat + 1; next < seats.length; next++)
        this.addPair(entrant, seats[next] as number, mine - (place[next] ?? 0), sign)
    }
  }

  /** An entrant that met itself was level with itself, once. */
  private addAlone(entrant: number, sign: number): void {
    const sums = this.byEntrant.get(entrant) ?? { matches: 0, wins: 0, draws: 0, losses: 0 }
    this.byEntrant.set(entrant, sums)
    sums.matches += sign
    sums.draws += sign
    this.addPair(entrant, entrant, 0, sign)
  }

  private addPair(a: number, b: number, lead: number, sign: number): void {
    const one = Math.min(a, b)
    const other = Math.max(a, b)
    const ahead = a === one ? lead : -lead
    const key = `${one} ${other}`
    const pair = this.byPair.get(key) ?? { one, other, sums: [0, 0, 0] as [number, number, number] }
    this.byPair.set(key, pair)
    pair.sums[ahead < 0 ? 0 : ahead === 0 ? 1 : 2] += sign
  }

  private addFault(entrant: number, kind: FaultKind, sign: number): void {
    const key = `${entrant} ${kind}`
    const count = this.byFault.get(key) ?? { entrant, kind, n: 0 }
    this.byFault.set(key, count)
    count.n += sign
  }

  /** A match of that checksum was linked to the run. */
  link(sum: number): void {
    this.linked = plus(this.linked, sum)
  }

  /** The sum of the checksums of the matches that were linked. */
  get linkedSum(): number {
    return this.linked
  }

  /** All that was gathered, as the rows of a run with that many entrants. */
  rows(run: number, entrants: number): AllCounts {
    const { entrants: touched, ...rest } = this.touched(run)
    const by = new Map(touched.map((row) => [row.place, row]))
    const none = { matches: 0, wins: 0, draws: 0, losses: 0, pairs: 0 }
    return { ...rest, entrants: Array.from({ length: entrants }, (_, place) => by.get(place) ?? { place, ...none }) }
  }

  /** The same with the rows of those entrants only that anything was gathered of: what is to be added to a run's counts. */
  touched(run: number): AllCounts {
    const pairs = [...this.byPair.values()].map(({ one, other, sums: [ahead, level, behind] }) => ({
      one,
      other,
      ahead,
      level,
      behind,
    }))
    const sums = pairSums(run, pairs)
    return {
      matches: this.matches,
      entrants: [...this.byEntrant].map(([place, row]) => ({ place, ...row, pairs: sums.get(place) ?? 0 })),
      faults: [...this.byFault.values()].map(({ entrant, kind, n }) => ({ place: entrant, kind, n })),
      pairs,
    }
  }
}
