import { BusyError, type MatchRecord, UserError, messageOf } from '../core/index.js'
import type { Snapshot } from '../store/index.js'
import type { SeatedBot } from '../bots/index.js'
import { type Arena, Disturbed } from './arena.js'
import type { Checkpoints } from './checkpoints.js'
import { Patience, inSeconds } from './patience.js'
import { playedOf } from './played.js'
import { type Job, entrantsOf } from './schedule.js'
import { Stopped, type Stopping } from './stopping.js'
import type { Recorder } from './recorder.js'
import { dropPart } from './series-parts.js'
import type { Tally } from './tally.js'
import type { TournamentLease } from './tournament-lease.js'
import type { TournamentRun } from './tournament.js'
import type { JobUnderWay } from './under-way.js'
import { type JobRequest, type JobResponse, type WorkerPool, isLanded, recordsOf } from './worker-pool.js'

/** A match that fails for agon's own reasons is void and played again, this often in all. */
const ATTEMPTS = 3

/** What a run's jobs are played with. */
export interface Playing {
  readonly run: TournamentRun
  readonly pool: WorkerPool
  /** Where bots that live through the tournament play: in this thread. */
  readonly arena: Arena
  readonly checkpoints: Checkpoints
  readonly tally: Tally
  readonly recorder: Recorder
  readonly lease: TournamentLease
  readonly stopping: Stopping
  /** By key: what is being played now. */
  readonly begun: Map<string, JobUnderWay>
}

/** Plays jobs, each until it is stored. */
export class JobPlayer {
  constructor(private readonly playing: Playing) {}

  /** Plays a job, again where it is void for no bot's fault. Rejects with `Stopped` where the run is ended meanwhile. */
  async play(job: Job): Promise<void> {
    const { run, lease, checkpoints, tally, stopping, arena, pool } = this.playing
    const patience = new Patience(run.patience)
    let disturbed = 0
    for (let attempt = 1; ;) {
      const bots = new Map<number, SeatedBot>()
      try {
        if (run.waitWhilePaused) await stopping.unless(run.waitWhilePaused(job.pairings.length))
        if (run.untilReady) await stopping.unless(run.untilReady(entrantsOf(job)))
        if (entrantsOf(job).some((entrant) => run.isActive?.(entrant) === false)) return
        // Another process may have played it since the round began.
        if (!lease.held && !pool.looks && (await tally.takeOver(job))) return
        await this.begunJob({ job, disturbed }, bots)
        for (const [entrant, bot] of bots) if (!checkpoints.has(entrant)) await arena.leave(entrant, bot)
        return
      } catch (error) {
        for (const entrant of bots.keys()) checkpoints.forget(entrant)
        await Promise.all([...bots.values()].map((bot) => bot.close()))
        // What is in the store has happened, whatever went wrong afterwards.
        if (error instanceof Stopped || error instanceof UserError || attempt === ATTEMPTS || tally.counts(job))
          throw error
        await this.noteVoid(job, error, patience)
        if (error instanceof Disturbed) disturbed++
        else if (!(error instanceof BusyError)) attempt++
      }
    }
  }

  /** Notes why a job is void. Where the machine is too busy, it waits. */
  private async noteVoid(job: Job, error: unknown, patience: Patience): Promise<void> {
    const { run } = this.playing
    const why = messageOf(error)
    const busy = error instanceof BusyError
    await run.store.note(run.id, busy ? 'stalled' : 'void', { match: job.key, why })
    if (busy) await this.waitForMachine(job, patience.pause(error), why)
    else run.on({ type: 'note', text: `${job.key}: void, played again: ${why}` })
  }

  /** A job is void because the machine is too busy: waits a while, so that the load may fall. */
  private async waitForMachine(job: Job, ms: number, why: string): Promise<void> {
    const { run, stopping } = this.playing
    run.on({ type: 'note', text: `${job.key}: void: ${why}; it is played again in ${inSeconds(ms)} s` })
    let timer: NodeJS.Timeout | undefined
    try {
      await stopping.unless(new Promise<void>((done) => (timer = setTimeout(done, ms))))
    } finally {
      clearTimeout(timer)
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
    const { definition, gameFile, tournament } = run
    const { job } = request
    const starts = new Map<number, Snapshot>()
    const lasting = entrantsOf(job).some((entrant) => checkpoints.has(entrant))
    const parts = lasting || job.pairings.length === 1 ? undefined : run.parts
    const asked = { ...request, ...(parts && { kept: tally.key(job) }) }
    const response: JobResponse = lasting
      ? { records: await this.playLasting(request, bots, starts) }
      : ((await stopping.unless(pool.play([asked])))[0] as JobResponse)
    const records = recordsOf(response)
    for (const record of records) tally.refuseUnscored(record)
    const matches = playedOf({ definition, file: gameFile }, job, records)
    tally.cut(job, matches.length)
    const kept = { tournament, by: await checkpoints.keep(bots, starts) }
    checkpoints.stopped(starts)
    const played = { key: tally.key(job), matches, kept }
    const count = (): void => tally.count(job, matches, false)
    // This process alone plays them: their next match need not wait until this one is stored and reported.
    if (lasting) recorder.recordLater(played, count)
    // Another process may have stored it before: the worker that played it, or one that plays the same.
    else if ((await recorder.record(played)) && !isLanded(response)) await tally.reuse(job)
    else count()
    if (parts && asked.kept !== undefined) dropPart(parts, asked.kept)
  }

  /**
   * Plays a job of bots that live through the tournament, in this thread. What they held when they were stopped is put into
   * `starts`.
   */
  private async playLasting(
    { job, disturbed }: JobRequest,
    bots: Map<number, SeatedBot>,
    starts: Map<number, Snapshot>,
  ): Promise<readonly MatchRecord[]> {
    const { arena, checkpoints, stopping } = this.playing
    for (const entrant of entrantsOf(job)) await stopping.unless(this.seat(entrant, job.key, bots))
    const records: MatchRecord[] = []
    for (const pairing of job.pairings) {
      const record = await stopping.unless(arena.match(pairing, bots, disturbed))
      records.push(record)
      await checkpoints.look(record, bots, starts)
    }
    return records
  }

  /** Seats a bot for an entrant: the one that lives, a free one, or a new one, brought to where its life was left. */
  private async seat(entrant: number, job: string, bots: Map<number, SeatedBot>): Promise<void> {
    const { arena, checkpoints, recorder } = this.playing
    const alive = checkpoints.bot(entrant)
    const lasts = checkpoints.has(entrant)
    const bot = alive ?? arena.bot(entrant, lasts ? 'tournament' : job)
    bots.set(entrant, bot)
    if (alive !== undefined || !lasts) return
    // What it is brought back by is read from the store.
    await recorder.flush()
    await checkpoints.begin(entrant, bot)
  }
}
