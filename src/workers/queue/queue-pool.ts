import {
  type Job,
  type JobRequest,
  type JobResponse,
  type LivedJob,
  WorkerDistrusted,
  WorkerLostError,
  type WorkerPool,
} from '../../engine/index.js'
import { type JudgedMatch, type StoredJob, isLost } from '../../store/index.js'
import { WakeSignal } from './wake-signal.js'
import { ChainLane } from './chain-lane.js'
import type { BatchData, JobOutcome } from './messages.js'
import { hasAll } from './unplayable.js'
import { leaveRun } from './leave-run.js'
import { type PendingJob, type JobResult, type LaneState, requestsOf, uuidOf } from './lane-state.js'
import { BatchSizer } from './batch-sizer.js'
import type { QueuePoolSetting } from './queue-setting.js'
import { readReported } from './reported.js'
import { type RepeatedJob, Scrutiny } from './scrutiny.js'
import { WorkerWatch } from './worker-watch.js'

/*
 * Workers on other machines, behind the engine's port. Theory of operation.
 *
 * Jobs that are asked for wait here, by lane: by what a worker needs for them. A lane's queue on the server is kept short, a few batches a slot, so that
 * batches can be as large as the last ones tell, and little is lost when all ends. What came of a batch is looked up a few times a second: its matches lie in the
 * store then, from where they are read, judged again by who asked for them. A batch that is not there any more (another process has emptied
 * the queue) is asked for again.
 */

/** Milliseconds between two looks at what became of the batches. */
const LOOK_MS = 100
/** Milliseconds between two looks at who is there. */
const STAFF_MS = 1000
/** Batches that wait in a lane's queue, a slot of all workers. */
const AHEAD = 2
/** Jobs that may be given to it at once. */
const WINDOW = 8192

/** What came of a job. */
interface Came {
  readonly outcome: JobOutcome
  readonly worker: string
  /** What the run's own worker has stored of its batch, by keys; absent: another ended it. */
  readonly here?: ReadonlyMap<string, readonly JudgedMatch[]>
}

export class QueuePool implements WorkerPool {
  readonly window = WINDOW
  readonly looks = true
  private readonly lanes = new Map<string, LaneState>()
  private readonly pace = new BatchSizer()
  private readonly watch: WorkerWatch
  private closed: Error | undefined
  private readonly working: Promise<void>
  private readonly alarm = new WakeSignal()
  private readonly scrutiny: Scrutiny
  private readonly chain: ChainLane

  constructor(private readonly own: QueuePoolSetting) {
    this.watch = new WorkerWatch(own)
    const { landing, note } = own
    const distrust = (worker: string, why: string, jobs?: readonly string[]): void =>
      this.fail(new WorkerDistrusted(worker, why, jobs))
    this.scrutiny = new Scrutiny({ landing, note, again: (request, except) => this.again(request, except), distrust })
    this.chain = new ChainLane({
      ...own,
      needsOf: (requests) => this.watch.needsOf(requests.map(({ job }) => job)),
      see: (request, worker, matches, trusted) => this.scrutiny.judge(request, worker, matches, trusted),
      distrust,
      wake: () => this.alarm.ring(),
    })
    this.working = this.work()
  }

  async settle(): Promise<void> {
    await this.scrutiny.settle()
    if (this.closed !== undefined) throw this.closed
  }

  async play(batch: readonly JobRequest[]): Promise<readonly JobResponse[]> {
    return Promise.all(batch.map((request) => this.ask(request)))
  }

  /** Something may have come of a batch. */
  stir(): void {
    this.alarm.ring()
  }

  /** As `WorkerPool.playLasting`. */
  playLongLived(
    batch: readonly JobRequest[],
    before: readonly LivedJob[],
  ): Promise<readonly (JobResponse | undefined)[]> {
    return this.chain.play(batch, before)
  }

  async close(): Promise<ReadonlyMap<string, string>> {
    this.fail(new WorkerLostError('the workers have ended'))
    await this.working
    try {
      const queues = [...this.lanes.values()].flatMap(({ queue, made }) => (made ? [queue] : []))
      return await leaveRun(this.own, [...queues, ...this.chain.queues])
    } catch (error) {
      // A run that ends for a lost server reports that itself.
      if (isLost(error)) return new Map()
      throw error
    }
  }

