import { specOf } from '../../app/run/spec.js'

import { type UnderWay, isSeries } from '../../engine/index.js'
import type { StoredRun } from '../../store/index.js'
import { createTournament, formatOf } from '../../tournament/index.js'
import type { HourlyLimiter } from './hourly-limiter.js'

/** How far a contest is. */
export interface Planned {
  /** Matches that it will have, those that were played included: exact, or the most that it can become. */
  readonly planned?: number
  /** Seconds until all are played, if it goes on as it did so far. */
  readonly left?: number
}

/** What else there is to say of a contest under way. */
interface Beside {
  /** A ladder that waits with its next match. */
  readonly budget?: { readonly hourly: number; readonly until: string }
  /** Series of bots that remember, that are being played. */
  readonly series?: { readonly playing: number; readonly matches: number }
}

/** How many matches an hour a ladder begins; `until`: when those that wait may begin, in milliseconds since the epoch. */
type Pace = Pick<HourlyLimiter, 'hourly' | 'until'>

/** A run that is played here. */
interface Running {
  total?: number
  /** Milliseconds since the epoch. */
  began: number
  played: number
  underWay?: UnderWay
}

/** An estimate needs as many matches, and as many milliseconds. */
const FEW = 3
const EARLY_MS = 1500
/** Runs whose plan is kept. */
const KEPT = 1000

/** What is being played in this process, by contest: how far it is, and what can be watched. */
export class RunsInProgress {
  private readonly running = new Map<string, Running>()
  private readonly plans = new Map<string, number | undefined>()
  private readonly paces = new Map<string, Pace>()

  constructor(private readonly now: () => number = () => performance.now()) {}

  begin(contest: string, underWay: UnderWay): void {
    this.running.set(contest, { began: this.now(), played: 0, underWay })
  }

  /** A round has begun: the whole has so many matches. */
  plan(contest: string, total: number): void {
    const running = this.running.get(contest)
    if (running !== undefined) running.total = total
  }

  /** A match was played, and counts. */
  counted(contest: string): void {
    const running = this.running.get(contest)
    if (running !== undefined) running.played++
  }

  /** A ladder begins its matches at this pace. */
  pace(contest: string, pace: Pace): void {
    this.paces.set(contest, pace)
  }

  /** What a ladder waits for, and the series that are being played: what else there is to say of a contest under way. */
  beside(contest: string): Beside {
    const { hourly = 0, until } = this.paces.get(contest) ?? {}
    const series = (this.running.get(contest)?.underWay?.jobs() ?? []).filter(({ job }) => isSeries(job))
    const matches = series.reduce((sum, { job }) => sum + job.pairings.length, 0)
    return {
      // To the second: what is sent changes only when something has.
      ...(until !== undefined && {
        budget: { hourly, until: new Date(1000 * Math.round(until / 1000)).toISOString() },
      }),
      series: series.length > 0 ? { playing: series.length, matches } : undefined,
    }
  }

  end(contest: string): void {
    this.running.delete(contest)
  }

  /** undefined: it is not played in this process. */
  underWay(contest: string): UnderWay | undefined {
    return this.running.get(contest)?.underWay
  }

  /** How far a run is; empty for one that has ended. */
  of(contest: string, run: StoredRun): Planned {
    // A ladder plays whenever a bot is entered: it has no total.
    if (run.state === 'finished' || formatOf(run.contest.format.kind).openEnded) return {}
    const running = this.running.get(contest)
    const planned = running?.total ?? this.planOf(run)
    if (planned === undefined || planned < run.matches) return {}
    if (running === undefined) return { planned }
    const took = this.now() - running.began
    if (running.played < FEW || took < EARLY_MS) return { planned }
    return { planned, left: Math.round(((planned - run.matches) * took) / running.played / 1000) }
  }

  /** What is planned where nothing is played yet, of a run of another process, or one that is paused. */
  private planOf(run: StoredRun): number | undefined {
    const key = JSON.stringify([run.id, run.tournament])
    if (this.plans.has(key)) return this.plans.get(key)
    let total: number | undefined
    try {
      total = createTournament(specOf(run)).total(new Map())
    } catch {
      // No contest file makes such a plan, and a stranger's workspace may hold one: nothing is said.
    }
    this.plans.set(key, total)
    for (const oldest of [...this.plans.keys()].slice(0, -KEPT)) this.plans.delete(oldest)
    return total
  }
}
