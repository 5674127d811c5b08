import type { Job } from '../../engine/index.js'
import { type Batches, isLong, refuseLong } from './boss.js'
import type { Board } from './board.js'
import { BatchSizer } from './batch-sizer.js'
import { type LaneState, type PendingJob, uuidOf } from './lane-state.js'
import type { BatchData } from './messages.js'
import type { OwnBatches } from './own-batches.js'
import type { WorkerWatch } from './worker-watch.js'

/** Batches that wait in a lane's queue, a slot of all workers. */
const AHEAD = 2

interface LanesSetting {
  readonly run: string
  readonly batches: Pick<Batches, 'make' | 'clear' | 'send'>
  readonly board: Pick<Board, 'addLane'>
  readonly urgent?: boolean
  readonly mine?: Pick<OwnBatches, 'sent'>
}

/** A run's lanes, by what a worker needs for the jobs in them, and the queues that they fill on the server. */
export class Lanes {
  private readonly lanes = new Map<string, LaneState>()
  readonly pace = new BatchSizer()

  constructor(
    private readonly own: LanesSetting,
    private readonly watch: Pick<WorkerWatch, 'changes' | 'slots' | 'canPlay' | 'needsOf'>,
  ) {}

  get all(): readonly LaneState[] {
    return [...this.lanes.values()]
  }

  /** The lane of a job; `except`: workers that do not play it; `compare`: it is played to be compared. */
  of(job: Job, except: readonly string[] = [], compare = false): LaneState {
    const { run, urgent } = this.own
    const needs = this.watch.needsOf([job], except)
    const key = JSON.stringify(compare ? ['compare', needs] : needs)
    const known = this.lanes.get(key)
    if (known !== undefined) return known
    const queue = `${run}-${urgent ? 'now-' : ''}${uuidOf(key).slice(0, 8)}`
    const sent = new Map<string, readonly PendingJob[]>()
    const lane: LaneState = { queue, needs, except, compare, waiting: [], sent, made: false }
    this.lanes.set(key, lane)
    return lane
  }

  /** Has a job wait for a worker that may play it. It is none of `avoided`, if another one is there. */
  place(asked: PendingJob, avoided: readonly string[]): void {
    const { request, doubted } = asked
    const lane = this.of(request.job, [...(doubted ? [doubted.worker] : []), ...avoided])
    const isOpen = doubted !== undefined || avoided.length === 0 || !this.isHopeless(lane)
    ;(isOpen ? lane : this.of(request.job)).waiting.push(asked)
  }

  /** Whether the jobs that wait in a lane would come back to it if they were placed again: thousands may wait, and are left there then. */
  isPlaced(lane: LaneState, avoided: readonly string[]): boolean {
    const { changes } = this.watch
    const isSame = lane.placed === changes && lane.except.length === 0 && avoided.length === 0
    lane.placed = changes
    return isSame
  }

  /** Whether no worker is left that may play what others did not. */
  isHopeless({ except, needs }: LaneState): boolean {
    return except.length > 0 && !this.watch.canPlay(needs)
  }

  /** Takes back the batches that no worker has begun: their jobs are asked for again. */
  async clear({ queue, made }: LaneState): Promise<void> {
    if (made) await this.own.batches.clear(queue)
  }

  /** Fills a lane's queue up. */
  async send(lane: LaneState): Promise<void> {
    const { batches, board, run, urgent = false, mine } = this.own
    if (lane.waiting.length === 0 || this.isHopeless(lane)) return
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
      const { asked, jobs, id } = this.take(lane)
      const data = { run, jobs, compare: lane.compare ? (true as const) : undefined }
      batch.push({ id, data, asked })
    }
    if (batch.length === 0) return
    for (const { id, asked, data } of batch) {
      lane.sent.set(id, asked)
      // What a job's key is over is hashed once: the run's own worker takes it from here.
      const jobs = asked.map(({ request: { job, disturbed, key } }) => ({ job, disturbed, key }))
      mine?.sent(id, { ...data, jobs })
    }
    await batches.send(lane.queue, batch)
  }

  /** Takes the jobs of the next batch: half as many, where they are too long together. Throws UserError where one alone is. */
  private take(lane: LaneState) {
    let size = lane.compare ? 1 : this.pace.size(lane.waiting.length, this.watch.slots)
    for (;;) {
      const jobs = lane.waiting.slice(0, size).map(({ request: { job, disturbed } }) => ({ job, disturbed }))
      const json = JSON.stringify([lane.queue, jobs])
      if (jobs.length > 1 && isLong(json)) size = Math.ceil(jobs.length / 2)
      else {
        refuseLong(json, `the matches of ${(jobs[0]?.job.key ?? '').slice(0, 100)}`)
        // The id is a hash of the jobs, so a batch that is sent twice is queued once.
        return { asked: lane.waiting.splice(0, size), jobs, id: uuidOf(json) }
      }
    }
  }
}