  private async ask(request: JobRequest): Promise<JobResponse> {
    const { response } = await this.askOf(request, [])
    if ('courses' in response) throw new Error('a job was compared that was to be played')
    return response
  }

  /** Has a job played by none of these, to be compared. */
  private async again(request: JobRequest, except: readonly string[]): Promise<RepeatedJob | undefined> {
    const { needs } = this.laneOf(request.job, except)
    if (!this.watch.workers.some((worker) => hasAll(worker, needs))) return undefined
    const { response, worker, trusted } = await this.askOf(request, except)
    return 'courses' in response ? { courses: response.courses, worker, trusted } : undefined
  }

  private askOf(request: JobRequest, except: readonly string[]): Promise<JobResult> {
    if (this.closed) return Promise.reject(this.closed)
    return new Promise((done, failed) => {
      this.laneOf(request.job, except).waiting.push({ request, done, failed })
      this.alarm.ring()
    })
  }

  /** `except`: the job is played to be compared, by none of these. */
  private laneOf(job: Job, except: readonly string[] = []): LaneState {
    const { run, urgent } = this.own
    const sorted = this.watch.needsOf([job], except)
    const key = JSON.stringify(sorted)
    const queue = `${run}-${urgent ? 'now-' : ''}${uuidOf(key).slice(0, 8)}`
    const compare = except.length > 0
    const lane = this.lanes.get(key) ?? { queue, needs: sorted, compare, waiting: [], sent: new Map(), made: false }
    this.lanes.set(key, lane)
    return lane
  }

  private async work(): Promise<void> {
    let looked = -Infinity
    while (this.closed === undefined) {
      this.alarm.reset()
      try {
        if (performance.now() - looked > STAFF_MS) {
          await this.seeStaff()
          looked = performance.now()
        }
        await this.receive()
        await this.chain.look(this.watch)
        for (const lane of this.lanes.values()) await this.send(lane)
      } catch (error) {
        // A server that is lost is waited for by who asks the store; here it is looked for again.
        if (!isLost(error)) this.fail(error)
      }
      await this.alarm.wait(LOOK_MS)
    }
  }

  /** Who is there, and whom they cannot play. */
  private async seeStaff(): Promise<void> {
    if (await this.watch.look()) await this.takeBackWaiting()
    const lanes = [...this.lanes.values()]
    const needed = lanes.filter(({ compare, waiting, sent }) => !compare && waiting.length + sent.size > 0)
    const { needs } = this.chain
    this.watch.tell([...needed.map((lane) => lane.needs), ...(needs ? [needs] : [])])
    // What waits for a worker that plays all may have become what some cannot play.
    for (const lane of lanes) {
      if (lane.compare) await this.dropUncompared(lane)
      else for (const asked of lane.waiting.splice(0)) this.laneOf(asked.request.job).waiting.push(asked)
    }
  }

  /** Drops the comparisons for which no other worker is left. */
  private async dropUncompared({ needs, queue, made, waiting, sent }: LaneState): Promise<void> {
    if (waiting.length + sent.size === 0 || this.watch.workers.some((worker) => hasAll(worker, needs))) return
    if (made) await this.own.batches.clear(queue)
    for (const asked of [...waiting.splice(0), ...[...sent.values()].flat()])
      asked.failed(new WorkerLostError('no other worker is left'))
    sent.clear()
  }

  /** Takes back the batches that no worker has begun: some worker cannot play all that is in them. */
  private async takeBackWaiting(): Promise<void> {
    for (const { queue, made } of this.lanes.values()) if (made) await this.own.batches.clear(queue)
  }

  /** Fills a lane's queue up. */
  private async send(lane: LaneState): Promise<void> {
    const { batches, board, run, urgent = false } = this.own
    if (lane.waiting.length === 0) return
    if (!lane.made) {
      await batches.make(lane.queue)
      // What an earlier process of this run has left there is asked for anew.
      await batches.clear(lane.queue)
      await board.addLane(run, lane.queue, lane.needs, urgent)
      lane.made = true
    }
    const room = (AHEAD + 1) * this.watch.slots - lane.sent.size
    const batch: { id: string; data: BatchData; asked: PendingJob[] }[] = []
    while (batch.length < room && lane.waiting.length > 0) {
      const asked = lane.waiting.splice(0, lane.compare ? 1 : this.pace.size(lane.waiting.length, this.watch.slots))
      const jobs = asked.map(({ request: { job, disturbed } }) => ({ job, disturbed }))
      const data = { run, jobs, ...(lane.compare && { compare: true as const }) }
      // The id is a hash of the jobs, so a batch that is sent twice is queued once.
      batch.push({ id: uuidOf(JSON.stringify([lane.queue, jobs])), data, asked })
    }
    if (batch.length === 0) return
    for (const { id, asked } of batch) lane.sent.set(id, asked)
    await batches.send(lane.queue, batch)
  }

