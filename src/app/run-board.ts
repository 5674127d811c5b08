import type { Result, Standings } from '../core/index.js'
import type { TournamentEvent } from '../engine/index.js'
import { type FaultCount, countFaults } from '../archive/faults.js'

/** How far a run is. */
export interface RunProgress {
  readonly done: number
  /** The most it can become. */
  readonly total: number
  /** Of `done`, how many were there before. */
  readonly reused: number
  /** The round that is being played, as the format calls it; '' where it has no rounds. */
  readonly label: string
}

/** Follows a run's events: what has been played, who leads, who has committed which faults. */
export class RunBoard {
  readonly faults: FaultCount = new Map()
  private readonly results = new Map<string, Result>()
  private reused = 0
  private label = ''
  private total = 0

  constructor(
    readonly title: string,
    private readonly table: (results: ReadonlyMap<string, Result>) => Standings,
  ) {}

  /** Returns a line for each kind of fault that an entrant had not committed before. */
  see(event: TournamentEvent): readonly string[] {
    if (event.type === 'round') {
      this.total = event.total
      this.label = event.round.label
    }
    if (event.type !== 'match') return []
    this.results.set(event.result.key, event.result)
    if (event.reused) this.reused++
    const first = countFaults(this.faults, event.match)
    return event.reused ? [] : first
  }

  get state(): RunProgress {
    return { done: this.results.size, total: this.total, reused: this.reused, label: this.label }
  }

  /** The table as it stands; its cost grows with the number of matches. */
  standings(): Standings {
    return this.table(this.results)
  }
}
