import {
  type FoundJob,
  type JobRequest,
  type JobResponse,
  type PastJob,
  MatchesTakenBack,
  WorkerDistrusted,
  WorkerLostError,
  type WorkerPool,
} from '../../engine/index.js'
import { type StoredJob, isLost } from '../../store/index.js'
import { WakeSignal } from './wake-signal.js'
import { ChainLane } from './chain-lane.js'
import { HandedBack } from './handed-back.js'
import type { JobOutcome } from './messages.js'
import { type EndedBatch, endedElsewhere, endedHere } from './ended-batches.js'
import { leaveRun } from './leave-run.js'
import {
  type UnconfirmedFailure,
  type PendingJob,
  type JobResult,
  type LaneState,
  dropUncompared,
  failJob,
  requestsOf,
} from './lane-state.js'
import { Lanes } from './lanes.js'
import type { QueuePoolSetting } from './queue-setting.js'
import { readReported, refuseForged } from './reported.js'
import { type RepeatedJob, WorkerAudit } from './worker-audit.js'
import { WorkerWatch } from './worker-watch.js'

/*
 * Workers on other machines, behind the engine's port. Theory of operation.
 *
 * Jobs that are asked for wait here, by lane: by what a worker needs for them. A lane's queue on the server is kept short, a few batches a slot, so that
 * batches can be as large as the last ones tell, and little is lost when all ends. The outcomes of batches are looked up a few times a second: their
 * matches lie in the store then, from where this process reads them and judges them again. A batch that is gone (another process has emptied
 * the queue) is sent again. One worker alone is not believed that a job cannot be played: another one tries it, where there is one.
 */

/** Milliseconds between two looks for outcomes of batches. */
const LOOK_MS = 100
/** Milliseconds between two looks at the list of workers. */
const STAFF_MS = 1000
/** Jobs that may be given to it at once. */
const WINDOW = 8192

/** The outcome of a job. */
interface Came extends Pick<EndedBatch, 'worker' | 'here'> {
  readonly outcome: JobOutcome
}

export class QueuePool implements WorkerPool {
  readonly window = WINDOW
  readonly looks = true
  private readonly watch: WorkerWatch
  private readonly lanes: Lanes
  private closed: Error | undefined
  /** When the server was asked for outcomes last. */
  private looked = -Infinity
  private readonly working: Promise<void>
  private readonly alarm = new WakeSignal()
  private readonly audit: WorkerAudit
  private readonly chain: ChainLane
  private readonly handedBack: HandedBack

  constructor(private readonly own: QueuePoolSetting) {
    this.watch = new WorkerWatch(own)
    this.lanes = new Lanes(own, this.watch)
    const { verifier, note } = own
    const distrust = (worker: string, why: string, jobs?: readonly string[]): void =>
      this.fail(new WorkerDistrusted(worker, why, jobs))
    this.audit = new WorkerAudit({ verifier, note, again: (request, except) => this.again(request, except), distrust })
    this.handedBack = new HandedBack((worker) => note(`${worker} hands back all its batches; others play them`))
    this.chain = new ChainLane({
      ...own,
      needsOf: (requests, except) =>
        this.watch.needsOf(
          requests.map(({ job }) => job),
          except,
        ),
      see: (request, worker, matches, trusted) => this.audit.judge(request, worker, matches, trusted),
      distrust,
      wake: () => this.alarm.ring(),
    })
    this.working = this.work()
  }

  async settle(): Promise<void> {
    await this.audit.settle()
    await this.seeTakenBack()
    if (this.closed !== undefined) throw this.closed
  }

  /** What was stored while no run was there to judge it, or was played for another run, is judged before it counts. */
  believe(stored: readonly FoundJob[]): Promise<void> {
    return refuseForged(this.own, stored)
  }

  async play(batch: readonly JobRequest[]): Promise<readonly JobResponse[]> {
    return Promise.all(batch.map((request) => this.ask(request)))
  }

  /** A batch may have an outcome. */
  stir(): void {
    this.alarm.ring()
  }

  /** As `WorkerPool.playLongLived`. */
  playLongLived(
    batch: readonly JobRequest[],
    before: readonly PastJob[],
  ): Promise<readonly (JobResponse | undefined)[]> {
    return this.chain.play(batch, before)
  }

