import {
  type MatchRecord,
  type Outcome,
  type Pairing,
  type Result,
  UserError,
  type Job,
  type JudgedMatch,
  countedScores,
  sidesOf,
  weighed,
} from '../core/index.js'
import { factsOf } from '../match/index.js'
import { isAwaiting } from '../match/pace.js'
import type { PlayableRun } from './entrant.js'
import { keyOf } from './identity.js'
import type { Checkpoints } from './checkpoints.js'
import { yieldToOthers } from './event-loop.js'
import { entrantsOf } from './schedule.js'
import type { TournamentSetting } from './tournament-setting.js'

/** Jobs that are looked up together: other work of this thread waits no longer than for these. */
const AT_ONCE = 500

/** Matches that are read together, or those of one series. */
const READ = 500

/** Outcomes that are shared: where scores count, almost each is another one. */
const DIFFERENT = 5000

/** The results of a tournament so far: those that the store had, and those that were added. */
export class ResultTally {
  readonly results = new Map<string, Result>()
  played = 0
  reused = 0
  private readonly order = new Set<string>()
  /** The store's key of a job. */
  private readonly keys = new Map<Job, string>()
  /** Keys of the jobs that count. */
  private readonly done = new Set<string>()
  /** By their JSON: a run holds each outcome once, however many of its matches end so. */
  private readonly outcomes = new Map<string, Outcome>()
  /** Outcomes that were ruled, of matches that this run holds. */
  private ruled: ReadonlyMap<string, Outcome> = new Map()

  constructor(
    private readonly run: PlayableRun,
    private readonly setting: Pick<TournamentSetting, 'store' | 'factsMatter' | 'on'>,
    private readonly checkpoints: Checkpoints,
  ) {}

  /** The next jobs of a round take their places in the schedule's order. */
  async enter(jobs: readonly Job[]): Promise<void> {
    for (const job of jobs) {
      // Bots that have answered wait for this thread meanwhile.
      await yieldToOthers(isAwaiting())
      const key = keyOf(this.run, job)
      this.keys.set(job, key)
      this.order.add(key)
    }
  }

  /** Nothing more is asked about this job. */
  leave(job: Job): void {
    this.keys.delete(job)
  }

  key(job: Job): string {
    return this.keys.get(job) as string
  }

  counts(job: Job): boolean {
    return this.done.has(this.key(job))
  }

  /** Keys of the jobs that count, in the schedule's order. */
  get jobKeys(): readonly string[] {
    return [...this.order].filter((key) => this.done.has(key))
  }

  /** Takes what the store has of these jobs; returns the others. */
  async missing(jobs: readonly Job[]): Promise<Job[]> {
    const missing: Job[] = []
    for (let from = 0; from < jobs.length; from += AT_ONCE) {
      await yieldToOthers()
      missing.push(...(await this.missingOf(jobs.slice(from, from + AT_ONCE))))
    }
    return missing
  }

  private async missingOf(jobs: readonly Job[]): Promise<Job[]> {
    const there = await this.setting.store.adopt(
      this.run.id,
      jobs.map((job) => this.key(job)),
    )
    if (there.size > 0) await this.learnRulings()
    const reused = jobs.filter((job) => there.has(this.key(job)) && !this.counts(job))
    for (const some of weighed(reused, (job) => job.pairings.length, READ)) await this.reuseAll(some)
    return jobs.filter((job) => !this.counts(job) && !there.has(this.key(job)))
  }

  private async reuseAll(jobs: readonly Job[]): Promise<void> {
    const { store } = this.setting
    const all = await store.read(jobs.map((job) => this.key(job)))
    // The same job may have been asked for twice.
    for (const job of jobs) if (!this.counts(job)) this.count(job, all.get(this.key(job)) ?? [], true)
  }

  /** Takes a job that another process has stored meanwhile. False: none has. */
  async takeOver(job: Job): Promise<boolean> {
    const { store } = this.setting
    if (!(await store.has([this.key(job)])).has(this.key(job))) return false
    await store.adopt(this.run.id, [this.key(job)])
    await this.learnRulings()
    await this.reuse(job)
    return true
  }

  /** Those of matches that have just come to the run, too: it may have held them before its entrants changed. */
  private async learnRulings(): Promise<void> {
    this.ruled = await this.setting.store.ruled(this.run.id)
  }

  /** Takes a job from the store. A ruling of this run goes before what its record says. */
  async reuse(job: Job): Promise<void> {
    const key = this.key(job)
    const matches = (await this.setting.store.read([key])).get(key) ?? []
    this.count(job, matches, true)
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
    const known = this.outcomes.get(text)
    if (known !== undefined) return known
    if (this.outcomes.size < DIFFERENT) this.outcomes.set(text, outcome)
    return outcome
  }

  count(job: Job, matches: readonly JudgedMatch[], reused: boolean): void {
    for (const { record } of matches) this.refuseUnscored(record)
    this.done.add(this.key(job))
    if (reused) this.reused += matches.length
    else this.played += matches.length
    this.checkpoints.through(entrantsOf(job), this.key(job))
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
