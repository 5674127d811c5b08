import { setTimeout as sleep } from 'node:timers/promises'
import { BusyError, type Job, type Round, UserError, messageOf } from '../core/index.js'
import { STDERR_KEPT } from '../sandbox/index.js'
import { outlivesMatch } from '../bots/index.js'
import { AbandonedError, Arena, Disturbed } from './arena.js'
import { backoffPauses, inSeconds } from './backoff.js'
import { type PlayableRun, type SeatableEntrant, isLight } from './entrant.js'
import { LongLivedBots, type SeatedJob } from './long-lived-bots.js'
import { CoreAffinity } from './core-affinity.js'
import { playedOf } from './played.js'
import { Recorder } from './recorder.js'
import { Queue, entrantsOf, jobsOf } from './schedule.js'
import { StoppedError, Stopping } from './stopping.js'
import { ResultTally } from './tally.js'
import type { RunResult, TournamentSetting } from './tournament-setting.js'
import { type JobUnderWay, type UnderWay, isSlow } from './under-way.js'
import { type JobRequest, type WorkerPool, WorkerLostError, recordsOf, workersHere } from './worker-pool.js'

/** Plays what is missing of a tournament. Rejects only where agon itself fails repeatedly, or with a BusyError. */
export async function runTournament(run: PlayableRun, setting: TournamentSetting): Promise<RunResult> {
  return new Runner(run, setting).play()
}

/** So many light matches at once take no more than one of programs asked one by one. A power of two. */
const SIDE_BY_SIDE = 16

/** A series of so many matches has its own place, and shorter ones a part: its records are held until all of it is stored. */
const LONG = 1024

/** So many matches of long-lived bots in the place of one: of those on one core one is asked at a time. */
const BESIDE = 4

/** So many matches of remote bots that only wait for the network. */
const REMOTE = 128

/** Jobs known before they may begin. */
const AHEAD = 500

/** Jobs of a round that are looked up in the store before the first of them is played. */
const FIRST = 100
/** The same of later ones, at most: each time twice as many, so that many players do not wait for the store. */
const MOST = 4000

/** Milliseconds until more workers are asked for, if at least as much seems to be left: they take a moment to start. */
const GROW_MS = 1000

/** Attempts at a match that fails for agon's own reasons, and is void. */
const ATTEMPTS = 3

/** Plays what is missing of each round, so many jobs at a time. */
class Runner {
  private readonly stopping = new Stopping()
  private readonly arena: Arena
  /** This thread: remote bots are connected to it. */
  private readonly here: WorkerPool
  /** The first workers, and those started when the run turned out to take longer: these play all later jobs. */
  private readonly pools: WorkerPool[]
  private starting: Promise<void> | undefined
  private readonly longLived: LongLivedBots
  private readonly tally: ResultTally
  private readonly recorder: Recorder
  private readonly affinity: CoreAffinity
  private readonly failures: unknown[] = []
  private readonly begun = new Map<string, JobUnderWay>()
  private readonly began = performance.now()
  /** Matches of the whole tournament, as far as known. */
  private total = 0

  constructor(
    private readonly run: PlayableRun,
    private readonly setting: TournamentSetting,
  ) {
    const { stopping } = this
    const { store } = setting
    const note = (text: string): void => this.note(text)
    const recorder = (this.recorder = new Recorder(store, run.id))
    const arena = (this.arena = new Arena(run, setting.place, note))
    this.here = workersHere(arena)
    this.pools = [setting.workers ?? this.here]
    this.longLived = new LongLivedBots(run, { store, arena, recorder, stopping, note })
    this.tally = new ResultTally(run, setting, this.longLived)
    this.affinity = new CoreAffinity(run.entrants, setting.jobs)
  }

  private note(text: string): void {
    this.setting.on({ type: 'note', text })
  }

  private get pool(): WorkerPool {
    return this.pools.at(-1) as WorkerPool
  }

  async play(): Promise<RunResult> {
    const { setting, stopping, tally } = this
    const stop = () => stopping.stop()
    if (setting.signal.aborted) stop()
    setting.signal.addEventListener('abort', stop)
    let finished = false
    let idle = 0
    const written = new Map<string, string>()
    setting.onBegin?.(this.underWay())
    setting.onPause?.(() => this.abandon())
    try {
      this.affinity.pin()
      while (!stopping.stopped && !finished) {
        if (!(await this.isPlaying())) break
        const round = setting.schedule.next(tally.results)
        if (round === undefined) finished = true
        else {
          this.total = setting.schedule.total(tally.results)
          setting.on({ type: 'round', round, total: this.total })
          const before = tally.results.size
          await this.playQueued(this.missingOf(round))
          await this.recorder.flush()
          if (this.failures.length > 0) throw this.failures[0]
          // Twice nobody could play: the rest waits for who is away.
          idle = tally.results.size === before ? idle + 1 : 0
          if (idle === 2) finished = true
        }
      }
    } finally {
      setting.signal.removeEventListener('abort', stop)
      await this.recorder.flush()
      this.affinity.unpin()
      await this.starting
      const ends = await Promise.all(this.pools.map((pool) => pool.close()))
      await Promise.all([this.arena.close(), this.longLived.close()])
      // This thread's workers have passed on their arena's.
      if (setting.workers) ends.unshift(this.arena.stderr())
      for (const [name, text] of ends.flatMap((end) => [...end])) written.set(name, (written.get(name) ?? '') + text)
    }
    const stderr = new Map(this.run.entrants.map(({ name }) => [name, (written.get(name) ?? '').slice(-STDERR_KEPT)]))
    const { results, jobKeys, played, reused } = tally
    return { results, jobKeys, played, reused, finished, stderr }
  }