  async close(): Promise<ReadonlyMap<string, string>> {
    this.fail(new WorkerLostError('the workers have ended'))
    await this.working
    try {
      const queues = this.lanes.all.flatMap(({ queue, made }) => (made ? [queue] : []))
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
    const { needs } = this.lanes.of(request.job, except, true)
    if (!this.watch.canPlay(needs)) return undefined
    const { response, worker, trusted } = await this.askOf(request, except)
    return 'courses' in response ? { courses: response.courses, worker, trusted } : undefined
  }

  /** `except`: the job is played to be compared, by none of these. */
  private askOf(request: JobRequest, except: readonly string[]): Promise<JobResult> {
    if (this.closed) return Promise.reject(this.closed)
    return new Promise((done, failed) => {
      const asked = { request, done, failed }
      if (except.length === 0) this.place(asked)
      else this.lanes.of(request.job, except, true).waiting.push(asked)
      this.alarm.ring()
    })
  }

  /** Has a job wait for a worker that may play it. */
  private place(asked: PendingJob): void {
    this.lanes.place(asked, this.handedBack.avoided)
  }

  private async work(): Promise<void> {
    let sawStaff = -Infinity
    while (this.closed === undefined) {
      this.alarm.reset()
      try {
        if (performance.now() - sawStaff > STAFF_MS) {
          await this.seeStaff()
          sawStaff = performance.now()
        }
        await this.receive()
        await this.chain.look(this.watch)
        for (const lane of this.lanes.all) await this.lanes.send(lane)
      } catch (error) {
        // The callers of the store wait for a server that is lost; here the next look tries again.
        if (!isLost(error)) this.fail(error)
      }
      const left = this.looked + LOOK_MS - performance.now()
      await this.alarm.wait(left > 0 ? left : LOOK_MS)
    }
  }

  /** Another run may have found out a worker that had played matches of this one. */
  private async seeTakenBack(): Promise<void> {
    const { board, run, takenBack } = this.own
    if (takenBack !== undefined && (await board.takenBack(run)) !== takenBack) this.fail(new MatchesTakenBack())
  }

  /** Reads which workers there are, and which entrants they cannot play. */
  private async seeStaff(): Promise<void> {
    await this.seeTakenBack()
    const lanes = this.lanes.all
    // Batches that wait come back where some worker cannot play all that is in them.
    if (await this.watch.look()) for (const lane of lanes) await this.lanes.clear(lane)
    const needed = lanes.filter(({ except, waiting, sent }) => except.length === 0 && waiting.length + sent.size > 0)
    const { needs } = this.chain
    this.watch.tell([...needed.map((lane) => lane.needs), ...(needs ? [needs] : [])])
    // Jobs that wait for any worker may have entrants by now that some worker cannot play.
    for (const lane of lanes) {
      const isHopeless = this.lanes.isHopeless(lane)
      if (isHopeless && lane.sent.size > 0) await this.lanes.clear(lane)
      if (isHopeless && lane.compare) dropUncompared(lane)
      if (lane.compare || this.lanes.isPlaced(lane, this.handedBack.avoided)) continue
      for (const asked of lane.waiting.splice(0))
        // There is no other worker: the failure of the first one stands.
        if (isHopeless && asked.doubted) failJob(asked, asked.doubted, false)
        else this.place(asked)
    }
  }

  /** Takes the outcomes of the batches: those of the run's own worker at once, the others where it is time to ask the server. */
  private async receive(): Promise<void> {
    const isDue = performance.now() - this.looked >= LOOK_MS
    if (isDue) this.looked = performance.now()
    for (const lane of this.lanes.all) {
      await this.take(lane, endedHere(lane, this.own))
      if (isDue && lane.sent.size > 0) await this.askServer(lane)
    }
  }

  /** Asks the server which batches of a lane have ended. */
  private async askServer(lane: LaneState): Promise<void> {
    const { ended, gone } = await endedElsewhere(lane, this.own)
    for (const id of gone) this.sendAgain(lane, id)
    if (gone.length > 0) await this.own.batches.forget(lane.queue, gone)
    await this.take(lane, ended)
  }

  /** Answers the jobs of batches that have ended. */
  private async take(lane: LaneState, ended: readonly EndedBatch[]): Promise<void> {
    if (ended.length === 0) return
    const { batches, mine } = this.own
    const reported = ended.map((one) => ({ ...one, requests: requestsOf(lane, one.id) }))
    const records = await readReported(this.own, reported)
    for (const { id, here, jobs, ms, worker } of ended) {
      const asked = lane.sent.get(id) ?? []
      mine?.forget(id)
      const by = { worker, here }
      if (worker !== '') this.handedBack.see(worker, !jobs.some((one) => !('back' in one)))
      if (!lane.compare) this.lanes.pace.see(jobs.filter((one) => 'key' in one && !one.before).length, ms)
      for (const [i, one] of asked.entries())
        this.answer(lane, one, { outcome: jobs[i] ?? { back: true }, ...by }, records)
      // Not before: what goes wrong until then fails all that is asked for here.
      lane.sent.delete(id)
    }
    await batches.forget(
      lane.queue,
      ended.map(({ id }) => id),
    )
  }

  private answer(
    lane: LaneState,
    asked: PendingJob,
    { outcome, worker, here }: Came,
    records: ReadonlyMap<string, StoredJob>,
  ): void {
    const by = { worker, trusted: here !== undefined }
    if (lane.compare ? 'key' in outcome : 'courses' in outcome) lane.waiting.push(asked)
    else if ('courses' in outcome) asked.done({ response: outcome, ...by })
    else if ('failure' in outcome || 'lost' in outcome) this.hear(lane, asked, { worker, outcome }, by.trusted)
    else if ('key' in outcome) {
      const judged = here?.get(outcome.key)
      const stored = judged ? { matches: judged, inRun: true } : records.get(outcome.key)
      if (stored === undefined) lane.waiting.unshift(asked)
      else if (outcome.before || this.audit.see(asked.request, worker, stored.matches, by.trusted)) {
        const { matches, inRun } = stored
        const own = !outcome.before && inRun && { stored: true as const }
        const known = (outcome.before || judged !== undefined || !by.trusted) && { judged: matches }
        asked.done({ response: { records: matches.map(({ record }) => record), ...own, ...known }, ...by })
      } else asked.failed(this.closed)
    } else if (lane.compare) lane.waiting.push(asked)
    else this.place(asked)
  }

  /** A worker could not play a job: another one tries it, unless it is the second that says so. */
  private hear(lane: LaneState, asked: PendingJob, said: UnconfirmedFailure, isTrusted: boolean): void {
    const { worker } = said
    const isSecond = asked.doubted !== undefined && asked.doubted.worker !== worker
    if (lane.compare || isTrusted || isSecond) failJob(asked, said, isTrusted)
    else this.place({ ...asked, doubted: said })
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
    for (const { waiting, sent } of this.lanes.all) {
      for (const asked of [...waiting.splice(0), ...[...sent.values()].flat()]) asked.failed(this.closed)
      sent.clear()
    }
    this.alarm.now()
  }
}
