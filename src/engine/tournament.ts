import type { Round, Job } from '../core/index.js'
import { STDERR_KEPT } from '../sandbox/index.js'
import { outlivesMatch } from '../bots/index.js'
import { Arena } from './arena.js'
import { type PlayableRun, type SeatableEntrant, isLight } from './entrant.js'
import { GrowingPool } from './growing-pool.js'
import { JobPlayer } from './job-player.js'
import { LongLivedBots } from './long-lived-bots.js'
import { CoreAffinity } from './core-affinity.js'
import { Recorder } from './recorder.js'
import { Queue, entrantsOf, jobsOf } from './schedule.js'
import { StoppedError, Stopping } from './stopping.js'
import { ResultTally } from './tally.js'
import type { RunResult, TournamentSetting } from './tournament-setting.js'
import { type JobUnderWay, type UnderWay, isSlow } from './under-way.js'
import { workersHere } from './worker-pool.js'

/** Plays what is missing of a tournament. Rejects only where agon itself fails again and again, or with a BusyError. */
export async function runTournament(run: PlayableRun, setting: TournamentSetting): Promise<RunResult> {
  return new Runner(run, setting).play()
}

/** So many light matches at once take no more of a machine than one of programs that are asked one by one. A power of two. */
const SIDE_BY_SIDE = 16

/** A series of so many matches has a place of its own, and shorter ones their part of it: its records are held until all of it is stored. */
const LONG = 1024

/** So many matches of bots that live through the tournament in the place of one: of those that share a core one is asked at a time. */
const BESIDE = 4

/** So many matches of remote bots that wait for the network alone. */
const REMOTE = 128

/** Jobs that are known before they may begin. */
const AHEAD = 500

/** Jobs of a round whose keys are made, and that are looked up in the store, before the first of them is played. */
const FIRST = 100
/** The same of later ones, at most: each time they are twice as many, so that many players do not wait for the store's answers. */
const MOST = 4000

/** Plays round after round: what of each is missing, so many jobs at a time. */
class Runner {
  private readonly stopping = new Stopping()
  private readonly arena: Arena
  private readonly longLived: LongLivedBots
  private readonly tally: ResultTally
  private readonly pool: GrowingPool
  private readonly player: JobPlayer
  private readonly recorder: Recorder
  private readonly affinity: CoreAffinity
  private readonly failures: unknown[] = []
  private readonly begun = new Map<string, JobUnderWay>()
  /** Matches of the whole tournament, as far as it is known. */
  private total = 0

  constructor(
    private readonly run: PlayableRun,
    private readonly setting: TournamentSetting,
  ) {
    const { stopping, begun } = this
    const { store } = setting
    const note = (text: string): void => setting.on({ type: 'note', text })
    const fail = (error: unknown): void => this.fail(error)
    const recorder = (this.recorder = new Recorder(store, run.id))
    const arena = (this.arena = new Arena(run, setting.place, note))
    const longLived = (this.longLived = new LongLivedBots(run, { store, arena, recorder, stopping, note }))
    const tally = (this.tally = new ResultTally(run, setting, longLived))
    const first = setting.workers ?? workersHere(arena)
    // Bots that live through the tournament live in this thread.
    const lasting = run.entrants.some((_, entrant) => longLived.has(entrant))
    const startMore = lasting ? undefined : setting.startWorkers
    const pool = (this.pool = new GrowingPool(first, startMore, () => arena.rest(), note))
    this.affinity = new CoreAffinity(run.entrants, setting.jobs)
    this.player = new JobPlayer({ run, setting, pool, arena, longLived, tally, recorder, stopping, begun, fail })
  }