  private underWay(): UnderWay {
    const { begun, arena, pools } = this
    const look: UnderWay['look'] = async (job, seen) => {
      const keys = begun.get(job)?.job.pairings.map(({ key }) => key)
      if (keys === undefined) return undefined
      const here = arena.live.look(keys, seen)
      if (here !== undefined) return here
      // The first workers end the jobs they began, also when others play the rest.
      const parts = await Promise.all(pools.flatMap((pool) => pool.look?.(keys, seen) ?? []))
      return parts.find((part) => part !== undefined)
    }
    return {
      jobs: () => [...begun.values()],
      async played() {
        const several = [...begun.values()].filter(isSlow)
        const parts = await Promise.all(several.map(({ job }) => look(job.key)))
        return parts.reduce((sum, part, i) => sum + Math.max(0, placeOf(several[i]?.job, part?.key)), 0)
      },
      look,
    }
  }

  /** Gives up what would begin another match. Long-lived bots end their jobs: none is begun anew. */
  private abandon(): void {
    const several = [...this.begun.values()].filter(({ job }) => job.pairings.length > 1 && !this.lasts(job))
    for (const pool of this.pools) pool.abandon?.(several.map(({ job }) => job.key))
  }

  /** Waits while the run is paused. False: it was ended. */
  private async isPlaying(): Promise<boolean> {
    try {
      const { waitWhilePaused } = this.setting
      if (waitWhilePaused) await this.stopping.unless(waitWhilePaused())
      return true
    } catch (error) {
      if (error instanceof StoppedError) return false
      throw error
    }
  }

  /**
   * A round's jobs to play, in parts: the keys of a long schedule take longer than a match, so play begins after the first part.
   */
  private async *missingOf(round: Round): AsyncGenerator<readonly Job[], undefined> {
    let part: Job[] = []
    let size = FIRST
    for (const job of jobsOf(round, (entrant) => outlivesMatch(this.entrant(entrant).memory))) {
      if (part.push(job) < size) continue
      yield await this.missing(part)
      part = []
      size = Math.min(MOST, 2 * size)
    }
    if (part.length > 0) yield await this.missing(part)
  }

  /** Plays jobs as they become known. A failure ends the others, and is kept. */
  private async playQueued(parts: AsyncGenerator<readonly Job[], undefined>): Promise<void> {
    const { setting, stopping } = this
    const most = setting.workers?.window ?? setting.jobs
    // A remote bot's machine plays one job at a time.
    const queue = new Queue((entrant) => this.longLived.has(entrant) || this.entrant(entrant).remote === true)
    let allKnown = false
    await new Promise<void>((done) => {
      let playing = 0
      let looking = false
      // Sum of the jobs' shares (`shareOf`).
      let taken = 0
      // Enough jobs are known ahead that no player waits for one.
      const look = () => {
        if (looking || allKnown || stopping.stopped || queue.waiting > most + AHEAD) return
        looking = true
        void parts
          .next()
          .then(({ value }) => {
            allKnown = value === undefined
            queue.add(value ?? [])
          })
          .catch((error: unknown) => this.fail(error))
          .then(() => {
            looking = false
            fill()
          })
      }
      const fill = () => {
        for (let job = queue.next; job !== undefined && !stopping.stopped; job = queue.next) {
          const share = this.shareOf(job)
          if (taken + share > most) break
          queue.take()
          playing++
          taken += share
          this.grow()
          void this.playJob(job)
            .then(() => queue.done(job))
            .catch((error: unknown) => this.fail(error))
            .then(() => {
              playing--
              taken -= share
              fill()
            })
        }
        look()
        if (playing === 0 && !looking) done()
      }
      fill()
    })
  }

  /** Starts more workers, once, if the run takes longer than a moment and no bot lives through the tournament, in this thread. */
  private grow(): void {
    const { run, setting, tally, longLived } = this
    const took = performance.now() - this.began
    if (setting.startWorkers === undefined || this.starting !== undefined || took < GROW_MS) return
    const left = this.total - tally.results.size
    if ((took / Math.max(1, tally.played)) * left < GROW_MS || run.entrants.some((_, i) => longLived.has(i))) return
    this.starting = setting.startWorkers().then(
      async (pool) => {
        this.pools.push(pool)
        await this.arena.rest()
      },
      (error: unknown) => this.note(`all is played in one thread: ${messageOf(error)}`),
    )
  }

