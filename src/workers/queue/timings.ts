import type { MatchRecord } from '../../core/index.js'

/*
 * How long the same entrants take on each worker. Means of logarithms are compared: a stall that holds up one answer for seconds counts for
 * little in them. Machines differ, and so do their loads: a worker is an outlier only where each of the others is unlike it, all the same way.
 */

/** A worker's times are this many times those of each of the others, or so many times less. */
const TIMES = 10
/** Others that must be unlike it: of two workers it is not known which one is wrong. */
const OTHERS = 2
/** Answers of the same entrants that two workers are compared by, at least. */
const ANSWERS = 300
/** Microseconds: where even the slower one takes less on average, how busy a machine was decides. */
const SLOW_US = 20_000
/** Entrants whose times are known, at most, which bounds the memory for them. */
const ENTRANTS = 256
/** Matches of a worker between two looks at it. */
const EVERY = 20

interface Sum {
  n: number
  /** Of logarithms of microseconds. */
  log: number
}

/** Sums by worker of the times that entrants took. */
export class Timings {
  /** By worker, by the entrant's number. */
  private readonly workers = new Map<string, Map<number, Sum>>()
  private readonly entrants = new Set<number>()
  private readonly matches = new Map<string, number>()

  /** Adds a worker's matches. Returns what is wrong with it, where it is an outlier. */
  see(worker: string, records: readonly MatchRecord[]): string | undefined {
    for (const record of records) this.add(worker, record)
    const matches = (this.matches.get(worker) ?? 0) + records.length
    this.matches.set(worker, matches < EVERY ? matches : 0)
    return matches < EVERY ? undefined : this.apart(worker)
  }

  private add(worker: string, { steps, times = [], seats }: MatchRecord): void {
    const own = this.workers.get(worker) ?? new Map<number, Sum>()
    this.workers.set(worker, own)
    for (const [i, step] of steps.entries())
      for (const [j, [seat]] of step.entries()) {
        const [wall] = times[i]?.[j] ?? []
        const id = seats[seat]?.id
        if (wall === undefined || id === undefined) continue
        if (!this.entrants.has(id) && this.entrants.size >= ENTRANTS) continue
        this.entrants.add(id)
        const sum = own.get(id) ?? { n: 0, log: 0 }
        own.set(id, sum)
        sum.n++
        sum.log += Math.log(Math.max(1, wall))
      }
  }

  private apart(worker: string): string | undefined {
    const own = this.workers.get(worker)
    const ratios: number[] = []
    for (const [id, other] of this.workers) {
      const ratio = id === worker || own === undefined ? undefined : ratioOf(own, other)
      if (ratio !== undefined) ratios.push(ratio)
    }
    if (ratios.length < OTHERS) return undefined
    if (ratios.every((ratio) => ratio >= TIMES))
      return `bots took at least ${TIMES} times as long on it as on each of ${ratios.length} other workers`
    if (ratios.every((ratio) => ratio <= 1 / TIMES))
      return `bots took at most a ${TIMES}th of the time on it that they took on each of ${ratios.length} other workers`
    return undefined
  }
}

/** How many times as long the same entrants took on the first; undefined: too little is known, or they are quick on both. */
function ratioOf(own: ReadonlyMap<number, Sum>, other: ReadonlyMap<number, Sum>): number | undefined {
  // Each entrant weighs as much as it answered on the worker where it answered less.
  let [n, mine, theirs] = [0, 0, 0]
  for (const [entrant, sum] of own) {
    const there = other.get(entrant)
    if (there === undefined) continue
    const weight = Math.min(sum.n, there.n)
    n += weight
    mine += (weight * sum.log) / sum.n
    theirs += (weight * there.log) / there.n
  }
  if (n < ANSWERS || Math.exp(Math.max(mine, theirs) / n) < SLOW_US) return undefined
  return Math.exp((mine - theirs) / n)
}
