import type { Pairing, Round } from '../core/index.js'

/** What is played in one piece, and remembered in one piece. */
export interface Unit {
  readonly key: string
  readonly pairings: readonly Pairing[]
}

/**
 * Cuts a round into units: matches whose bots remember nothing of the others stand alone, a series of bots that remember stays
 * together. `remembers(i)`: whether entrant i lives longer than a match.
 */
export function unitsOf(round: Round, remembers: (entrant: number) => boolean): Unit[] {
  return round.series.flatMap((series): Unit[] => {
    const together = series.pairings.some((pairing) => pairing.seats.some(remembers))
    return together ? [series] : series.pairings.map((pairing) => ({ key: pairing.key, pairings: [pairing] }))
  })
}

/**
 * Hands out the units of a round, so that each entrant that lives through the tournament (`lives(i)`) plays one unit at a time,
 * in the round's order. What such a bot sees is then the same however many units are played at once.
 *
 * Each of them has a line of its units; a unit may begin when it is at the front of every line that it stands in.
 */
export class Queue {
  private readonly lines = new Map<number, { units: number[]; front: number }>()
  /** By unit: in how many lines someone still stands before it. */
  private readonly blocked: number[]
  /** The units that may begin now, in the round's order. */
  private readonly ready: number[] = []
  private left: number

  constructor(
    private readonly units: readonly Unit[],
    private readonly lives: (entrant: number) => boolean,
  ) {
    this.left = units.length
    this.blocked = units.map((unit, place) => {
      const behind = this.livingIn(unit).filter((entrant) => {
        const line = this.lines.get(entrant) ?? { units: [], front: 0 }
        this.lines.set(entrant, line)
        return line.units.push(place) > 1
      })
      if (behind.length === 0) this.ready.push(place)
      return behind.length
    })
  }

  /** The next unit that may begin now; undefined: none may, for now or for good. */
  take(): Unit | undefined {
    const place = this.ready.shift()
    if (place === undefined) return undefined
    this.left--
    return this.units[place]
  }

  /** A unit has ended: those who stood behind it move up. */
  done(unit: Unit): void {
    for (const entrant of this.livingIn(unit)) {
      const line = this.lines.get(entrant)
      const next = line?.units[++line.front]
      if (next === undefined) continue
      const blocked = (this.blocked[next] ?? 0) - 1
      this.blocked[next] = blocked
      if (blocked === 0) this.insert(next)
    }
  }

  /** Every unit has been taken. */
  get empty(): boolean {
    return this.left === 0
  }

  private insert(place: number): void {
    let low = 0
    let high = this.ready.length
    while (low < high) {
      const middle = (low + high) >> 1
      if ((this.ready[middle] as number) < place) low = middle + 1
      else high = middle
    }
    this.ready.splice(low, 0, place)
  }

  private livingIn(unit: Unit): number[] {
    return entrantsOf(unit).filter((entrant) => this.lives(entrant))
  }
}

/** Who plays in a unit, each once. */
export const entrantsOf = (unit: Unit): number[] => [...new Set(unit.pairings.flatMap((pairing) => pairing.seats))]