  /** Plays a job until it is stored, again if it is void for no bot's fault. Rejects with a `StoppedError` if the run is ended. */
  private async playJob(job: Job): Promise<void> {
    const { setting, longLived, tally, stopping, begun } = this
    const pauseMs = backoffPauses(setting.backoff)
    /** How often a bot was killed from outside. */
    let disturbed = 0
    for (let attempt = 1; ;) {
      const seated: SeatedJob = { bots: new Map(), starts: new Map() }
      try {
        if (setting.waitWhilePaused) await stopping.unless(setting.waitWhilePaused(job.pairings.length))
        if (entrantsOf(job).some((entrant) => setting.isActive?.(entrant) === false)) return
        // Another process may have played it since.
        if (!longLived.isLeased && !this.pool.looks && (await tally.missing([job])).length === 0) return
        begun.set(job.key, { job, began: Date.now() })
        await this.playOnce({ job, disturbed, key: tally.key(job) }, seated)
        await longLived.leave(seated)
        return
      } catch (error) {
        await longLived.giveUp(seated)
        if (error instanceof AbandonedError) continue
        // What is stored has happened, whatever went wrong afterwards.
        const isOver = attempt === ATTEMPTS || tally.counts(job)
        if (error instanceof StoppedError || error instanceof UserError || isOver) throw error
        await this.noteVoid(job, error, pauseMs)
        if (error instanceof Disturbed) disturbed++
        else if (!(error instanceof BusyError)) attempt++
      } finally {
        begun.delete(job.key)
      }
    }
  }

  /** Plays a job, and has it stored and counted. Seated bots are put into `seated`. */
  private async playOnce(request: JobRequest, seated: SeatedJob): Promise<void> {
    const { run, longLived, tally, stopping, recorder } = this
    const { definition, game, tournament } = run
    const { job, key } = request
    const lasting = this.lasts(job)
    const pool = entrantsOf(job).some((entrant) => this.entrant(entrant).remote) ? this.here : this.pool
    const response = lasting
      ? { records: await longLived.play(request, seated) }
      : (await stopping.unless(pool.play([request])))[0]
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
    // Only this process plays these bots: their next match need not wait until this one is stored and reported.
    if (lasting) void stored.then(countOrReuse).catch((error: unknown) => this.fail(error))
    else await countOrReuse(await stored)
  }

  /** A void job is played again, after a while if the machine is too busy. */
  private async noteVoid({ key }: Job, error: unknown, pauseMs: (error: BusyError) => number): Promise<void> {
    const why = messageOf(error)
    const busy = error instanceof BusyError
    await this.setting.store.note(this.run.id, busy ? 'stalled' : 'void', { match: key, why })
    if (!busy) return this.note(`${key}: void, played again: ${why}`)
    const ms = pauseMs(error)
    this.note(`${key}: void: ${why}; it is played again in ${inSeconds(ms)} s`)
    const over = new AbortController()
    try {
      await this.stopping.unless(sleep(ms, undefined, { signal: over.signal }))
    } finally {
      over.abort()
    }
  }

  private fail(error: unknown): void {
    if (!(error instanceof StoppedError)) this.failures.push(error)
    this.stopping.stop()
  }

  /** Jobs not in the store. If long-lived bots play in them, the tournament's lease is held then. */
  private async missing(jobs: readonly Job[]): Promise<Job[]> {
    const missing = await this.tally.missing(jobs)
    if (!missing.some((job) => this.lasts(job)) || this.longLived.isLeased || this.stopping.stopped) return missing
    await this.longLived.lease()
    return this.missing(missing)
  }

  private lasts(job: Job): boolean {
    return entrantsOf(job).some((entrant) => this.longLived.has(entrant))
  }

  /** Many light matches take the place of one other. */
  private shareOf(job: Job): number {
    const { workers, jobs } = this.setting
    const entrants = entrantsOf(job)
    const isAllLight = entrants.every((entrant) => isLight(this.entrant(entrant)))
    const here = workers?.window === undefined ? 1 : workers.window / jobs
    // While a remote bot thinks, or its answer is on its way, this machine has time for others.
    if (entrants.some((entrant) => this.entrant(entrant).remote)) return here / (isAllLight ? REMOTE : SIDE_BY_SIDE)
    // Long-lived bots play here, whatever the workers play.
    if (workers?.window !== undefined) return this.lasts(job) ? here : 1
    if (isAllLight) return Math.min(1, Math.max(1 / SIDE_BY_SIDE, job.pairings.length / LONG))
    // While some matches' bots think, others on this core are asked.
    return this.affinity.isPinned && entrants.every((entrant) => this.longLived.has(entrant)) ? 1 / BESIDE : 1
  }

  private entrant(index: number): SeatableEntrant {
    return this.run.entrants[index] as SeatableEntrant
  }
}

/** A match's number in its job, from 0; −1: not in it. */
const placeOf = (job: Job | undefined, match: string | undefined): number =>
  job?.pairings.findIndex(({ key }) => key === match) ?? -1
