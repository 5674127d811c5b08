import type { Job } from '../core/index.js'
import type { Snapshot } from '../store/index.js'
import type { SeatedBot } from '../bots/index.js'
import type { Arena } from './arena.js'
import { Attempts } from './attempts.js'
import type { Checkpoints } from './checkpoints.js'
import { LongLivedBots } from './long-lived-bots.js'
import type { PlayableRun } from './entrant.js'
import { playedOfResponse } from './played.js'
import { entrantsOf } from './schedule.js'
import type { Stopping } from './stopping.js'
import type { Recorder } from './recorder.js'
import type { ResultTally } from './tally.js'
import type { TournamentLease } from './tournament-lease.js'
import type { TournamentSetting } from './tournament-setting.js'
import type { JobUnderWay } from './under-way.js'
import {
  type JobRequest,
  type JobResponse,
  type WorkerPool,
  WorkerLostError,
  recordsOf,
  workersHere,
} from './worker-pool.js'

/** The parts that play a run's jobs. */
export interface JobPlayerSetting {
  readonly run: PlayableRun
  readonly setting: TournamentSetting
  readonly pool: WorkerPool
  /** Where bots that live through the tournament play: in this thread. */
  readonly arena: Arena
  readonly checkpoints: Checkpoints
  readonly tally: ResultTally
  readonly recorder: Recorder
  readonly lease: TournamentLease
  readonly stopping: Stopping
  /** By key: what is being played now. */
  readonly begun: Map<string, JobUnderWay>
}

/** Plays jobs, each until it is stored. */
export class JobPlayer {
  private readonly longLived: LongLivedBots
  /** Remote bots are connected to this process: no other plays with them. */
  private readonly here: WorkerPool

  constructor(private readonly playing: JobPlayerSetting) {
    const { arena, checkpoints, recorder, stopping } = playing
    this.here = workersHere(arena)
    this.longLived = new LongLivedBots(
      arena,
      checkpoints,
      () => recorder.flush(),
      (work) => stopping.unless(work),
    )
  }

  /** Plays a job, again where it is void for no bot's fault. Rejects with `Stopped` where the run is ended meanwhile. */
  async play(job: Job): Promise<void> {
    const { setting, lease, tally, stopping, pool } = this.playing
    for (const attempts = new Attempts(this.playing, job); ;) {
      const bots = new Map<number, SeatedBot>()
      try {
        if (setting.waitWhilePaused) await stopping.unless(setting.waitWhilePaused(job.pairings.length))
        if (entrantsOf(job).some((entrant) => setting.isActive?.(entrant) === false)) return
        // Another process may have played it since the round began.
        if (!lease.held && !pool.looks && (await tally.takeOver(job))) return
        await this.begunJob({ job, disturbed: attempts.disturbed, key: tally.key(job) }, bots)
        await this.longLived.leave(bots)
        return
      } catch (error) {
        await this.longLived.giveUp(bots)
        await attempts.again(error)
      }
    }
  }

  /** Plays a job, which is known to be under way for as long as that takes. */
  private async begunJob(request: JobRequest, bots: Map<number, SeatedBot>): Promise<void> {
    const { begun } = this.playing
    const { job } = request
    begun.set(job.key, { job, began: Date.now() })
    try {
      await this.tryJob(request, bots)
    } finally {
      begun.delete(job.key)
    }
  }

  /** Plays a job, and has it stored and counted. The bots seated here are put into `bots`. */
  private async tryJob(request: JobRequest, bots: Map<number, SeatedBot>): Promise<void> {
    const { run, pool, checkpoints, tally, stopping, recorder } = this.playing
    const { definition, game, tournament } = run
    const { job } = request
    const starts = new Map<number, Snapshot>()
    const lasting = entrantsOf(job).some((entrant) => checkpoints.has(entrant))
    const isRemote = entrantsOf(job).some((entrant) => run.entrants[entrant]?.remote)
    const response: JobResponse = lasting
      ? { records: await this.longLived.play(request, bots, starts) }
      : ((await stopping.unless((isRemote ? this.here : pool).play([request])))[0] as JobResponse)
    if ('stored' in response) {
      if (!(await tally.takeOver(job))) throw new WorkerLostError('a stored match is gone')
      return
    }
    const records = recordsOf(response)
    for (const record of records) tally.refuseUnscored(record)
    const matches = playedOfResponse({ definition, file: game.file }, job, response)
    const kept = { tournament, by: await checkpoints.keep(bots, starts) }
    checkpoints.stopped(starts)
    const played = { key: tally.key(job), matches, kept }
    const count = (): void => tally.count(job, matches, false)
    // This process alone plays them: their next match need not wait until this one is stored and reported.
    if (lasting) recorder.recordLater(played, count)
    // Another process that plays the same may have stored it before.
    else if (await recorder.record(played)) await tally.reuse(job)
    else count()
  }
}
