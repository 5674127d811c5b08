import { setTimeout as sleep } from 'node:timers/promises'
import { BusyError, type Job, UserError, messageOf } from '../core/index.js'
import { AbandonedError, type Arena, Disturbed } from './arena.js'
import { Backoff, inSeconds } from './backoff.js'
import type { PlayableRun } from './entrant.js'
import type { LongLivedBots, SeatedJob } from './long-lived-bots.js'
import { playedOf } from './played.js'
import type { Recorder } from './recorder.js'
import { entrantsOf } from './schedule.js'
import { StoppedError, type Stopping } from './stopping.js'
import type { ResultTally } from './tally.js'
import type { TournamentSetting } from './tournament-setting.js'
import type { JobUnderWay } from './under-way.js'
import { type JobRequest, type WorkerPool, WorkerLostError, recordsOf, workersHere } from './worker-pool.js'

/** A match that fails for agon's own reasons is void and played again, this often in all. */
const ATTEMPTS = 3

export interface JobPlayerSetting {
  readonly run: PlayableRun
  readonly setting: TournamentSetting
  readonly pool: WorkerPool
  /** Where bots that live through the tournament play: in this thread. */
  readonly arena: Arena
  readonly longLived: LongLivedBots
  readonly tally: ResultTally
  readonly recorder: Recorder
  readonly stopping: Stopping
  /** By key: what is being played now. */
  readonly begun: Map<string, JobUnderWay>
  readonly fail: (error: unknown) => void
}

/** Plays jobs, each until it is stored. */
export class JobPlayer {
  /** Remote bots are connected to this process: no other plays with them. */
  private readonly here: WorkerPool

  constructor(private readonly playing: JobPlayerSetting) {
    this.here = workersHere(playing.arena)
  }

  /** Plays a job, again where it is void for no bot's fault. Rejects with a `StoppedError` where the run is ended meanwhile. */
  async play(job: Job): Promise<void> {
    const { setting, longLived, tally, stopping, pool, begun } = this.playing
    const backoff = new Backoff(setting.backoff)
    /** How often a bot was killed from outside in it. */
    let disturbed = 0
    for (let attempt = 1; ;) {
      const seated: SeatedJob = { bots: new Map(), starts: new Map() }
      try {
        if (setting.waitWhilePaused) await stopping.unless(setting.waitWhilePaused(job.pairings.length))
        if (entrantsOf(job).some((entrant) => setting.isActive?.(entrant) === false)) return
        // Another process may have played it since the round began.
        if (!longLived.isLeased && !pool.looks && (await tally.missing([job])).length === 0) return
        begun.set(job.key, { job, began: Date.now() })
        await this.playOnce({ job, disturbed, key: tally.key(job) }, seated)
        await longLived.leave(seated)
        return
      } catch (error) {
        await longLived.giveUp(seated)
        if (error instanceof AbandonedError) continue
        // What is in the store has happened, whatever went wrong afterwards.
        const isOver = attempt === ATTEMPTS || tally.counts(job)
        if (error instanceof StoppedError || error instanceof UserError || isOver) throw error
        await this.noteVoid(job, error, backoff)
        if (error instanceof Disturbed) disturbed++
        else if (!(error instanceof BusyError)) attempt++
      } finally {
        begun.delete(job.key)
      }
    }
  }

  /** Plays a job, and has it stored and counted. The bots seated here are put into `seated`. */
  private async playOnce(request: JobRequest, seated: SeatedJob): Promise<void> {
    const { run, pool, longLived, tally, stopping, recorder, fail } = this.playing
    const { definition, game, tournament } = run
    const { job, key } = request
    const lasting = entrantsOf(job).some((entrant) => longLived.has(entrant))
    const isRemote = entrantsOf(job).some((entrant) => run.entrants[entrant]?.remote)
    const response = lasting
      ? { records: await longLived.play(request, seated) }
      : (await stopping.unless((isRemote ? this.here : pool).play([request])))[0]
    if (response === undefined) throw new Error(`nothing was answered to ${job.key}`)
    if ('stored' in response) {
      if ((await tally.missing([job])).length > 0) throw new WorkerLostError('a stored match is gone')
      return
    }
    for (const record of recordsOf(response)) tally.refuseUnscored(record)
    const matches = playedOf({ definition, file: game.file }, job, response)
    const kept = { tournament, by: await longLived.keep(seated) }
    const stored = recorder.record({ key, matches, kept }, lasting)
    const countOrReuse = async (before: boolean): Promise<void> => {
      if (!before) tally.count(job, matches)
      else if (lasting) throw new Error('another process has stored a match of a tournament that this one plays')
      else await tally.missing([job])
    }
    // This process alone plays these bots: their next match need not wait until this one is stored and reported.
    if (lasting) void stored.then(countOrReuse).catch(fail)
    else await countOrReuse(await stored)
  }

  /** A job is void: it is played again, after a while where the machine is too busy. */
  private async noteVoid(job: Job, error: unknown, backoff: Backoff): Promise<void> {
    const { run, setting, stopping } = this.playing
    const { key } = job
    const why = messageOf(error)
    const note = (text: string): void => setting.on({ type: 'note', text: `${key}: void${text}` })
    const busy = error instanceof BusyError
    await setting.store.note(run.id, busy ? 'stalled' : 'void', { match: key, why })
    if (!busy) return note(`, played again: ${why}`)
    const ms = backoff.pause(error)
    note(`: ${why}; it is played again in ${inSeconds(ms)} s`)
    const over = new AbortController()
    try {
      await stopping.unless(sleep(ms, undefined, { signal: over.signal }))
    } finally {
      over.abort()
    }
  }
}
