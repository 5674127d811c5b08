import {
  type MatchRecord,
  type Outcome,
  type Pairing,
  type Result,
  UserError,
  type Job,
  type JudgedMatch,
  countedScores,
  portions,
  sidesOf,
  weighed,
} from '../core/index.js'
import { factsOf, isAwaiting } from '../match/index.js'
import type { PlayableRun } from './entrant.js'
import { keyOf } from './identity.js'
import { yieldToOthers } from './event-loop.js'
import type { LongLivedBots } from './long-lived-bots.js'
import { entrantsOf } from './schedule.js'
import type { TournamentSetting } from './tournament-setting.js'

/** Jobs looked up together: this thread's other work waits no longer than for these. */
const AT_ONCE = 500

/** Matches read together, or those of one series. */
const READ = 500

/** Outcomes that are shared: where scores count, almost all differ. */
const DIFFERENT = 5000

/** A tournament's results so far: those stored before, and those added. */
export class ResultTally {
  readonly results = new Map<string, Result>()
  played = 0
  reused = 0
  /** By the job's key, in the schedule's order: whether it counts. */
  private readonly order = new Map<string, boolean>()
  private readonly keys = new WeakMap<Job, string>()
  /** By their JSON: each outcome is held once. */
  private readonly outcomes = new Map<string, Outcome>()
  /** Ruled outcomes of matches that this run holds. */
  private ruled: ReadonlyMap<string, Outcome> = new Map()

  constructor(
    private readonly run: PlayableRun,
    private readonly setting: Pick<TournamentSetting, 'store' | 'factsMatter' | 'on'>,
    private readonly longLived: Pick<LongLivedBots, 'through'>,
  ) {}

  key(job: Job): string {
    const key = this.keys.get(job) ?? keyOf(this.run, job)
    this.keys.set(job, key)
    return key
  }

  counts(job: Job): boolean {
    return this.order.get(this.key(job)) === true
  }

  get jobKeys(): readonly string[] {
    return [...this.order].flatMap(([key, counts]) => (counts ? [key] : []))
  }

  /** Takes what is stored of these jobs, the next in the schedule's order; returns the others. */
  async missing(jobs: readonly Job[]): Promise<Job[]> {
    const missing: Job[] = []
    for (const some of portions(jobs, AT_ONCE)) {
      for (const job of some) {
        // Bots that have answered wait for this thread.
        await yieldToOthers(isAwaiting())
        if (!this.counts(job)) this.order.set(this.key(job), false)
      }
      missing.push(...(await this.missingOf(some)))
    }
    return missing
  }

  private async missingOf(jobs: readonly Job[]): Promise<Job[]> {
    const { store } = this.setting
    const there = await store.adopt(
      this.run.id,
      jobs.map((job) => this.key(job)),
    )
    // Also of matches that just came: the run may have held them before its entrants changed.
    if (there.size > 0) this.ruled = await store.ruled(this.run.id)
    const reused = jobs.filter((job) => there.has(this.key(job)))
    for (const some of weighed(reused, (job) => job.pairings.length, READ)) {
      const all = await store.read(some.map((job) => this.key(job)))
      for (const job of some) this.count(job, all.get(this.key(job)) ?? [], true)
    }
    return jobs.filter((job) => !this.counts(job))
  }

  /** Throws UserError for a match without a score in a contest where scores count. */
  refuseUnscored({ outcome }: MatchRecord): void {
    const { contest, game } = this.run
    if (contest.scoring.by !== 'score' || countedScores(contest.scoring, { outcome }) !== undefined) return
    const file = game.file === undefined ? '' : ` (${game.file})`
    throw new UserError(
      `the game ${game.id}${file} has ended a match without a score, and [scoring] by = "score" counts scores: its outcome() has to give one, a number for each seat, or the contest to leave by = "score" out`,
    )
  }

  private shared(outcome: Outcome): Outcome {
    const text = JSON.stringify(outcome)
    const known = this.outcomes.get(text) ?? outcome
    if (this.outcomes.size < DIFFERENT) this.outcomes.set(text, known)
    return known
  }

  /** `reused`: it comes from the store. A ruling of this run overrides its record. */
  count(job: Job, matches: readonly JudgedMatch[], reused = false): void {
    // The same job may be asked for twice.
    if (this.counts(job)) return
    for (const { record } of matches) this.refuseUnscored(record)
    this.order.set(this.key(job), true)
    if (reused) this.reused += matches.length
    else this.played += matches.length
    this.longLived.through(entrantsOf(job), this.key(job))
    for (const [i, match] of matches.entries()) {
      const { key, seats } = job.pairings[i] as Pairing
      const outcome = this.shared((reused && this.ruled.get(key)) || match.record.outcome)
      const matter = this.setting.factsMatter?.(key) ?? true
      const result = sidesOf({ key, seats, outcome, ...(matter && factsOf(match.record)) })
      this.results.set(key, result)
      this.setting.on({ type: 'match', match, result, reused })
    }
  }
}
