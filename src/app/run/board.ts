import { setTimeout } from 'node:timers/promises'
import type { Result, Standings } from '../../core/index.js'
import { type TournamentEvent, type UnderWay, isSeries } from '../../engine/index.js'
import { type FaultCount, countFaults } from '../../results/faults.js'

/** Milliseconds that are waited for a worker to say how far it is. */
const LOOK_MS = 200

export interface RunProgress {
  /** Matches, also those of series that are not over. */
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
  private underWay: Pick<UnderWay, 'played' | 'jobs'> | undefined
  /** Matches that were played of jobs under way, as they were looked at last. */
  private partly = 0

  constructor(
    readonly title: string,
    private readonly table: (results: ReadonlyMap<string, Result>) => Standings,
  ) {}

  /** From now on it is known what is being played. */
  begin(underWay: Pick<UnderWay, 'played' | 'jobs'>): void {
    this.underWay = underWay
  }

  /** Returns a line for each kind of fault that an entrant had not committed before. */
  see(event: TournamentEvent): readonly string[] {
    if (event.type === 'round') {
      this.total = event.total
      this.label = event.round.label
    }
    if (event.type !== 'match') return []
    this.results.set(event.result.key, event.result)
    if (event.reused) this.reused++
    else this.partly = Math.max(0, this.partly - 1)
    const first = countFaults(this.faults, event.match)
    return event.reused ? [] : first
  }

  /** Series that are being played now. */
  get series(): number {
    return this.underWay?.jobs().filter(({ job }) => isSeries(job)).length ?? 0
  }

  /** Looks how far jobs under way are. A worker that does not answer soon is as far as it was. */
  async look(): Promise<void> {
    const looking = this.underWay?.played().then(
      (matches) => (this.partly = matches),
      () => undefined,
    )
    if (looking !== undefined) await Promise.race([looking, setTimeout(LOOK_MS, undefined, { ref: false })])
  }

  /** How far the run is, as it was looked at last. */
  get state(): RunProgress {
    const done = this.results.size + this.partly
    return { done, total: this.total, reused: this.reused, label: this.label }
  }

  /** The table as it stands; its cost grows with the number of matches. */
  standings(): Standings {
    return this.table(this.results)
  }
}
