import { specOf } from './spec.js'
import { type HourlyLimiter, type UnderWay, isSeries } from '../../engine/index.js'
import type { StoredRun } from '../../store/index.js'
import { createTournament, formatOf } from '../../tournament/index.js'

interface Running {
  readonly underWay: UnderWay
  /** Of a ladder that begins so many matches an hour. */
  readonly limiter: Pick<HourlyLimiter, 'hourly' | 'until'> | undefined
  readonly began: number
  total?: number
  played: number
}

/** An estimate needs as many matches, and as many milliseconds. */
const FEW = 3
const EARLY_MS = 1500
/** Runs whose plan is kept. */
const KEPT = 1000

/** By contest, what this process plays. */
export class RunsInProgress {
  private readonly running = new Map<string, Running>()
  private readonly plans = new Map<string, number | undefined>()

  begin(contest: string, underWay: UnderWay, limiter?: Running['limiter']): void {
    this.running.set(contest, { underWay, limiter, began: performance.now(), played: 0 })
  }

  /** A match counts, or a round has begun: then `total` is the matches in all. */
  advance(contest: string, total?: number): void {
    const running = this.running.get(contest)
    if (running === undefined) return
    if (total === undefined) running.played++
    else running.total = total
  }

  end(contest: string): void {
    this.running.delete(contest)
  }

  /** Undefined: not played in this process. */
  underWay(contest: string): UnderWay | undefined {
    return this.running.get(contest)?.underWay
  }

  /** What a ladder waits for, and series under way of bots that remember. */
  beside(contest: string) {
    const { underWay, limiter: { hourly = 0, until } = {} } = this.running.get(contest) ?? {}
    const series = (underWay?.jobs() ?? []).filter(({ job }) => isSeries(job))
    const matches = series.reduce((sum, { job }) => sum + job.pairings.length, 0)
    // To the second, so that it changes only when something has.
    const day = new Date(1000 * Math.round((until ?? 0) / 1000)).toISOString()
    return {
      budget: until === undefined ? undefined : { hourly, until: day },
      series: series.length > 0 ? { playing: series.length, matches } : undefined,
    }
  }

  /** All matches of a run, and the seconds that are left; empty for one that has ended. */
  of(contest: string, run: StoredRun): { readonly planned?: number; readonly left?: number } {
    // A ladder plays whenever a bot is entered: it has no total.
    if (run.state === 'finished' || formatOf(run.contest.format.kind).openEnded) return {}
    const running = this.running.get(contest)
    const planned = running?.total ?? this.planOf(run)
    if (planned === undefined || planned < run.matches) return {}
    if (running === undefined) return { planned }
    const took = performance.now() - running.began
    if (running.played < FEW || took < EARLY_MS) return { planned }
    return { planned, left: Math.round(((planned - run.matches) * took) / running.played / 1000) }
  }

  /** For a run that is not begun, paused, or of another process. */
  private planOf(run: StoredRun): number | undefined {
    const key = JSON.stringify([run.id, run.tournament])
    if (this.plans.has(key)) return this.plans.get(key)
    if (this.plans.size >= KEPT) this.plans.clear()
    let total: number | undefined
    try {
      total = createTournament(specOf(run)).total(new Map())
    } catch {
      // Only a stranger's workspace holds such a plan: nothing is said.
    }
    this.plans.set(key, total)
    return total
  }
}