  async play(): Promise<RunResult> {
    const { setting, stopping, tally } = this
    const stop = () => stopping.stop()
    if (setting.signal.aborted) stop()
    setting.signal.addEventListener('abort', stop)
    let finished = false
    let idle = 0
    let written: ReadonlyMap<string, string> = new Map()
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
          await this.playRound(round)
          // Twice nobody was there to play: what is left waits for who is away.
          idle = tally.results.size === before ? idle + 1 : 0
          if (idle === 2) finished = true
        }
      }
    } finally {
      setting.signal.removeEventListener('abort', stop)
      await this.recorder.flush()
      this.affinity.unpin()
      written = await this.pool.close()
      await Promise.all([this.arena.close(), this.longLived.close()])
    }
    // The workers of this thread have passed on what their arena received.
    const here = setting.workers && this.arena.stderr()
    const output = (name: string) => (here?.get(name) ?? '') + (written.get(name) ?? '')
    const stderr = new Map(this.run.entrants.map(({ name }) => [name, output(name).slice(-STDERR_KEPT)]))
    const { results, jobKeys, played, reused } = tally
    return { results, jobKeys, played, reused, finished, stderr }
  }

  private underWay(): UnderWay {
    const { begun, arena, pool } = this
    const look: UnderWay['look'] = async (job, seen) => {
      const keys = begun.get(job)?.job.pairings.map(({ key }) => key)
      return keys && (arena.live.look(keys, seen) ?? pool.look(keys, seen))
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

  /** Gives up what would begin another match. Bots that live through the tournament end their jobs: none of them is begun anew. */
  private abandon(): void {
    const several = [...this.begun.values()].filter(({ job }) => job.pairings.length > 1 && !this.lasts(job))
    this.pool.abandon(several.map(({ job }) => job.key))
  }

  /** Waits while the run is paused. False: it was ended meanwhile. */
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

  /** Plays the missing jobs of a round. A failure ends the others, and is thrown once nothing is played any more. */
  private async playRound(round: Round): Promise<void> {
    await this.playQueued(this.missingOf(round))
    await this.recorder.flush()
    if (this.failures.length > 0) throw this.failures[0]
  }

  /**
   * The jobs of a round that are to be played, part by part: to make the keys of a long schedule takes longer than a match, so the first match
   * begins after the first part of them.
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

  /** Plays jobs, as many at once as may be. */
  private async playQueued(parts: AsyncGenerator<readonly Job[], undefined>): Promise<void> {
    const { setting, stopping, tally } = this
    const most = setting.workers?.window ?? setting.jobs
    // The machine of a remote bot, which is not known, plays one job at a time.
    const queue = new Queue((entrant) => this.longLived.has(entrant) || this.entrant(entrant).remote === true)
    let allKnown = false
    await new Promise<void>((done) => {
      let playing = 0
      let looking = false
      // Of a job's share in what may be played at once.
      let taken = 0
      // Jobs become known while others are played, so many ahead that none of the players waits for one.
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
          this.pool.grow(tally.played, this.total - tally.results.size)
          void this.player
            .play(job)
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

  /** Ends the run for an error in it. */
  private fail(error: unknown): void {
    if (!(error instanceof StoppedError)) this.failures.push(error)
    this.stopping.stop()
  }

  /** The jobs that are not in the store. Where bots that live through the tournament play in them, the tournament's lease is held then. */
  private async missing(jobs: readonly Job[]): Promise<Job[]> {
    const missing = await this.tally.missing(jobs)
    if (!missing.some((job) => this.lasts(job)) || this.longLived.isLeased || this.stopping.stopped) return missing
    await this.longLived.lease()
    return this.missing(missing)
  }

  /** Whether a bot that lives through the tournament plays in it. */
  private lasts(job: Job): boolean {
    return entrantsOf(job).some((entrant) => this.longLived.has(entrant))
  }

  /** Many light matches are played side by side in the place of one other. */
  private shareOf(job: Job): number {
    const { workers, jobs } = this.setting
    const entrants = entrantsOf(job)
    const isAllLight = entrants.every((entrant) => isLight(this.entrant(entrant)))
    const here = workers?.window === undefined ? 1 : workers.window / jobs
    // While a remote bot thinks, or its answer is on its way, this machine has time for others.
    if (entrants.some((entrant) => this.entrant(entrant).remote)) return here / (isAllLight ? REMOTE : SIDE_BY_SIDE)
    // Bots that live through the tournament play here, whatever the workers play meanwhile.
    if (workers?.window !== undefined) return this.lasts(job) ? here : 1
    if (isAllLight) return Math.min(1, Math.max(1 / SIDE_BY_SIDE, job.pairings.length / LONG))
    // While the bots of some matches think, those of others are asked that share this thread's core.
    return this.affinity.isPinned && entrants.every((entrant) => this.longLived.has(entrant)) ? 1 / BESIDE : 1
  }

  private entrant(index: number): SeatableEntrant {
    return this.run.entrants[index] as SeatableEntrant
  }
}

/** The number of a match in its job, from 0; −1: it is none of its. */
const placeOf = (job: Job | undefined, match: string | undefined): number =>
  job?.pairings.findIndex(({ key }) => key === match) ?? -1
