import type { MatchRecord } from '../../core/index.js'
import { factsOf } from '../../match/index.js'

/** Matches, and those in which a bot was late or killed. */
export interface LateCount {
  readonly matches: number
  readonly late: number
}

/** Fewer matches than this, or late ones, tell nothing. */
const LEAST_MATCHES = 30
const LEAST_LATE = 10
/** Standard deviations above the others' share: chance alone does that once in a billion. */
const DEVIATIONS = 6
/** Machines differ: only so many times the others' share is too much. */
const TIMES = 4

/** Whether bots are late on one worker far more often than on the others together. */
export function isOutlier(own: LateCount, others: LateCount): boolean {
  if (own.matches < LEAST_MATCHES || others.matches < LEAST_MATCHES || own.late < LEAST_LATE) return false
  const share = (others.late + 1) / (others.matches + 2)
  const expected = share * own.matches
  return own.late > TIMES * expected && own.late - expected > DEVIATIONS * Math.sqrt(expected * (1 - share))
}

/** Counts by worker in how many matches bots were late. */
export class Lateness {
  private readonly counts = new Map<string, LateCount>()

  /** Adds a worker's matches. Returns what is wrong with it, where it is an outlier. */
  see(worker: string, records: readonly MatchRecord[]): string | undefined {
    const before = this.counts.get(worker) ?? { matches: 0, late: 0 }
    const late = records.filter((record) => factsOf(record).late).length
    const own = { matches: before.matches + records.length, late: before.late + late }
    this.counts.set(worker, own)
    if (late === 0) return undefined
    const others = { matches: 0, late: 0 }
    for (const [id, count] of this.counts) {
      if (id === worker) continue
      others.matches += count.matches
      others.late += count.late
    }
    return isOutlier(own, others)
      ? `bots were late in ${own.late} of ${own.matches} matches on it, and in ${others.late} of ${others.matches} elsewhere`
      : undefined
  }
}