  /** Takes what came of the batches. */
  private async receive(): Promise<void> {
    const { batches, board, mine } = this.own
    for (const lane of this.lanes.values()) {
      if (lane.sent.size === 0) continue
      const { ended: all, gone } = await batches.outcomes([lane.queue], [...lane.sent.keys()])
      for (const id of gone) this.sendAgain(lane, id)
      if (gone.length > 0) await batches.forget(lane.queue, gone)
      // What this process has just stored it need not read.
      const ended = all.filter(({ id }) => mine?.isEnding(id) !== true)
      const outcomes = ended.map(({ id, output }) => ({
        id,
        here: mine?.of(id),
        ...this.own.landing.outcomeOf(requestsOf(lane, id), output),
      }))
      // What a worker without a token has stored is taken back, where the store asks for one.
      const reports = outcomes.filter(({ jobs }) => jobs.some((one) => !('back' in one)))
      const [stranger] = await board.strangers(reports.map(({ worker }) => worker))
      if (stranger !== undefined)
        return this.fail(new WorkerDistrusted(stranger, 'it came without a token, which this store asks for'))
      const reported = outcomes.map((one) => ({ ...one, requests: requestsOf(lane, one.id) }))
      const records = await readReported(this.own, reported)
      for (const { id, here, jobs, ms, worker } of outcomes) {
        const asked = lane.sent.get(id) ?? []
        mine?.forget(id)
        const by = { worker, ...(here && { here }) }
        if (!lane.compare) this.pace.see(jobs.filter((one) => 'key' in one && !one.before).length, ms)
        for (const [i, one] of asked.entries())
          this.answer(lane, one, { outcome: jobs[i] ?? { back: true }, ...by }, records)
        // Not before: what goes wrong until then fails all that is asked for here.
        lane.sent.delete(id)
      }
      if (ended.length > 0)
        await batches.forget(
          lane.queue,
          ended.map(({ id }) => id),
        )
    }
  }

  private answer(
    lane: LaneState,
    asked: PendingJob,
    { outcome, worker, here }: Came,
    records: ReadonlyMap<string, StoredJob>,
  ): void {
    const by = { worker, trusted: here !== undefined }
    if (lane.compare ? 'key' in outcome : 'courses' in outcome) lane.waiting.push(asked)
    else if ('failure' in outcome || 'courses' in outcome) asked.done({ response: outcome, ...by })
    else if ('lost' in outcome) asked.failed(new WorkerLostError(outcome.lost))
    else if ('key' in outcome) {
      const judged = here?.get(outcome.key)
      const stored = judged ? { matches: judged, inRun: true } : records.get(outcome.key)
      if (stored === undefined) lane.waiting.unshift(asked)
      else if (outcome.before || this.scrutiny.see(asked.request, worker, stored.matches, by.trusted)) {
        const { matches, inRun } = stored
        const own = !outcome.before && inRun && { landed: true as const }
        const known = (outcome.before || judged !== undefined || !by.trusted) && { judged: matches }
        asked.done({ response: { records: matches.map(({ record }) => record), ...own, ...known }, ...by })
      } else asked.failed(this.closed)
    } else if (lane.compare) lane.waiting.push(asked)
    else this.laneOf(asked.request.job).waiting.push(asked)
  }

  /** Sends the jobs of a lost batch again. */
  private sendAgain(lane: LaneState, id: string): void {
    const asked = lane.sent.get(id) ?? []
    lane.sent.delete(id)
    this.own.mine?.forget(id)
    lane.waiting.unshift(...asked)
  }

  private fail(error: unknown): void {
    this.closed ??= error instanceof Error ? error : new Error(String(error))
    this.chain.fail(this.closed)
    for (const { waiting, sent } of this.lanes.values()) {
      for (const asked of [...waiting.splice(0), ...[...sent.values()].flat()]) asked.failed(this.closed)
      sent.clear()
    }
    this.alarm.now()
  }
}
