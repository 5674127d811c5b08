import type { Job, Round, Series } from '../core/index.js'

/**
 * Cuts a round into jobs as they are asked for: the matches of each deal, or a whole series where a bot remembers the matches before.
 * `remembers(i)`: whether entrant i lives longer than a match.
 */
export function* jobsOf(round: Round, remembers: (entrant: number) => boolean): Generator<Job, undefined> {
  for (const series of round.series) {
    if (series.pairings.some((pairing) => pairing.seats.some(remembers))) yield series
    else yield* dealsOf(series)
  }
}

function* dealsOf({ pairings }: Series): Generator<Job, undefined> {
  let first = 0
  for (const [i, { deal }] of pairings.entries()) {
    if (pairings[i + 1]?.deal === deal) continue
    yield { key: pairings[first]?.key ?? '', pairings: pairings.slice(first, i + 1) }
    first = i + 1
  }
}

/**
 * Hands out a round's jobs, so that each entrant that lives through the tournament (`lasts(i)`) plays one job at a time, in the round's
 * order. So what such a bot sees does not depend on how many jobs are played at once.
 *
 * Each of them has a line of its jobs; a job may begin when it is first in all its lines. Jobs come in parts: those known later stand
 * behind all before.
 */
export class Queue {
  private readonly lines = new Map<number, { jobs: number[]; front: number }>()
  /** By place; undefined: taken. */
  private readonly jobs: (Job | undefined)[] = []
  /** By job: in how many lines another job is still before it. */
  private readonly blocked: number[] = []
  /** Jobs that may begin now, in the round's order; those before `front` were taken. */
  private readonly ready: number[] = []
  private front = 0

  constructor(private readonly lasts: (entrant: number) => boolean) {}

  add(jobs: readonly Job[]): void {
    for (const job of jobs) {
      const place = this.jobs.push(job) - 1
      const behind = this.livingIn(job).filter((entrant) => {
        const line = this.lines.get(entrant) ?? { jobs: [], front: 0 }
        this.lines.set(entrant, line)
        return line.jobs.push(place) > line.front + 1
      })
      this.blocked.push(behind.length)
      if (behind.length === 0) this.ready.push(place)
    }
  }

  get waiting(): number {
    return this.ready.length - this.front
  }

  /** The next job that may begin; undefined: none, for now or for good. */
  take(): Job | undefined {
    const job = this.next
    if (job !== undefined) this.jobs[this.ready[this.front++] as number] = undefined
    return job
  }

  get next(): Job | undefined {
    return this.jobs[this.ready[this.front] ?? -1]
  }

  /** A job has ended: those waiting for its entrants move up. */
  done(job: Job): void {
    for (const entrant of this.livingIn(job)) {
      const line = this.lines.get(entrant)
      const next = line?.jobs[++line.front]
      if (next === undefined) continue
      const blocked = (this.blocked[next] ?? 0) - 1
      this.blocked[next] = blocked
      if (blocked > 0) continue
      const behind = this.ready.findLastIndex((place) => place < next) + 1
      this.ready.splice(Math.max(this.front, behind), 0, next)
    }
  }

  private livingIn(job: Job): number[] {
    return entrantsOf(job).filter((entrant) => this.lasts(entrant))
  }
}

export function entrantsOf(job: Job): readonly number[] {
  const found = whoPlays.get(job) ?? [...new Set(job.pairings.flatMap((pairing) => pairing.seats))]
  whoPlays.set(job, found)
  return found
}
/** Asked for some ten times a job. */
const whoPlays = new WeakMap<Job, readonly number[]>()
