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
 */
export class Queue {
  private readonly waiting: Unit[]
  private readonly playing = new Set<number>()

  constructor(
    units: readonly Unit[],
    private readonly lives: (entrant: number) => boolean,
  ) {
    this.waiting = [...units]
  }

  /** The next unit that may begin now; undefined: none may, for now or for good. */
  take(): Unit | undefined {
    const busy = new Set(this.playing)
    for (const [i, unit] of this.waiting.entries()) {
      const living = this.livingIn(unit)
      if (living.every((entrant) => !busy.has(entrant))) {
        // Taking from the front is cheap, and the usual case.
        if (i === 0) this.waiting.shift()
        else this.waiting.splice(i, 1)
        for (const entrant of living) this.playing.add(entrant)
        return unit
      }
      // Those who wait for this unit must not overtake it.
      for (const entrant of living) busy.add(entrant)
    }
    return undefined
  }

  /** A unit has ended. */
  done(unit: Unit): void {
    for (const entrant of this.livingIn(unit)) this.playing.delete(entrant)
  }

  get empty(): boolean {
    return this.waiting.length === 0
  }

  private livingIn(unit: Unit): number[] {
    return [...new Set(unit.pairings.flatMap((pairing) => pairing.seats))].filter((entrant) => this.lives(entrant))
  }
}
