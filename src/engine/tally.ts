import type { Result } from '../core/index.js'
import { courseOf } from '../match/index.js'
import type { Judged } from '../store/index.js'
import { keyOf } from './identity.js'
import type { Checkpoints } from './checkpoints.js'
import { type Job, entrantsOf } from './schedule.js'
import type { TournamentRun } from './tournament.js'

/** What has been played of a tournament: what the store had, and what was added. */
export class Tally {
  readonly results = new Map<string, Result>()
  played = 0
  reused = 0
  private readonly order = new Set<string>()
  /** The store's key of a job. */
  private readonly keys = new Map<Job, string>()
  /** Keys of the jobs that count. */
  private readonly done = new Set<string>()
  /** What this run held at its beginning, rulings applied. */
  private ruled: ReadonlyMap<string, Result> = new Map()

  constructor(
    private readonly run: TournamentRun,
    private readonly lives: Checkpoints,
  ) {}

  /** To be awaited before anything is counted. */
  async begin(): Promise<void> {
    this.ruled = await this.run.store.results(this.run.id)
  }

  /** The jobs of a round take their places in the schedule's order. */
  enter(jobs: readonly Job[]): void {
    for (const job of jobs) this.keys.set(job, keyOf(this.run, job))
    for (const job of jobs) this.order.add(this.key(job))
  }

  key(job: Job): string {
    return this.keys.get(job) as string
  }

  counts(job: Job): boolean {
    return this.done.has(this.key(job))
  }

  /** Keys of the jobs that count, in the schedule's order. */
  get units(): readonly string[] {
    return [...this.order].filter((key) => this.done.has(key))
  }

  /** Takes what the store has of these jobs; returns the others. */
  async missing(jobs: readonly Job[]): Promise<Job[]> {
    const there = await this.run.store.adopt(
      this.run.id,
      jobs.map((job) => this.key(job)),
    )
    const missing: Job[] = []
    for (const job of jobs) {
      if (this.counts(job)) continue
      if (there.has(this.key(job))) await this.reuse(job)
      else missing.push(job)
    }
    return missing
  }

  /** Takes a job that another process has stored meanwhile. False: none has. */
  async takeOver(job: Job): Promise<boolean> {
    const { store, id } = this.run
    if (!(await store.has(this.key(job)))) return false
    await store.adopt(id, [this.key(job)])
    await this.reuse(job)
    return true
  }

  /** Takes a job from the store. A ruling of this run goes before what its record says. */
  async reuse(job: Job): Promise<void> {
    const matches = await this.run.store.read(this.key(job))
    this.count(job, matches, true)
  }

  count(job: Job, matches: readonly Judged[], reused: boolean): void {
    this.done.add(this.key(job))
    if (reused) this.reused += matches.length
    else this.played += matches.length
    for (const entrant of entrantsOf(job)) this.lives.through(entrant, this.key(job))
    for (const [i, { key, seats }] of job.pairings.entries()) {
      const match = matches[i] as Judged
      const outcome = (reused && this.ruled.get(key)?.outcome) || match.record.outcome
      const result = { key, seats, outcome, course: courseOf(match.record) }
      this.results.set(key, result)
      this.run.on({ type: 'match', match, result, reused })
    }
  }
}
